// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arithmetic.h. This file emits the operations that are not arithmetic: selections and
// addresses.

#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/elementwise/ArithmeticParts.h"

using namespace tilewright;
using namespace tilewright::elementwise;

/// The base plus the signed index times the size of the pointee. 4-bit elements are addressed in
/// pairs; an odd index is undefined (operations, 4.9).
static Expression emitOffset(tile::OffsetOp op, Operands in) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  unsigned bits = numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits;
  Expression index = signedTo(64, in[1]);
  if (bits >= 8)
    return in[0] + index * (bits / 8);
  return in[0] + index.apply<mlir::arith::ShRSIOp>(index.constant(1));
}

static constexpr Cases cases{
    [](tile::SelectOp, Operands in) { return select(in[0], in[1], in[2]); },
    [](tile::OffsetOp offset, Operands in) { return emitOffset(offset, in); },
};

using CoreOperations = Chapter<
#define GET_OP_LIST
#include "tilewright/tile/ops/Core.cpp.inc"
    >;

static std::optional<Expression> emitCore(mlir::Operation *op, Operands in) {
  return CoreOperations::emit(op, in, cases);
}

// The other chapters of the dialect have no elementwise operations.
static_assert(Chapter<
#define GET_OP_LIST
#include "tilewright/tile/ops/ControlFlow.cpp.inc"
              ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Matrix.cpp.inc"
              ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Memory.cpp.inc"
              ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Module.cpp.inc"
              ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Views.cpp.inc"
              >::isComplete<Cases<>>);

mlir::Value elementwise::emitElementwise(mlir::OpBuilder &builder, const Capabilities &capabilities,
                                         mlir::Operation *op, mlir::ValueRange in) {
  Emitter emitter{builder, op->getLoc(), capabilities};
  llvm::SmallVector<Expression> operands;
  for (mlir::Value value : in)
    operands.push_back({emitter, value});
  for (auto chapter : {emitInteger, emitFloat, emitConversion, emitCore})
    if (std::optional<Expression> result = chapter(op, operands))
      return *result;
  llvm_unreachable("every chapter has code for its operations");
}
