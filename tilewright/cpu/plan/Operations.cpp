// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Operations.h.

#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

int64_t cpu::bufferBytes(tile::TileType type) {
  return type.getNumElements() * elementwise::wordBytes(type.getElementType());
}

int64_t cpu::lastWideDimension(llvm::ArrayRef<int64_t> shape) {
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim)
    if (shape[dim] > 1)
      return dim;
  return -1;
}

bool cpu::canFuse(Operation *op) {
  return llvm::isa<tile::ElementwiseOpInterface, tile::RearrangementOpInterface, tile::IotaOp,
                   tile::AssumeOp>(op);
}

unsigned cpu::costOf(Operation *op) {
  assert(canFuse(op) && "other operations are not recomputed");
  auto elementwise = llvm::dyn_cast<tile::ElementwiseOpInterface>(op);
  return elementwise ? elementwise.getCost() : 0;
}
