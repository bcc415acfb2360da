// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Instructions.h.

#include "tilewright/elementwise/Instructions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright::elementwise;
using mlir::Value;

static Value intConstant(const Emitter &at, unsigned bits, int64_t value) {
  auto type = at.builder.getIntegerType(bits);
  return mlir::LLVM::ConstantOp::create(at.builder, at.loc, at.builder.getIntegerAttr(type, value));
}

static int64_t bitsOfVector(const Expression &like) {
  auto vector = llvm::dyn_cast<mlir::VectorType>(like.type());
  return vector ? vector.getNumElements() * like.width() : 0;
}

bool tilewright::elementwise::hasVectorInstructions(const Expression &like) {
  int64_t bits = bitsOfVector(like);
  return like.place().capabilities.hasAvx512Floats && (bits == 128 || bits == 256 || bits == 512);
}

std::optional<Expression> tilewright::elementwise::vectorInstruction(
    llvm::StringRef name, llvm::ArrayRef<Expression> operands, std::optional<int32_t> immediate) {
  const Expression &like = operands.front();
  const Emitter &at = like.place();
  if (!hasVectorInstructions(like))
    return std::nullopt;
  int64_t size = bitsOfVector(like), lanes = size / like.width();
  llvm::SmallVector<Value> in(operands.begin(), operands.end());
  if (immediate)
    in.push_back(intConstant(at, 32, *immediate));
  in.push_back(like);                                             // of no lane
  in.push_back(intConstant(at, std::max<int64_t>(lanes, 8), -1)); // all lanes
  if (size == 512)
    in.push_back(intConstant(at, 32, 4)); // rounding as the environment says
  std::string intrinsic = llvm::formatv("llvm.x86.avx512.mask.{0}.{1}.{2}", name,
                                        like.width() == 64 ? "pd" : "ps", size)
                              .str();
  auto call = mlir::LLVM::CallIntrinsicOp::create(at.builder, at.loc, like.type(),
                                                  at.builder.getStringAttr(intrinsic), in);
  return Expression(at, call.getResult(0));
}
