// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FusedLoads.h.

#include "tilewright/cpu/emit/FusedLoads.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace LLVM = mlir::LLVM;

TileRegions FusedLoads::locate(const TileLoads &tile) {
  TileRegions located;
  for (mlir::Operation *load : tile.loads)
    located[load] = views.regionOf(llvm::cast<tile::LoadViewOp>(load));
  return located;
}

void FusedLoads::forEachLocated(const TileLoads &tile, const TileRegions &located,
                                llvm::function_ref<void()> body, bool areElsewhere) {
  auto version = [&](bool areContiguousInBounds) {
    ValueCache::FreshScope fresh(cache);
    auto loads = scope(located, areContiguousInBounds);
    body();
  };
  if (tile.rows != Rows::Tested)
    return version(tile.rows == Rows::Contiguous);
  if (areElsewhere)
    return version(false);
  Value condition = views.areContiguousInBounds(located);
  b.branch(condition, [&] { version(true); }, [&] { version(false); });
}

Value FusedLoads::read(tile::LoadViewOp load, const Position &position) {
  const auto found = current.regions.find(load);
  assert(found != current.regions.end() && "the load has not been located");
  const TileRegion &region = found->second;
  bool isAlongRow = position.width == 1 || position.lanes == lastWideDimension(region.shape);
  Lanes lanes = !isAlongRow                     ? Lanes::Gathered
                : current.areContiguousInBounds ? Lanes::Contiguous
                                                : region.access->outside;
  Value padding = views.paddingOf(load.getView().getType());
  return memory.read(views.addressesAt(region, position, lanes), region.elementType,
                     padding ? b.splat(padding, position.width) : Value(), position.width,
                     LLVM::AtomicOrdering::not_atomic);
}
