// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the stores by tensor maps (TensorStore): those of 16-bit tiles behind all products with
// operands in stages, because the tile takes the place of these stages in shared memory. Threads
// write pairs of adjacent elements there, which accumulators of matrix instructions are. With wider
// elements, a pair of rows would have bank conflicts, and as many instructions as stores by
// threads. Not yet beside accumulators in tensor memory.

#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;

static constexpr int64_t elementBytes = 2;

/// Whether the operation is executed once, after all products whose operands are in stages.
static bool isBehindProducts(const Plan &plan, Operation *op) {
  mlir::Block &body = tile::EntryOp(plan.entry).getBody().front();
  return op->getBlock() == &body && llvm::all_of(plan.staged, [&](const auto &entry) {
           return body.findAncestorOpInBlock(*entry.first)->isBeforeInBlock(op);
         });
}

/// Whether each thread has pairs of elements that are adjacent in rows.
static bool hasPairs(const Plan &plan, Value tile) {
  if (isRecomputed(tile) || plan.copied.contains(tile))
    return false;
  const TileLayout layout = plan.layoutOf(tile);
  return layout.isInRegisters() && !layout.isReplicated() && layout.width() > 1 &&
         layout.step() == 1 && (plan.ctas == 1 || isDividedAmongCtas(layout));
}

/// A CTA's part of the tile in shared memory: all rows, or those of a CTA. None if it is no matrix
/// with rows along its last dimension.
static std::optional<CopiedPart> partOfTile(const Plan &plan, tile::TileType type) {
  const auto shape = type.getShape();
  if (shape.empty())
    return std::nullopt;
  const size_t inRow = shape.size() - 1;
  std::optional<size_t> across = rowDimensionOf(shape, inRow);
  if (!across)
    return std::nullopt;
  return CopiedPart{SharedImage::inPanels(shape[*across] / plan.ctas, shape[inRow] * elementBytes)};
}

static bool canUseMap(const Plan &plan, tile::StoreViewOp store) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(store.getOperation());
  auto type = llvm::cast<tile::TileType>(store.getTile().getType());
  auto format = tile::formatOf(type.getElementType());
  return access.isWeak() && isBehindProducts(plan, store) && hasPairs(plan, store.getTile()) &&
         numerics::info(*format).storageBits == 8 * elementBytes &&
         plan.runDimensionOf(access) == int64_t(type.getShape().size()) - 1 &&
         !isMapForbidden(access, plan.target);
}

void nvidia::chooseTensorStores(Plan &plan, int64_t bytes) {
  Roles &roles = plan.roles;
  if (plan.tensor.isUsed())
    return;
  plan.entry.walk([&](tile::StoreViewOp store) {
    if (!canUseMap(plan, store))
      return;
    auto access = llvm::cast<tile::MemoryAccessOpInterface>(store.getOperation());
    auto part = partOfTile(plan, llvm::cast<tile::TileType>(store.getTile().getType()));
    if (!part || part->image.panels() * part->image.panelBytes() > bytes)
      return;
    MapOrReason made = mapFor(plan, access, *part);
    if (made.reason || !made.questions.empty() || !isMadeBefore(made.map, roles.start))
      return;
    auto behindLoads = llvm::ArrayRef(roles.maps).drop_front(roles.mapsOfLoads);
    const auto *found = llvm::find(behindLoads, made.map);
    const size_t number = roles.mapsOfLoads + (found - behindLoads.begin());
    if (number == roles.maps.size())
      roles.maps.push_back(made.map);
    roles.stores.insert({store, {number, made.rowDim, *part, /*offset=*/0}});
    plan.accessLayouts.erase(store);
  });
}
