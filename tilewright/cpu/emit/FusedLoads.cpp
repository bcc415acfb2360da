// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FusedLoads.h.

#include "tilewright/cpu/emit/FusedLoads.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace LLVM = mlir::LLVM;

void FusedLoads::locate(const TileLoads &tile) {
  current.clear();
  for (mlir::Operation *load : tile.loads)
    current[load] = views.regionOf(llvm::cast<tile::LoadViewOp>(load));
}

void FusedLoads::forEachLocated(const TileLoads &tile, llvm::function_ref<void()> body,
                                bool areElsewhere) {
  auto version = [&](bool areContiguousInBounds) {
    cache.clear();
    contiguous = areContiguousInBounds;
    body();
    cache.clear();
  };
  if (tile.rows != Rows::Tested)
    return version(tile.rows == Rows::Contiguous);
  if (areElsewhere)
    return version(false);
  Value condition = views.areContiguousInBounds(current);
  b.branch(condition, [&] { version(true); }, [&] { version(false); });
}

Value FusedLoads::read(tile::LoadViewOp load, const Position &position) {
  const TileRegion &region = current.find(load)->second;
  bool isAlongRow = position.width == 1 || position.lanes == lastWideDimension(region.shape);
  Lanes lanes = !isAlongRow  ? Lanes::Gathered
                : contiguous ? Lanes::Contiguous
                             : region.access->outside;
  Value padding = views.paddingOf(load.getView().getType());
  return memory.read(views.addressesAt(region, position, lanes), region.elementType,
                     padding ? b.splat(padding, position.width) : Value(), position.width,
                     LLVM::AtomicOrdering::not_atomic);
}
