// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Frame.h.

#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/cpu/plan/RowLoops.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Value;

static bool isScalar(Value value) {
  return llvm::isa<tile::TileType>(value.getType()) && !tileTypeOf(value);
}

SmallVector<Value> Frame::scalarsOf(mlir::ValueRange values) const {
  SmallVector<Value> result;
  for (Value value : values)
    if (isScalar(value))
      result.push_back(scalar(value));
  return result;
}

SmallVector<mlir::Type> Frame::registerTypesOf(mlir::ValueRange values) {
  SmallVector<mlir::Type> result;
  for (Value value : values)
    if (isScalar(value))
      result.push_back(
          elementwise::registerType(llvm::cast<tile::TileType>(value.getType()).getElementType()));
  return result;
}

void Frame::bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip) {
  for (Value value : values)
    if (isScalar(value))
      scalars[value] = block->getArgument(skip++);
}

LoopFrame *Frame::rowLoopOf(const FusionGroup &group) {
  bool isGroup = !loops.empty() && loops.back().rows && loops.back().rows->group == &group;
  return isGroup ? &loops.back() : nullptr;
}
