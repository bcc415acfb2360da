// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the integer and bitwise operations (arithmetic, 4.1 to 4.9), most of them as one
// instruction. Overflow assumptions are not passed on to LLVM: the gain would be small compared
// with the damage that a false assumption could do in an unused lane.

#include "tilewright/elementwise/ArithmeticParts.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::elementwise;
namespace arith = mlir::arith;
using numerics::Predicate;
using numerics::RoundingMode;
using numerics::Signedness;

static bool isSigned(tile::Signedness signedness) { return signedness == tile::Signedness::Signed; }

//===-- Shifts ------------------------------------------------------------------------------===//

// Shifts by the width or more are undefined for instructions and unspecified in Tile IR: they fill
// with zeros or the sign.

static Expression shiftLeft(const Expression &value, const Expression &amount) {
  return select(lessUnsigned(amount, value.width()), value.apply<arith::ShLIOp>(amount), 0);
}

static Expression shiftRight(const Expression &value, const Expression &amount, bool isSigned) {
  if (!isSigned)
    return select(lessUnsigned(amount, value.width()), value.apply<arith::ShRUIOp>(amount), 0);
  Expression most = amount.constant(value.width() - 1);
  return value.apply<arith::ShRSIOp>(amount.apply<arith::MinUIOp>(most));
}

//===-- Division ----------------------------------------------------------------------------===//

namespace {
struct Quotient {
  Expression lhs, rhs, truncated;
  bool isSigned;

  Expression remainder() const { return lhs - truncated * rhs; }
};
} // namespace

/// Whether the divisor is known at compile time, so that LLVM multiplies instead.
static bool isConstant(mlir::Value value) {
  if (auto broadcast = value.getDefiningOp<mlir::vector::BroadcastOp>())
    return isConstant(broadcast.getSource());
  return mlir::matchPattern(value, mlir::m_Constant());
}

/// Processors cannot divide integer vectors, but can divide float vectors. If the significand has
/// more than twice as many bits as the operands, a quotient that is not an integer is never rounded
/// up to one.
static Expression quotientByFloat(const Expression &lhs, const Expression &rhs, unsigned bits,
                                  bool isSigned) {
  mlir::Type type = bits <= 16 ? lhs.f32Type() : lhs.f64Type();
  auto toFloat = [&](const Expression &x) {
    return isSigned || bits <= 16 ? x.convert<arith::SIToFPOp>(type)
                                  : x.convert<arith::UIToFPOp>(type);
  };
  Expression quotient = toFloat(lhs) / toFloat(rhs);
  return isSigned || bits <= 16 ? quotient.convert<arith::FPToSIOp>(lhs.type())
                                : quotient.convert<arith::FPToUIOp>(lhs.type());
}

/// Divides operands of `bits` bits in 32 or 64 bits. Undefined divisions (by zero, and the smallest
/// number by -1) are replaced by a division by 1, because processors trap on them.
static Quotient divide(const Expression &lhs, const Expression &rhs, bool isSigned) {
  unsigned bits = lhs.width(), width = std::max(bits, 32u);
  Expression a = isSigned ? signedTo(width, lhs) : unsignedTo(width, lhs);
  Expression b = isSigned ? signedTo(width, rhs) : unsignedTo(width, rhs);
  Expression undefined = equal(b, 0);
  if (isSigned && bits == width)
    undefined = undefined | (equal(b, -1) & equal(a, int64_t(uint64_t(1) << (width - 1))));
  b = select(undefined, 1, b);

  if (a.isVector() && bits <= 32 && !isConstant(rhs))
    return {a, b, quotientByFloat(a, b, bits, isSigned), isSigned};
  return {a, b, isSigned ? a.apply<arith::DivSIOp>(b) : a.apply<arith::DivUIOp>(b), isSigned};
}

/// Converts a truncated quotient to another rounding mode.
static Expression rounded(const Quotient &q, RoundingMode mode) {
  if (mode == RoundingMode::Zero)
    return q.truncated;
  Expression inexact = !equal(q.remainder(), 0);
  if (!q.isSigned) // up; truncation of unsigned numbers already rounds down
    return mode == RoundingMode::PositiveInf ? q.truncated + unsignedTo(q.lhs.width(), inexact)
                                             : q.truncated;
  Expression negative = less(q.lhs ^ q.rhs, 0);
  if (mode == RoundingMode::NegativeInf)
    return q.truncated - unsignedTo(q.lhs.width(), inexact & negative);
  return q.truncated + unsignedTo(q.lhs.width(), inexact & !negative);
}

