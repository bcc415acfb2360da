// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arithmetic.h. Here is what is no arithmetic: choices and addresses.

#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/elementwise/ArithmeticParts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::elementwise;

/// The base plus the signed index times the bytes of the pointee. Elements of four bits are
/// addressed in pairs; an odd index is undefined (operations, 4.9).
static Expression emitOffset(tile::OffsetOp op, Operands in) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  unsigned bits = numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits;
  Expression index = signedTo(64, in[1]);
  if (bits >= 8)
    return in[0] + index * (bits / 8);
  return in[0] + index.apply<mlir::arith::ShRSIOp>(index.constant(1));
}

static std::optional<Expression> emitOther(mlir::Operation *op, Operands in) {
  return llvm::TypeSwitch<mlir::Operation *, std::optional<Expression>>(op)
      .Case([&](tile::SelectOp) { return select(in[0], in[1], in[2]); })
      .Case([&](tile::OffsetOp offset) { return emitOffset(offset, in); })
      .Default(std::nullopt);
}

mlir::Value elementwise::emitElementwise(mlir::OpBuilder &builder, const Capabilities &capabilities,
                                         mlir::Operation *op, mlir::ValueRange in) {
  Emitter emitter{builder, op->getLoc(), capabilities};
  llvm::SmallVector<Expression> operands;
  for (mlir::Value value : in)
    operands.push_back({emitter, value});
  for (auto chapter : {emitInteger, emitFloat, emitFunction, emitConversion, emitOther})
    if (std::optional<Expression> result = chapter(op, operands))
      return *result;
  llvm_unreachable("an elementwise operation that no chapter knows");
}
