// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scalars.h.

#include "tilewright/emit/Scalars.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/emit/IrBuilder.h"
#include "tilewright/tile/TileValues.h"

using namespace tilewright;
using emit::Scalars;
using llvm::SmallVector;
using mlir::Value;

static mlir::Type elementTypeOf(Value scalar) {
  return llvm::cast<tile::TileType>(scalar.getType()).getElementType();
}

SmallVector<Value> Scalars::among(mlir::ValueRange values) const {
  SmallVector<Value> result;
  for (Value value : llvm::make_filter_range(values, tile::isScalar)) {
    Value known = of(value);
    assert((known || slice) && "the function computes all scalars");
    result.push_back(known ? known : slice->constantElement(elementTypeOf(value), 0));
  }
  return result;
}

SmallVector<mlir::Type> Scalars::typesAmong(mlir::ValueRange values) {
  SmallVector<mlir::Type> result;
  for (Value value : llvm::make_filter_range(values, tile::isScalar))
    result.push_back(elementwise::registerType(elementTypeOf(value)));
  return result;
}

void Scalars::bind(mlir::ValueRange values, mlir::Block *block, unsigned first) {
  for (Value value : llvm::make_filter_range(values, tile::isScalar))
    define(value, block->getArgument(first++));
}
