// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes transfers. A thread reads and writes its tiles, one for each batch and outer index.
// The elements of a tile are contiguous in memory, as many along each dimension as the layout
// defines (layouts, 3.6.3, 3.6.4, 3.6.14). A tile's start follows from the position of the thread
// and the number of the tile, both along the dimensions of the vector that the permutation map
// selects.

#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/distribute/DistributionRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

// --- Tiles ----------------------------------------------------------------------------

namespace {

/// A tile of a vector: its batch and outer index along each dimension.
struct Tile {
  ArrayRef<int64_t> batches, outers;

  /// Its position within the thread's elements.
  SmallVector<int64_t> place() const {
    SmallVector<int64_t> all(batches);
    llvm::append_range(all, outers);
    return all;
  }
};

/// Computes where each tile starts along each dimension of memory. Indices that tiles share are
/// computed once.
class TileIndices {
public:
  /// `indices` is the start of the vector; `isTiled` tells for a dimension of memory whether the
  /// vector advances along it by position.
  TileIndices(ThreadFunction &thread, Location loc, NestedLayoutAttr attr, ValueRange indices,
              AffineMap permutation, llvm::function_ref<bool(unsigned)> isTiled)
      : thread(thread), loc(loc), attr(attr), layout(attr.getLayout()), origin(indices),
        dimOf(indices.size()) {
    for (auto [dim, expr] : llvm::enumerate(permutation.getResults()))
      if (auto source = dyn_cast<AffineDimExpr>(expr); source && isTiled(source.getPosition()))
        dimOf[source.getPosition()] = dim;
  }

  SmallVector<Value> of(const Tile &tile) {
    SmallVector<Value> indices(origin);
    for (auto [index, dim] : llvm::zip_equal(indices, dimOf))
      if (dim)
        index = startOf(index, *dim, tile);
    return indices;
  }

private:
  Value startOf(Value origin, unsigned dim, const Tile &tile);

  ThreadFunction &thread;
  Location loc;
  NestedLayoutAttr attr;
  Layout layout;
  SmallVector<Value> origin;
  SmallVector<std::optional<unsigned>> dimOf; ///< the vector dimension for each dimension of memory
  llvm::DenseMap<std::pair<unsigned, int64_t>, Value> known;
};

} // namespace

Value TileIndices::startOf(Value origin, unsigned dimNumber, const Tile &tile) {
  const Dim &dim = layout[dimNumber];
  int64_t start = indexOf(dim, {.batch = tile.batches[dimNumber], .outer = tile.outers[dimNumber]});
  Value &index = known[{dimNumber, start}];
  if (index)
    return index;
  // Values that depend only on the thread are computed once per function.
  if (std::optional<int64_t> constant = getConstantIntValue(origin))
    return index = thread.indexAt(attr, dimNumber, *constant + start);
  return index = linearSum(thread.builder, loc, 0,
                           {{origin, 1}, {thread.indexAt(attr, dimNumber, start), 1}});
}

/// Calls `body` for each tile, in the order of the thread's elements.
static void forEachTile(const Layout &layout, llvm::function_ref<void(const Tile &)> body) {
  Numbers shape = layout.each(&Dim::batches);
  llvm::append_range(shape, layout.each(&Dim::outers));
  forEachElement(shape, [&](ArrayRef<int64_t> at) {
    body({at.take_front(layout.rank()), at.drop_front(layout.rank())});
  });
}

static Value extractTile(OpBuilder &builder, Location loc, Value distributed,
                         ArrayRef<int64_t> place) {
  return place.empty() ? distributed
                       : Value(vector::ExtractOp::create(builder, loc, distributed, place));
}

/// Inserts a tile into the thread's elements.
static Value insertTile(OpBuilder &builder, Location loc, Value tile, Value distributed,
                        ArrayRef<int64_t> place) {
  return place.empty() ? tile
                       : Value(vector::InsertOp::create(builder, loc, tile, distributed, place));
}

