// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ArithmeticExpression.h.

#include "tilewright/elementwise/ArithmeticExpression.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::elementwise;
namespace arith = mlir::arith;

mlir::Type Expression::intType(unsigned bits) const {
  return shaped(mlir::IntegerType::get(value.getContext(), bits));
}
mlir::Type Expression::f32Type() const {
  return shaped(mlir::Float32Type::get(value.getContext()));
}
mlir::Type Expression::f64Type() const {
  return shaped(mlir::Float64Type::get(value.getContext()));
}

Expression Expression::floatConstant(double number) const {
  llvm::APFloat exact(number);
  bool losesInfo = false;
  exact.convert(llvm::cast<mlir::FloatType>(scalarType()).getFloatSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  assert(!losesInfo && "a constant of a formula is a value of its type");
  return {*emitter, constantBits(emitter->builder, emitter->loc, type(),
                                 exact.bitcastToAPInt().getZExtValue())};
}

Expression Expression::intConstant(int64_t bits) const {
  return {*emitter, constantBits(emitter->builder, emitter->loc, type(), uint64_t(bits))};
}

//===-- Operators ---------------------------------------------------------------------------===//

template <typename FloatOp, typename IntOp>
static Expression binary(const Expression &lhs, const Expression &rhs) {
  return lhs.isFloat() ? lhs.apply<FloatOp>(rhs) : lhs.apply<IntOp>(rhs);
}

Expression elementwise::operator+(const Expression &lhs, const Expression &rhs) {
  return binary<arith::AddFOp, arith::AddIOp>(lhs, rhs);
}
Expression elementwise::operator-(const Expression &lhs, const Expression &rhs) {
  return binary<arith::SubFOp, arith::SubIOp>(lhs, rhs);
}
Expression elementwise::operator*(const Expression &lhs, const Expression &rhs) {
  return binary<arith::MulFOp, arith::MulIOp>(lhs, rhs);
}
Expression elementwise::operator/(const Expression &lhs, const Expression &rhs) {
  return lhs.apply<arith::DivFOp>(rhs);
}
Expression elementwise::operator-(const Expression &source) {
  return source.isFloat() ? source.apply<arith::NegFOp>() : source.constant(0) - source;
}

Expression elementwise::operator&(const Expression &lhs, const Expression &rhs) {
  return lhs.apply<arith::AndIOp>(rhs);
}
Expression elementwise::operator|(const Expression &lhs, const Expression &rhs) {
  return lhs.apply<arith::OrIOp>(rhs);
}
Expression elementwise::operator^(const Expression &lhs, const Expression &rhs) {
  return lhs.apply<arith::XOrIOp>(rhs);
}
Expression elementwise::operator<<(const Expression &lhs, unsigned amount) {
  return amount == 0 ? lhs : lhs.apply<arith::ShLIOp>(lhs.constant(amount));
}
Expression elementwise::operator>>(const Expression &lhs, unsigned amount) {
  return amount == 0 ? lhs : lhs.apply<arith::ShRUIOp>(lhs.constant(amount));
}
Expression elementwise::operator!(const Expression &condition) { return condition ^ true; }

//===-- Conditions --------------------------------------------------------------------------===//

template <typename Op, typename Predicate>
static Expression compareBy(Predicate predicate, const Expression &lhs, const Expression &rhs) {
  const Emitter &at = lhs.place();
  return {at, Op::create(at.builder, at.loc, predicate, lhs, rhs)};
}

Expression elementwise::compare(FloatPredicate predicate, const Expression &lhs,
                                const Expression &rhs) {
  return compareBy<arith::CmpFOp>(predicate, lhs, rhs);
}
Expression elementwise::compare(IntPredicate predicate, const Expression &lhs,
                                const Expression &rhs) {
  return compareBy<arith::CmpIOp>(predicate, lhs, rhs);
}

Expression elementwise::equal(const Expression &lhs, const Expression &rhs) {
  return lhs.isFloat() ? compare(FloatPredicate::OEQ, lhs, rhs)
                       : compare(IntPredicate::eq, lhs, rhs);
}
Expression elementwise::less(const Expression &lhs, const Expression &rhs) {
  return lhs.isFloat() ? compare(FloatPredicate::OLT, lhs, rhs)
                       : compare(IntPredicate::slt, lhs, rhs);
}
Expression elementwise::lessUnsigned(const Expression &lhs, const Expression &rhs) {
  return compare(IntPredicate::ult, lhs, rhs);
}
Expression elementwise::isNan(const Expression &source) {
  return compare(FloatPredicate::UNO, source, source);
}

Expression elementwise::select(const Expression &condition, const Expression &ifTrue,
                               const Expression &ifFalse) {
  const Emitter &at = condition.place();
  return {at, arith::SelectOp::create(at.builder, at.loc, condition, ifTrue, ifFalse)};
}

//===-- Types and bits ----------------------------------------------------------------------===//

Expression elementwise::bitsOf(const Expression &source) {
  return source.convert<arith::BitcastOp>(source.intType(source.width()));
}
Expression elementwise::asFloat(const Expression &bits) {
  return bits.convert<arith::BitcastOp>(bits.width() == 64 ? bits.f64Type() : bits.f32Type());
}

template <typename Extend> static Expression resized(unsigned bits, const Expression &source) {
  if (bits == source.width())
    return source;
  mlir::Type type = source.intType(bits);
  return bits < source.width() ? source.convert<arith::TruncIOp>(type)
                               : source.convert<Extend>(type);
}

Expression elementwise::signedTo(unsigned bits, const Expression &source) {
  return resized<arith::ExtSIOp>(bits, source);
}
Expression elementwise::unsignedTo(unsigned bits, const Expression &source) {
  return resized<arith::ExtUIOp>(bits, source);
}

Expression elementwise::toF32(const Expression &source) {
  return source.width() == 32 ? source : source.convert<arith::TruncFOp>(source.f32Type());
}
Expression elementwise::toF64(const Expression &source) {
  return source.width() == 64 ? source : source.convert<arith::ExtFOp>(source.f64Type());
}

Expression elementwise::magnitude(const Expression &source) {
  return source.apply<mlir::LLVM::FAbsOp>();
}
Expression elementwise::squareRoot(const Expression &source) {
  return source.apply<mlir::LLVM::SqrtOp>();
}
Expression elementwise::fusedMultiplyAdd(const Expression &lhs, const Expression &rhs,
                                         const Expression &acc) {
  return lhs.apply<mlir::LLVM::FMAOp>(rhs, acc);
}

//===-- Branches ----------------------------------------------------------------------------===//

mlir::Value elementwise::anyLane(const Expression &condition) {
  if (!condition.isVector())
    return condition;
  const Emitter &at = condition.place();
  return mlir::vector::ReductionOp::create(at.builder, at.loc, mlir::vector::CombiningKind::OR,
                                           condition);
}

llvm::SmallVector<Expression>
elementwise::unlessRare(mlir::Value condition, llvm::ArrayRef<Expression> usual,
                        llvm::function_ref<llvm::SmallVector<Expression>()> rare) {
  const Emitter &at = usual.front().place();
  auto types = llvm::map_to_vector(usual, [](const Expression &value) { return value.type(); });
  // Marks the branch as unlikely, so that registers are saved inside it rather than before it.
  mlir::Value no = arith::ConstantOp::create(at.builder, at.loc, at.builder.getBoolAttr(false)),
              expected = mlir::LLVM::ExpectOp::create(at.builder, at.loc, condition, no);
  auto branch = mlir::scf::IfOp::create(at.builder, at.loc, types, expected,
                                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  mlir::OpBuilder::InsertionGuard guard(at.builder);
  auto fill = [&](mlir::Block *block, auto results) {
    at.builder.setInsertionPointToStart(block);
    llvm::SmallVector<mlir::Value> values;
    for (const Expression &value : results())
      values.push_back(value);
    mlir::scf::YieldOp::create(at.builder, at.loc, values);
  };
  fill(branch.thenBlock(), rare);
  fill(branch.elseBlock(), [&] { return usual; });
  return llvm::map_to_vector(branch.getResults(),
                             [&](mlir::Value result) { return Expression(at, result); });
}
