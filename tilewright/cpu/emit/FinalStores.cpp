// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FinalStores.h.

#include "tilewright/cpu/emit/FinalStores.h"
#include "tilewright/cpu/plan/Plan.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;

LogicalResult FinalStores::open(tile::ForOp loop, Value runs) {
  for (mlir::Operation &op : *loop.body()) {
    auto matmul = plan.matmuls.find(&op);
    if (matmul == plan.matmuls.end() || !matmul->second.finalStore)
      continue;
    const FinalStore &found = *matmul->second.finalStore;
    for (mlir::Operation *needed : found.needs)
      if (llvm::failed(operations.emit(needed)))
        return llvm::failure();
    TileRegion region = views.regionOf(found.store);
    TileRegions alone;
    alone[found.store] = region;
    stores[&op] = {&found, region, b.conjunction(runs, views.areContiguousInBounds(alone))};
  }
  b.setPlace(loop.getLoc());
  return llvm::success();
}

const OpenStore *FinalStores::ofProduct(mlir::Operation *product) const {
  auto found = stores.find(product);
  return found == stores.end() ? nullptr : &found->second;
}

const OpenStore *FinalStores::ofStore(mlir::Operation *store) const {
  for (const auto &[product, open] : stores)
    if (open.plan->store == store)
      return &open;
  return nullptr;
}

/// The position in the stored tile for a position of the accumulators: the same coordinates along
/// the dimensions with more than one element.
Position FinalStores::placeInStore(const OpenStore &open, const Position &position) {
  SmallVector<Value> wide;
  int64_t lanes = -1;
  for (auto [dim, extent] : llvm::enumerate(tileTypeOf(open.plan->accumulated).getShape()))
    if (extent > 1) {
      lanes = int64_t(dim) == position.lanes ? wide.size() : lanes;
      wide.push_back(position.at[dim]);
    }
  Position place;
  place.width = position.width;
  int64_t next = 0;
  for (int64_t extent : open.region.shape) {
    if (extent > 1 && next == lanes)
      place.lanes = place.at.size();
    place.at.push_back(extent > 1 ? wide[next++] : b.i64(0));
  }
  return place;
}

bool FinalStores::storesSums(const OpenStore &open) const {
  tile::StoreViewOp store = open.plan->store;
  return store.getTile() == open.plan->accumulated;
}

Value FinalStores::addressOf(const OpenStore &open, const Position &position) {
  Position place = placeInStore(open, position);
  return views.addressesAt(open.region, place, Lanes::Contiguous).address;
}

void FinalStores::prefetch(const OpenStore &open, const Position &position) {
  hints.prefetchLine(addressOf(open, position), /*toWrite=*/true);
}

void FinalStores::store(const OpenStore &open, const Position &position, Value sum) {
  tile::StoreViewOp store = open.plan->store;
  Position place = placeInStore(open, position);
  ValueCache::Scope scope(cache);
  cache.insert(open.plan->accumulated, position, sum);
  memory.write(views.addressesAt(open.region, place, Lanes::Contiguous), open.region.elementType,
               evaluator.evaluate(store.getTile(), place));
}
