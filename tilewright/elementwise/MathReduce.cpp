// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MathReduce.h.

#include "tilewright/elementwise/MathReduce.h"
#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathTables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <array>

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace llvmir = mlir::LLVM;

static Angle hugeAngles(const Expression &x);
static llvmir::LLVMFuncOp reduceFunction(const Emitter &at);

SmallVector<Expression>
math::whereHuge(const Expression &x, llvm::ArrayRef<Expression> values,
                llvm::function_ref<SmallVector<Expression>(const Angle &)> fromAngle) {
  Expression huge = greater(magnitude(x), hugeAngle);
  return unlessRare(anyLane(huge), values, [&] {
    // The function handles huge arguments only, so replace the others.
    SmallVector<Expression> corrected =
        fromAngle(hugeAngles(toF64(select(huge, x, 2 * hugeAngle))));
    for (auto [slow, value] : llvm::zip(corrected, values))
      slow = select(huge, slow, value);
    return corrected;
  });
}

// ===-- Per-lane calls ----------------------------------------------------------------------===//

/// Calls the function for a scalar. Returns the high part, the low part and the quadrant.
static SmallVector<Value> callReduce(const Emitter &at, Value x) {
  auto call = llvmir::CallOp::create(at.builder, at.loc, reduceFunction(at), x);
  SmallVector<Value> parts;
  for (int64_t part = 0; part < 3; ++part)
    parts.push_back(llvmir::ExtractValueOp::create(at.builder, at.loc, call.getResult(), part));
  return parts;
}

/// Emits a loop over the lanes of a vector.
static SmallVector<Value> callForEachLane(const Expression &x) {
  const Emitter &at = x.place();
  mlir::OpBuilder &builder = at.builder;
  int64_t lanes = llvm::cast<mlir::VectorType>(x.type()).getNumElements();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, at.loc, value);
  };
  Expression zero = x.constant(0);
  auto loop = mlir::scf::ForOp::create(builder, at.loc, index(0), index(lanes), index(1),
                                       {zero, zero, bitsOf(zero)});
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  Value argument = mlir::vector::ExtractOp::create(builder, at.loc, x, lane);
  SmallVector<Value> next;
  for (auto [part, all] : llvm::zip(callReduce(at, argument), loop.getRegionIterArgs()))
    next.push_back(mlir::vector::InsertOp::create(builder, at.loc, part, all, lane));
  mlir::scf::YieldOp::create(builder, at.loc, next);
  return SmallVector<Value>(loop.getResults());
}

static Angle hugeAngles(const Expression &x) {
  const Emitter &at = x.place();
  SmallVector<Value> parts = x.isVector() ? callForEachLane(x) : callReduce(at, x);
  return {{at, parts[0]}, {at, parts[1]}, {at, parts[2]}};
}

//===-- The function ------------------------------------------------------------------------===//

static constexpr llvm::StringLiteral functionName = "tilewright.reduce_angle";
static constexpr llvm::StringLiteral tableName = "tilewright.two_over_pi";

static void defineTable(const Emitter &at);
static SmallVector<Value> reduceScalar(const Expression &x);

