// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A summed dimension consists of `subgroups x (batches * outers) x threads x elements`, from the
// most significant digit; a thread sums along the second and the last by itself.

#include "tilewright/layout/distribute/IterationSpace.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace tilewright::layout;

static unsigned positionOf(AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); }

static bool isSpread(const Dim &dim) { return dim.subgroups > 1 || dim.threads > 1; }

/// The distribution of each dimension of the iteration space, from the operands.
static SmallVector<Dim, 4> dimsOfSpace(ArrayRef<AffineMap> maps, const Layout &lhs,
                                       const Layout &rhs) {
  SmallVector<Dim, 4> dims(maps[0].getNumDims());
  for (auto [layout, map] : {std::pair(&lhs, maps[0]), std::pair(&rhs, maps[1])})
    for (auto [dim, expr] : llvm::zip_equal(layout->dims(), map.getResults()))
      dims[positionOf(expr)] = dim;
  return dims;
}

/// Omits shared parts that have one element.
static SmallVector<Dim, 4> partsOf(const Dim &dim) {
  SmallVector<Dim, 4> parts;
  if (dim.subgroups > 1)
    parts.push_back({.subgroups = dim.subgroups, .subgroupStride = dim.subgroupStride});
  if (dim.threads == 1) {
    parts.push_back({.batches = dim.batches, .outers = dim.outers, .elements = dim.elements});
    return parts;
  }
  parts.push_back({.batches = dim.batches, .outers = dim.outers});
  parts.push_back({.threads = dim.threads, .threadStride = dim.threadStride});
  parts.push_back({.elements = dim.elements});
  return parts;
}

IterationSpace::IterationSpace(vector::ContractionOp contraction, const Layout &lhs,
                               const Layout &rhs)
    : context(contraction.getContext()), oldMaps(contraction.getIndexingMapsArray()) {
  for (auto [dim, type] :
       llvm::zip_equal(dimsOfSpace(oldMaps, lhs, rhs), contraction.getIteratorTypesArray())) {
    bool summed = type == vector::IteratorType::reduction;
    firstOf.push_back(dims.size());
    parts.push_back(summed ? partsOf(dim) : SmallVector<Dim, 4>{dim});
    for (const Dim &part : parts.back()) {
      bool isShared = summed && isSpread(part);
      if (isShared)
        shared.push_back(dims.size());
      dims.push_back(part);
      types.push_back(isShared ? vector::IteratorType::parallel : type);
    }
  }
}

SmallVector<SmallVector<Dim, 4>> IterationSpace::partsAlong(AffineMap map) const {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return parts[positionOf(expr)]; });
}

SmallVector<Dim, 4> IterationSpace::dimsOfPartial() const {
  SmallVector<Dim, 4> partial;
  for (ArrayRef<Dim> ofOne : partsAlong(oldMaps[2]))
    llvm::append_range(partial, ofOne);
  for (unsigned dim : shared)
    partial.push_back(dims[dim]);
  return partial;
}

SmallVector<bool> IterationSpace::sharedInPartial() const {
  SmallVector<bool> flags(oldMaps[2].getNumResults(), false);
  flags.append(shared.size(), true);
  return flags;
}

AffineMap IterationSpace::mapOf(AffineMap old, ArrayRef<unsigned> more) const {
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : old.getResults())
    for (size_t part = 0; part < parts[positionOf(expr)].size(); ++part)
      results.push_back(getAffineDimExpr(firstOf[positionOf(expr)] + part, context));
  for (unsigned dim : more)
    results.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(dims.size(), 0, results, context);
}

ArrayAttr IterationSpace::indexingMaps() const {
  return Builder(context).getAffineMapArrayAttr(
      {mapOf(oldMaps[0], {}), mapOf(oldMaps[1], {}), mapOf(oldMaps[2], shared)});
}

ArrayAttr IterationSpace::iteratorTypes() const {
  auto attrs = llvm::map_to_vector(types, [&](vector::IteratorType type) -> Attribute {
    return vector::IteratorTypeAttr::get(context, type);
  });
  return ArrayAttr::get(context, attrs);
}
