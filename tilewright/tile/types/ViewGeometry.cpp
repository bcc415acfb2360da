// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/tile/types/ViewGeometry.h"

using namespace mlir;
using namespace tilewright::tile;

DimensionRule tilewright::tile::ruleOf(TileView view, unsigned tileDim) {
  if (auto partition = dyn_cast<PartitionViewType>(view))
    return {unsigned(partition.getDimMap()[tileDim]), partition.getTileShape()[tileDim]};
  if (auto strided = dyn_cast<StridedViewType>(view))
    return {unsigned(strided.getDimMap()[tileDim]), strided.getTraversalStrides()[tileDim]};
  // The indices of the other dimensions count elements, not tiles.
  return {tileDim, 1, cast<GatherScatterViewType>(view).getSparseDim() == tileDim};
}

SmallVector<DimensionRule, 4> tilewright::tile::rulesOf(TileView view) {
  SmallVector<DimensionRule, 4> rules;
  for (unsigned dim = 0, rank = view.getIndexRank(); dim < rank; ++dim)
    rules.push_back(ruleOf(view, dim));
  return rules;
}

bool tilewright::tile::mayBeContiguous(TileView view, unsigned tileDim) {
  DimensionRule rule = ruleOf(view, tileDim);
  int64_t stride = view.getTensorView().getStrides()[rule.tensorDim];
  return !rule.isSparse && (stride == 1 || ShapedType::isDynamic(stride));
}
