// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers `transfer_gather` to the vector dialect (layouts, 2.6), one row of the vector after the
// other, along its last dimension. If no index changes along a row, the row is contiguous in memory
// and becomes a transfer_read at the position that the indices give. If only the index along the
// innermost dimension of memory changes, the row becomes a vector.gather. All other rows are read
// element by element.

#include "tilewright/layout/Passes.h"
#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/dialect/Ops.h"
#include "tilewright/layout/distribute/Distribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::layout {
#define GEN_PASS_DEF_LOWERGATHERS
#include "tilewright/layout/Passes.h.inc"
} // namespace tilewright::layout

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// The state of lowering one gather.
class Gather {
public:
  explicit Gather(TransferGatherOp op)
      : op(op), builder(op), loc(op.getLoc()), type(op.getVectorType()), rank(type.getRank()),
        permutation(op.getPermutationMap()), maps(op.getIndexedMapValues()),
        gathered(op.getGatheredDims()), dimOf(permutation.getNumDims()) {
    for (auto [dim, expr] : llvm::enumerate(permutation.getResults()))
      if (auto source = dyn_cast<AffineDimExpr>(expr))
        dimOf[source.getPosition()] = dim;
  }

  void lower();

private:
  bool changesAlongRow(size_t number) const;
  bool goesAlongGathered();
  bool isTogether();
  bool isVectorGather();
  Value read(ArrayRef<int64_t> at, bool wholeRow);
  Value gatherRow(ArrayRef<int64_t> at);
  Value index(size_t number, ArrayRef<int64_t> at);
  SmallVector<Value> indicesAt(ArrayRef<int64_t> at);
  Value maskAt(ArrayRef<int64_t> at, bool wholeRow);
  Value inBounds(Value index, unsigned sourceDim);
  int64_t rowLength() const { return type.getShape().back(); }

  TransferGatherOp op;
  OpBuilder builder;
  Location loc;
  VectorType type;
  int64_t rank;
  AffineMap permutation;
  SmallVector<AffineMap> maps;                ///< of the index vectors, from the slice
  SmallVector<unsigned> gathered;             ///< the source dimensions of the index vectors
  SmallVector<std::optional<unsigned>> dimOf; ///< the vector dimension for each source dimension
};

} // namespace

/// Whether an index differs between the elements of a row.
bool Gather::changesAlongRow(size_t number) const {
  return llvm::any_of(maps[number].getResults(), [&](AffineExpr expr) {
    auto slice = dyn_cast<AffineDimExpr>(expr);
    return slice && dimOf[slice.getPosition()] == rank - 1;
  });
}

/// Whether no index changes along a row, so that it is contiguous in memory or one repeated
/// element.
bool Gather::isTogether() {
  for (size_t number = 0; number < maps.size(); ++number)
    if (changesAlongRow(number))
      return false;
  return !goesAlongGathered();
}

/// Whether the dimension of memory along a row is gathered: then an element's position in the row
/// does not determine its place in memory.
bool Gather::goesAlongGathered() {
  auto along = dyn_cast<AffineDimExpr>(permutation.getResults().back());
  return along && op.isGathered(along.getPosition());
}

/// Whether only the innermost index changes, and the row is not along another dimension.
bool Gather::isVectorGather() {
  unsigned innermost = permutation.getNumDims() - 1;
  for (size_t number = 0; number < maps.size(); ++number)
    if (changesAlongRow(number) && gathered[number] != innermost)
      return false;
  return op.isGathered(innermost) &&
         (goesAlongGathered() || !isa<AffineDimExpr>(permutation.getResults().back()));
}

/// The entry of an index vector for an element of the result.
Value Gather::index(size_t number, ArrayRef<int64_t> at) {
  SmallVector<int64_t> place;
  for (AffineExpr expr : maps[number].getResults()) {
    auto slice = dyn_cast<AffineDimExpr>(expr);
    std::optional<unsigned> dim = slice ? dimOf[slice.getPosition()] : std::nullopt;
    place.push_back(dim ? at[*dim] : 0);
  }
  return vector::ExtractOp::create(builder, loc, op.getIndexVecs()[number], place);
}

static Value plus(OpBuilder &builder, Location loc, Value value, int64_t constant) {
  if (constant == 0)
    return value;
  Value offset = arith::ConstantIndexOp::create(builder, loc, constant);
  return arith::AddIOp::create(builder, loc, value, offset);
}

/// The memory indices of an element of the result.
SmallVector<Value> Gather::indicesAt(ArrayRef<int64_t> at) {
  SmallVector<Value> indices(op.getIndices());
  for (auto [dim, index] : llvm::enumerate(indices))
    if (!op.isGathered(dim) && dimOf[dim])
      index = plus(builder, loc, index, at[*dimOf[dim]]);
  for (auto [number, dim] : llvm::enumerate(gathered))
    indices[dim] = arith::AddIOp::create(builder, loc, indices[dim], index(number, at));
  return indices;
}