/// The corresponding tile of a vector with other dimensions: each of them is a dimension of the
/// tiled vector, or has a single element.
static Tile along(const Tile &tile, ArrayRef<std::optional<unsigned>> dims,
                  SmallVectorImpl<int64_t> &batches, SmallVectorImpl<int64_t> &outers) {
  for (std::optional<unsigned> dim : dims) {
    batches.push_back(dim ? tile.batches[*dim] : 0);
    outers.push_back(dim ? tile.outers[*dim] : 0);
  }
  return {batches, outers};
}

static Value extractAlong(OpBuilder &builder, Location loc, Value distributed, const Tile &tile,
                          ArrayRef<std::optional<unsigned>> dims) {
  SmallVector<int64_t> batches, outers;
  return extractTile(builder, loc, distributed, along(tile, dims, batches, outers).place());
}

/// For each dimension of memory, the vector dimension along it, if any.
static SmallVector<std::optional<unsigned>> dimsAlong(AffineMap permutation) {
  SmallVector<std::optional<unsigned>> dims(permutation.getNumDims());
  for (auto [dim, expr] : llvm::enumerate(permutation.getResults()))
    if (auto source = dyn_cast<AffineDimExpr>(expr))
      dims[source.getPosition()] = dim;
  return dims;
}

/// A mask has those of these dimensions that the map names, in their order.
static SmallVector<std::optional<unsigned>> dimsOfMask(AffineMap permutation) {
  SmallVector<std::optional<unsigned>> dims = dimsAlong(permutation);
  llvm::erase(dims, std::nullopt);
  return dims;
}

// --- Reads and writes -----------------------------------------------------------------

/// Memory whose elements are vectors has a dimension that no layout covers. If the element types
/// differ, the layout does not describe the vector's place in memory.
static LogicalResult checkMemory(Operation *op, Type memory, VectorType vector, AffineMap map) {
  if (!isa<MemRefType>(memory))
    return op->emitOpError("can be distributed on memory only, not on ") << memory;
  if (map.getNumResults() != unsigned(vector.getRank()))
    return op->emitOpError("has elements that are vectors, which cannot be distributed");
  Type inMemory = getElementTypeOrSelf(memory);
  if (inMemory != vector.getElementType())
    return op->emitOpError("cannot be distributed: memory has elements ")
           << inMemory << ", the vector " << vector.getElementType();
  return success();
}

static bool always(unsigned) { return true; }

LogicalResult layout::distribute(vector::TransferReadOp read, ThreadFunction &thread) {
  AffineMap map = read.getPermutationMap();
  if (failed(checkMemory(read, read.getBase().getType(), read.getVectorType(), map)))
    return failure();
  OpBuilder &builder = thread.builder;
  Location loc = read.getLoc();
  NestedLayoutAttr attr = thread.attrOf(read.getVector());
  Layout layout = attr.getLayout();
  auto indices =
      llvm::map_to_vector(read.getIndices(), [&](Value v) { return thread.distributed(v); });
  TileIndices starts(thread, loc, attr, indices, map, always);
  SmallVector<std::optional<unsigned>> maskDims = dimsOfMask(map);
  auto tileType =
      VectorType::get(layout.each(&Dim::elements), read.getVectorType().getElementType());
  Value distributed = ub::PoisonOp::create(builder, loc, thread.typeOf(read.getVector()));
  forEachTile(layout, [&](const Tile &tile) {
    Value mask;
    if (read.getMask())
      mask = extractAlong(builder, loc, thread.distributed(read.getMask()), tile, maskDims);
    Value part = vector::TransferReadOp::create(
        builder, loc, tileType, thread.distributed(read.getBase()), starts.of(tile),
        read.getPermutationMapAttr(), thread.distributed(read.getPadding()), mask,
        read.getInBoundsAttr());
    distributed = insertTile(builder, loc, part, distributed, tile.place());
  });
  thread.setDistributed(read.getVector(), distributed);
  return success();
}