/// The function in the enclosing module, created on first use.
static llvmir::LLVMFuncOp reduceFunction(const Emitter &at) {
  mlir::OpBuilder &builder = at.builder;
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
  if (auto function = module.lookupSymbol<llvmir::LLVMFuncOp>(functionName))
    return function;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  defineTable(at);
  mlir::Type f64 = builder.getF64Type();
  auto result =
      llvmir::LLVMStructType::getLiteral(builder.getContext(), {f64, f64, builder.getI64Type()});
  auto function = llvmir::LLVMFuncOp::create(builder, at.loc, functionName,
                                             llvmir::LLVMFunctionType::get(result, {f64}),
                                             llvmir::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  Value all = llvmir::PoisonOp::create(builder, at.loc, result);
  for (auto [position, part] : llvm::enumerate(reduceScalar({at, function.getArgument(0)})))
    all = llvmir::InsertValueOp::create(builder, at.loc, all, part, int64_t(position));
  llvmir::ReturnOp::create(builder, at.loc, all);
  return function;
}

/// Defines the bits of 2/pi.
static void defineTable(const Emitter &at) {
  int64_t size = std::size(tables::twoOverPi);
  mlir::Type word = at.builder.getI64Type();
  auto content = mlir::DenseElementsAttr::get(mlir::RankedTensorType::get({size}, word),
                                              llvm::ArrayRef(tables::twoOverPi));
  llvmir::GlobalOp::create(at.builder, at.loc, llvmir::LLVMArrayType::get(word, size),
                           /*isConstant=*/true, llvmir::Linkage::Internal, tableName, content);
}

/// The upper half of (a, b) shifted left.
static Expression funnel(const Expression &a, const Expression &b, const Expression &count) {
  return a.apply<llvmir::FshlOp>(b, count);
}

/// (high, low) as one integer.
static Expression join(const Expression &high, const Expression &low) {
  return (unsignedTo(128, high) << 64) | unsignedTo(128, low);
}

/// 192 bits of 2/pi, starting with the bit whose product with x, taken as an integer, is worth 2.
/// The argument is the biased exponent of x.
static std::array<Expression, 3> windowOf(const Expression &exponent) {
  const Emitter &at = exponent.place();
  auto pointer = llvmir::LLVMPointerType::get(at.builder.getContext());
  Value table = llvmir::AddressOfOp::create(at.builder, at.loc, pointer, tableName);
  Expression first = exponent - 1013, shift = first & 63;
  auto wordAt = [&](int64_t k) -> Expression {
    Value position = (first >> 6) + k;
    Value address =
        llvmir::GEPOp::create(at.builder, at.loc, pointer, first.type(), table, position);
    return {at, llvmir::LoadOp::create(at.builder, at.loc, first.type(), address)};
  };
  Expression words[] = {wordAt(0), wordAt(1), wordAt(2), wordAt(3)};
  return {funnel(words[0], words[1], shift), funnel(words[1], words[2], shift),
          funnel(words[2], words[3], shift)};
}

/// The members of Angle. With x = m 2^e, the product of the integer m and the window is x 2/pi
/// modulo 4, with 2 bits before the binary point and 190 after it, of which 53, the width of m, are
/// uncertain. No f64 is closer to a multiple of pi/2 than 2^-62, so more than 70 bits are correct.
static SmallVector<Value> reduceScalar(const Expression &x) {
  Expression pattern = bitsOf(x);
  Expression m = (pattern & 0xFFFFFFFFFFFFF) | 0x10000000000000;
  auto window = windowOf((pattern >> 52) & 0x7FF);
  Expression low = unsignedTo(128, m) * unsignedTo(128, window[2]);
  Expression next = unsignedTo(128, m) * unsignedTo(128, window[1]) + (low >> 64);
  Expression top = m * window[0] + unsignedTo(64, next >> 64);
  Expression middle = unsignedTo(64, next), bottom = unsignedTo(64, low);

  // Round to the nearest quadrant. The remainder is signed.
  Expression quadrant = (top + (int64_t(1) << 61)) >> 62;
  Expression fraction = top - (quadrant << 62);
  Expression sign = shiftRightSigned(fraction, 63);
  Expression upper = join(fraction ^ sign, middle ^ sign);
  Expression lower = unsignedTo(128, bottom ^ sign) << 64;
  Expression zeros = upper.apply<mlir::math::CountLeadingZerosOp>();
  Expression digits = funnel(upper, lower, zeros);

  // Two floats with 53 of its digits each, in units of a quadrant, with the sign of the result.
  Expression negative = shiftRightSigned(pattern, 63);
  Expression resultSign = (sign ^ negative) & std::numeric_limits<int64_t>::min();
  Expression unit = asFloat(((972 - unsignedTo(64, zeros)) << 52) | resultSign);
  auto toFloat = [&](const Expression &integer) {
    return integer.convert<arith::SIToFPOp>(x.type());
  };
  Expression high = toFloat(unsignedTo(64, digits >> 75)) * unit;
  Expression rest = toFloat(unsignedTo(64, digits >> 22) & 0x1FFFFFFFFFFFFF) * (unit * 0x1p-53);

  constexpr double halfPi[] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
  Expression angle = high * halfPi[0];
  Expression error = productError(high, high.constant(halfPi[0]), angle);
  error = error + multiplyAdd(high, halfPi[1], rest * halfPi[0]);
  Pair sum = exactSum(angle, error);
  Expression ofInfinity = x - x; // NaN for an infinite x, otherwise zero
  return {sum.high + ofInfinity, sum.low, (quadrant ^ negative) - negative};
}