/// The mask of a row, or of one element, in the dimension order of the memory.
Value Gather::maskAt(ArrayRef<int64_t> at, bool wholeRow) {
  if (!op.getMask())
    return {};
  SmallVector<int64_t> offsets, sizes;
  for (std::optional<unsigned> dim : dimOf) {
    if (!dim)
      continue;
    bool along = wholeRow && *dim == rank - 1;
    offsets.push_back(along ? 0 : at[*dim]);
    sizes.push_back(along ? rowLength() : 1);
  }
  return vector::ExtractStridedSliceOp::create(builder, loc, op.getMask(), offsets, sizes,
                                               SmallVector<int64_t>(sizes.size(), 1));
}

/// Reads a row, or one of its elements, by a transfer_read with the rank of the result.
Value Gather::read(ArrayRef<int64_t> at, bool wholeRow) {
  SmallVector<int64_t> shape(rank, 1);
  if (wholeRow)
    shape.back() = rowLength();
  return vector::TransferReadOp::create(
      builder, loc, VectorType::get(shape, type.getElementType()), op.getSource(), indicesAt(at),
      op.getPermutationMapAttr(), op.getPadding(), maskAt(at, wholeRow), op.getInBoundsAttr());
}

Value Gather::inBounds(Value index, unsigned sourceDim) {
  Value size = memref::DimOp::create(builder, loc, op.getSource(), sourceDim);
  if (auto vector = dyn_cast<VectorType>(index.getType()))
    size = vector::BroadcastOp::create(builder, loc, vector, size);
  // Negative indices are large as unsigned numbers.
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, size);
}

/// Reads a row whose elements are anywhere along the innermost dimension of memory.
Value Gather::gatherRow(ArrayRef<int64_t> at) {
  unsigned innermost = permutation.getNumDims() - 1;
  auto rowType = VectorType::get(rowLength(), type.getElementType());
  auto maskType = rowType.clone(builder.getI1Type());
  auto repeated = [&](Value value, VectorType as) -> Value {
    return vector::BroadcastOp::create(builder, loc, as, value);
  };
  SmallVector<Value> indices = indicesAt(at);
  // The index vector contains the whole innermost index.
  SmallVector<Value> ofRow;
  SmallVector<int64_t> element(at);
  size_t number = llvm::find(gathered, innermost) - gathered.begin();
  for (element.back() = 0; element.back() < rowLength(); ++element.back())
    ofRow.push_back(index(number, element));
  auto indexType = VectorType::get(rowLength(), builder.getIndexType());
  Value row = vector::FromElementsOp::create(builder, loc, indexType, ofRow);
  row = arith::AddIOp::create(builder, loc, row, repeated(op.getIndices()[innermost], indexType));
  indices[innermost] = arith::ConstantIndexOp::create(builder, loc, 0);

  Value mask = maskAt(at, /*wholeRow=*/true);
  if (mask)
    mask = vector::ShapeCastOp::create(builder, loc, maskType, mask);
  auto require = [&](Value condition) {
    mask = mask ? arith::AndIOp::create(builder, loc, mask, condition).getResult() : condition;
  };
  for (auto [dim, ofVector] : llvm::enumerate(dimOf)) {
    if (!ofVector || cast<BoolAttr>(op.getInBounds()[*ofVector]).getValue())
      continue;
    if (dim == innermost)
      require(inBounds(row, dim));
    else
      require(repeated(inBounds(indices[dim], dim), maskType));
  }
  if (!mask)
    mask = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(maskType, true));
  // Other dimensions may be out of bounds, but then nothing is read.
  return vector::GatherOp::create(builder, loc, rowType, op.getSource(), indices, row, mask,
                                  repeated(op.getPadding(), rowType));
}

void Gather::lower() {
  if (rank == 0) { // no dimension to iterate over
    Value found = vector::TransferReadOp::create(builder, loc, type, op.getSource(), indicesAt({}),
                                                 op.getPermutationMapAttr(), op.getPadding(),
                                                 Value(), op.getInBoundsAttr());
    op.replaceAllUsesWith(found);
    return op.erase();
  }
  bool together = isTogether(), asGather = !together && isVectorGather();

  Value result = ub::PoisonOp::create(builder, loc, type);
  SmallVector<int64_t> ones(rank, 1);
  Numbers places(type.getShape());
  if (together || asGather)
    places.back() = 1;
  forEachElement(places, [&](ArrayRef<int64_t> at) {
    if (asGather) {
      result = rank == 1
                   ? gatherRow(at)
                   : vector::InsertOp::create(builder, loc, gatherRow(at), result, at.drop_back());
      return;
    }
    result =
        vector::InsertStridedSliceOp::create(builder, loc, read(at, together), result, at, ones);
  });
  op.replaceAllUsesWith(result);
  op.erase();
}

void layout::lowerGathers(Operation *root) {
  root->walk([](TransferGatherOp op) {
    // Tensors are lowered after bufferization.
    if (isa<MemRefType>(op.getSource().getType()))
      Gather(op).lower();
  });
}

namespace {
struct LowerGathersPass : tilewright::layout::impl::LowerGathersBase<LowerGathersPass> {
  using LowerGathersBase::LowerGathersBase;
  void runOnOperation() override { lowerGathers(getOperation()); }
};
} // namespace