LogicalResult layout::distribute(vector::TransferWriteOp write, ThreadFunction &thread) {
  AffineMap map = write.getPermutationMap();
  if (failed(checkMemory(write, write.getBase().getType(), write.getVectorType(), map)))
    return failure();
  OpBuilder &builder = thread.builder;
  Location loc = write.getLoc();
  NestedLayoutAttr attr = thread.attrOf(write.getValueToStore());
  Layout layout = attr.getLayout();
  auto indices =
      llvm::map_to_vector(write.getIndices(), [&](Value v) { return thread.distributed(v); });
  SmallVector<std::optional<unsigned>> maskDims = dimsOfMask(map);
  Value distributed = thread.distributed(write.getValueToStore());

  // If there are several owners, the first one writes.
  OpBuilder::InsertionGuard guard(builder);
  if (Value first = thread.isFirstOwner(attr))
    builder.setInsertionPointToStart(
        &scf::IfOp::create(builder, loc, first).getThenRegion().front());
  TileIndices starts(thread, loc, attr, indices, map, always);
  forEachTile(layout, [&](const Tile &tile) {
    Value mask;
    if (write.getMask())
      mask = extractAlong(builder, loc, thread.distributed(write.getMask()), tile, maskDims);
    vector::TransferWriteOp::create(builder, loc,
                                    extractTile(builder, loc, distributed, tile.place()),
                                    thread.distributed(write.getBase()), starts.of(tile),
                                    write.getPermutationMapAttr(), mask, write.getInBoundsAttr());
  });
  return success();
}

// --- Gathers --------------------------------------------------------------------------

/// The same for the index vectors; their maps start from the slice, which has the dimensions of
/// memory.
static SmallVector<SmallVector<std::optional<unsigned>>> dimsOfIndices(TransferGatherOp gather) {
  SmallVector<std::optional<unsigned>> slice = dimsAlong(gather.getPermutationMap());
  SmallVector<SmallVector<std::optional<unsigned>>> all;
  for (AffineMap map : gather.getIndexedMapValues()) {
    all.emplace_back();
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      all.back().push_back(dim ? slice[dim.getPosition()] : std::nullopt);
    }
  }
  return all;
}

LogicalResult layout::distribute(TransferGatherOp gather, ThreadFunction &thread) {
  AffineMap map = gather.getPermutationMap();
  if (failed(checkMemory(gather, gather.getSource().getType(), gather.getVectorType(), map)))
    return failure();
  OpBuilder &builder = thread.builder;
  Location loc = gather.getLoc();
  NestedLayoutAttr attr = thread.attrOf(gather.getVector());
  Layout layout = attr.getLayout();
  auto indices =
      llvm::map_to_vector(gather.getIndices(), [&](Value v) { return thread.distributed(v); });
  // Along a gathered dimension, the index vector gives absolute positions.
  TileIndices starts(thread, loc, attr, indices, map,
                     [&](unsigned dim) { return !gather.isGathered(dim); });
  SmallVector<std::optional<unsigned>> maskDims = dimsOfMask(map);
  auto indexDims = dimsOfIndices(gather);
  auto tileType =
      VectorType::get(layout.each(&Dim::elements), gather.getVectorType().getElementType());
  Value distributed = ub::PoisonOp::create(builder, loc, thread.typeOf(gather.getVector()));
  forEachTile(layout, [&](const Tile &tile) {
    SmallVector<Value> indexVecs;
    for (auto [whole, dims] : llvm::zip_equal(gather.getIndexVecs(), indexDims))
      indexVecs.push_back(extractAlong(builder, loc, thread.distributed(whole), tile, dims));
    Value mask;
    if (gather.getMask())
      mask = extractAlong(builder, loc, thread.distributed(gather.getMask()), tile, maskDims);
    Value part = TransferGatherOp::create(
        builder, loc, tileType, thread.distributed(gather.getSource()), starts.of(tile), indexVecs,
        gather.getIndexedAttr(), gather.getIndexedMapsAttr(), gather.getPermutationMapAttr(),
        thread.distributed(gather.getPadding()), mask, gather.getInBoundsAttr());
    distributed = insertTile(builder, loc, part, distributed, tile.place());
  });
  thread.setDistributed(gather.getVector(), distributed);
  return success();
}
