// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowLoops.h.

#include "tilewright/cpu/emit/RowLoops.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Value;

SmallVector<mlir::Type> cpu::typesOfHeld(const RowLoop &rows) {
  SmallVector<mlir::Type> types;
  int64_t width = rows.loop().width;
  for (const RowLoop::Tile &tile : rows.tiles) {
    mlir::Type type = elementwise::registerType(tileTypeOf(tile.carried).getElementType());
    if (width > 1)
      type = mlir::VectorType::get({width}, type);
    types.append(rows.rows * rows.vectorsPerRow(), type);
  }
  return types;
}

SmallVector<Position> cpu::positionsOfHeld(LoopBuilder &b, const RowLoop &rows, Value firstRow) {
  SmallVector<Position> positions;
  for (int64_t row = 0; row < rows.rows; ++row)
    for (int64_t vector = 0; vector < rows.vectorsPerRow(); ++vector) {
      Position &position = positions.emplace_back();
      position.at.assign(rows.group->domain.size(), b.i64(0));
      if (rows.dim >= 0)
        position.at[rows.dim] = b.add(firstRow, b.i64(row));
      position.lanes = rows.group->innerDim;
      position.width = rows.loop().width;
      position.at[position.lanes] = b.i64(vector * position.width);
    }
  return positions;
}

SmallVector<Value> cpu::loadHeld(LoopBuilder &b, Buffers &buffers, const RowLoop &rows,
                                 Value firstRow) {
  SmallVector<Value> held;
  for (const RowLoop::Tile &tile : rows.tiles)
    for (const Position &position : positionsOfHeld(b, rows, firstRow))
      held.push_back(buffers.read(tile.carried, position));
  return held;
}

void cpu::storeHeld(LoopBuilder &b, Buffers &buffers, const RowLoop &rows, Value firstRow,
                    mlir::ValueRange held) {
  size_t next = 0;
  for (const RowLoop::Tile &tile : rows.tiles)
    for (const Position &position : positionsOfHeld(b, rows, firstRow))
      buffers.writeTile(tile.carried, position, held[next++]);
}