static Expression emitDivision(tile::DivIOp op, Operands in) {
  Quotient quotient = divide(in[0], in[1], isSigned(op.getSignedness()));
  return unsignedTo(in[0].width(), rounded(quotient, modeOf(op.getRounding())));
}

static Expression emitRemainder(tile::RemIOp op, Operands in) {
  Quotient quotient = divide(in[0], in[1], isSigned(op.getSignedness()));
  return unsignedTo(in[0].width(), quotient.remainder());
}

// ===-- Other operations --------------------------------------------------------------------===//

static Expression upperHalf(const Expression &lhs, const Expression &rhs) {
  unsigned bits = lhs.width();
  if (bits == 64) {
    const Emitter &at = lhs.place();
    auto product = arith::MulUIExtendedOp::create(at.builder, at.loc, lhs, rhs);
    return {at, product.getHigh()};
  }
  unsigned wide = std::max(2 * bits, 16u);
  return unsignedTo(bits, (unsignedTo(wide, lhs) * unsignedTo(wide, rhs)) >> bits);
}

static IntPredicate predicateOf(Predicate predicate, bool isSigned) {
  switch (predicate) {
  case Predicate::Equal:
    return IntPredicate::eq;
  case Predicate::NotEqual:
    return IntPredicate::ne;
  case Predicate::LessThan:
    return isSigned ? IntPredicate::slt : IntPredicate::ult;
  case Predicate::LessThanOrEqual:
    return isSigned ? IntPredicate::sle : IntPredicate::ule;
  case Predicate::GreaterThan:
    return isSigned ? IntPredicate::sgt : IntPredicate::ugt;
  case Predicate::GreaterThanOrEqual:
    return isSigned ? IntPredicate::sge : IntPredicate::uge;
  }
  llvm_unreachable("all predicates are listed");
}

template <typename SignedOp, typename UnsignedOp>
static Expression bySign(tile::Signedness signedness, Operands in) {
  return isSigned(signedness) ? in[0].apply<SignedOp>(in[1]) : in[0].apply<UnsignedOp>(in[1]);
}

static constexpr Cases cases{
    [](tile::AddIOp, Operands in) { return in[0] + in[1]; },
    [](tile::SubIOp, Operands in) { return in[0] - in[1]; },
    [](tile::MulIOp, Operands in) { return in[0] * in[1]; },
    [](tile::NegIOp, Operands in) { return -in[0]; },
    [](tile::AbsIOp, Operands in) { return select(less(in[0], 0), -in[0], in[0]); },
    [](tile::MulhiIOp, Operands in) { return upperHalf(in[0], in[1]); },
    [](tile::DivIOp division, Operands in) { return emitDivision(division, in); },
    [](tile::RemIOp remainder, Operands in) { return emitRemainder(remainder, in); },
    [](tile::MaxIOp max, Operands in) {
      return bySign<arith::MaxSIOp, arith::MaxUIOp>(max.getSignedness(), in);
    },
    [](tile::MinIOp min, Operands in) {
      return bySign<arith::MinSIOp, arith::MinUIOp>(min.getSignedness(), in);
    },
    [](tile::ShLIOp, Operands in) { return shiftLeft(in[0], in[1]); },
    [](tile::ShRIOp shift, Operands in) {
      return shiftRight(in[0], in[1], isSigned(shift.getSignedness()));
    },
    [](tile::AndIOp, Operands in) { return in[0] & in[1]; },
    [](tile::OrIOp, Operands in) { return in[0] | in[1]; },
    [](tile::XOrIOp, Operands in) { return in[0] ^ in[1]; },
    [](tile::CmpIOp cmp, Operands in) {
      Predicate predicate = modeOf(cmp.getComparisonPredicate());
      return compare(predicateOf(predicate, isSigned(cmp.getSignedness())), in[0], in[1]);
    },
};

using Operations = Chapter<
#define GET_OP_LIST
#include "tilewright/tile/ops/Integer.cpp.inc"
    >;

std::optional<Expression> elementwise::emitInteger(mlir::Operation *op, Operands in) {
  return Operations::emit(op, in, cases);
}
