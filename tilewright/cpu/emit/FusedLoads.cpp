// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FusedLoads.h.

#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/plan/Placement.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace LLVM = mlir::LLVM;

void FusedLoads::forEachVersion(Value tile, llvm::function_ref<void()> body) {
  current.clear();
  placements.forEachMaker(tile, [&](mlir::Operation *op) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(op);
    if (load && placements.of(load.getTile()) == Placement::Fused)
      current[op] = views.regionOf(load);
  });
  auto version = [&](bool areContiguousInBounds) {
    cache.clear();
    contiguous = areContiguousInBounds;
    body();
    cache.clear();
  };
  if (!mayBeContiguous(current))
    return version(false);
  if (Value condition = views.areContiguousInBounds(current))
    return b.branch(condition, [&] { version(true); }, [&] { version(false); });
  version(true);
}

Value FusedLoads::read(tile::LoadViewOp load, const Position &position) {
  const TileRegion &region = current.find(load)->second;
  bool areNeighbours = position.width == 1 || (position.lanes == lastWideDimension(region.shape) &&
                                               (contiguous || region.rowStride() == 1));
  Lanes lanes = !areNeighbours ? Lanes::Gathered
                : contiguous   ? Lanes::Contiguous
                               : Lanes::ContiguousMasked;
  Value padding = views.paddingOf(load.getView().getType());
  return memory.read(views.addressesAt(region, position, lanes), region.elementType,
                     padding ? b.splat(padding, position.width) : Value(), position.width,
                     LLVM::AtomicOrdering::not_atomic);
}
