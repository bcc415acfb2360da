// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Instructions.h.

#include "tilewright/elementwise/Instructions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright::elementwise;
using mlir::Value;

static Value intConstant(const Emitter &at, unsigned bits, int64_t value) {
  auto type = at.builder.getIntegerType(bits);
  return mlir::LLVM::ConstantOp::create(at.builder, at.loc, at.builder.getIntegerAttr(type, value));
}

/// The width of the widest register.
static constexpr int64_t mostBits = 512;

static int64_t bitsOfVector(const Expression &like) {
  auto vector = llvm::dyn_cast<mlir::VectorType>(like.type());
  return vector ? vector.getNumElements() * like.width() : 0;
}

bool tilewright::elementwise::hasVectorInstructions(const Expression &like) {
  int64_t bits = bitsOfVector(like);
  bool fills = bits == 128 || bits == 256 || (bits > 0 && bits % mostBits == 0);
  return like.place().capabilities.hasAvx512Floats && fills;
}

/// The lower or upper half of a vector's lanes.
static Expression halfOf(const Expression &vector, bool upper) {
  const Emitter &at = vector.place();
  int64_t half = llvm::cast<mlir::VectorType>(vector.type()).getNumElements() / 2;
  return {at, mlir::vector::ExtractStridedSliceOp::create(at.builder, at.loc, vector,
                                                          upper ? half : 0, half, 1)};
}

static Expression joined(const Expression &low, const Expression &high) {
  const Emitter &at = low.place();
  int64_t lanes = 2 * llvm::cast<mlir::VectorType>(low.type()).getNumElements();
  return {at, mlir::vector::ShuffleOp::create(at.builder, at.loc, low, high,
                                              llvm::to_vector(llvm::seq(lanes)))};
}

std::optional<Expression> tilewright::elementwise::vectorInstruction(
    llvm::StringRef name, llvm::ArrayRef<Expression> operands, std::optional<int32_t> immediate) {
  const Expression &like = operands.front();
  const Emitter &at = like.place();
  if (!hasVectorInstructions(like))
    return std::nullopt;
  int64_t size = bitsOfVector(like), lanes = size / like.width();
  if (size > mostBits) {
    auto half = [&](bool upper) {
      llvm::SmallVector<Expression> halves;
      for (const Expression &operand : operands)
        halves.push_back(halfOf(operand, upper));
      return *vectorInstruction(name, halves, immediate);
    };
    Expression low = half(false);
    return joined(low, half(true));
  }
  llvm::SmallVector<Value> in(operands.begin(), operands.end());
  if (immediate)
    in.push_back(intConstant(at, 32, *immediate));
  in.push_back(like); // source of masked-off lanes; there are none
  in.push_back(intConstant(at, std::max<int64_t>(lanes, 8), -1)); // mask of all lanes
  if (size == 512)
    in.push_back(intConstant(at, 32, 4)); // current rounding mode
  std::string intrinsic = llvm::formatv("llvm.x86.avx512.mask.{0}.{1}.{2}", name,
                                        like.width() == 64 ? "pd" : "ps", size)
                              .str();
  auto call = mlir::LLVM::CallIntrinsicOp::create(at.builder, at.loc, like.type(),
                                                  at.builder.getStringAttr(intrinsic), in);
  return Expression(at, call.getResult(0));
}

/// Rounds a vector that fills one register.
static Bf16Rounding roundRegister(const Expression &single) {
  constexpr int64_t quietNan = 0x01, subnormal = 0x20, signalingNan = 0x80;
  const Emitter &at = single.place();
  auto call = [&](llvm::StringRef name, mlir::Type result, mlir::ValueRange operands) {
    std::string full = llvm::formatv("llvm.x86.avx512{0}.{1}", name, bitsOfVector(single));
    return Expression(at, mlir::LLVM::CallIntrinsicOp::create(
                              at.builder, at.loc, result, at.builder.getStringAttr(full), operands)
                              .getResult(0));
  };
  Expression rounded =
      call("bf16.cvtneps2bf16", single.shaped(at.builder.getBF16Type()), mlir::Value(single));
  Expression isOther = call(".fpclass.ps", single.intType(1),
                            {single, intConstant(at, 32, quietNan | subnormal | signalingNan)});
  return {rounded.convert<mlir::arith::BitcastOp>(single.intType(16)), anyLane(isOther)};
}

std::optional<Bf16Rounding> tilewright::elementwise::bf16Rounding(const Expression &single) {
  const Emitter &at = single.place();
  const int64_t size = bitsOfVector(single);
  if (!at.capabilities.hasAvx512Bf16 || !hasVectorInstructions(single) || size < mostBits / 2)
    return std::nullopt;
  if (size <= mostBits)
    return roundRegister(single);
  Bf16Rounding low = *bf16Rounding(halfOf(single, false)),
               high = *bf16Rounding(halfOf(single, true));
  Value any = mlir::arith::OrIOp::create(at.builder, at.loc, low.hasOthers, high.hasOthers);
  return Bf16Rounding{joined(low.patterns, high.patterns), any};
}
