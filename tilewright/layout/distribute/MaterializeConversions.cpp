// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Materializes data movement between threads, on whole vectors. Layout conversions and shape casts
// that move elements become a write to shared memory and a read from it. Scans, reductions across
// subgroups, and contractions across threads are rewritten with such conversions (layouts, 3.4,
// 3.6.7, 3.6.9). Constants whose elements differ are read from memory, and results of atomics that
// one thread executes are shared through memory. Afterwards an operation needs only the elements of
// its own thread, or, for reductions, those of the lanes in its subgroup.

#include "tilewright/layout/algebra/Movement.h"
#include "tilewright/layout/algebra/Rearrange.h"
#include "tilewright/layout/dialect/Ops.h"
#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/layout/distribute/Divergence.h"
#include "tilewright/layout/distribute/Identity.h"
#include "tilewright/layout/distribute/IterationSpace.h"
#include "tilewright/layout/distribute/SharedBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

namespace {

class Mover {
public:
  Mover(func::FuncOp function, LayoutMap &layouts, Workgroup workgroup)
      : layouts(layouts), workgroup(workgroup), buffers(function, workgroup), divergence(function) {
  }

  LogicalResult move(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<ToLayoutOp, vector::ShapeCastOp, vector::MultiDimReductionOp, vector::ScanOp,
              vector::ContractionOp, arith::ConstantOp, memref::AtomicRMWOp,
              memref::GenericAtomicRMWOp>([&](auto found) { return moveFor(found); })
        .Default(success());
  }

private:
  LogicalResult moveFor(ToLayoutOp to);
  LogicalResult moveFor(vector::ShapeCastOp cast);
  LogicalResult moveFor(vector::MultiDimReductionOp reduction);
  LogicalResult moveFor(vector::ScanOp scan);
  LogicalResult moveFor(vector::ContractionOp contraction);
  LogicalResult moveFor(arith::ConstantOp constant);
  LogicalResult moveFor(memref::AtomicRMWOp atomic) { return shareResult(atomic); }
  LogicalResult moveFor(memref::GenericAtomicRMWOp atomic) { return shareResult(atomic); }
  LogicalResult shareResult(Operation *atomic);

  /// Converts the value to another layout, before the operation at the insertion point of
  /// `builder`.
  Value converted(OpBuilder &builder, Value value, NestedLayoutAttr to);
  Value throughMemory(OpBuilder &builder, Value value, NestedLayoutAttr to);
  /// Changes the layout in which the operation takes its initial value and computes its result;
  /// converts the result back to its old layout for its users.
  void computeIn(Operation *op, OpOperand &acc, NestedLayoutAttr layout);

  void reduceAcrossSubgroups(vector::MultiDimReductionOp reduction, const Layout &source);
  void contractAcrossThreads(vector::ContractionOp contraction, const IterationSpace &space);
  Value splitDims(OpBuilder &builder, Value value, ArrayRef<SmallVector<Dim, 4>> parts);

  NestedLayoutAttr layoutOf(Value value) const { return nestedLayoutOf(value, layouts); }
  bool sameOwners(NestedLayoutAttr a, NestedLayoutAttr b);
  template <typename OpTy> OpTy laidOut(OpTy op, const Layout &layout) {
    layouts[op->getResult(0)] = NestedLayoutAttr::get(op->getContext(), layout);
    return op;
  }

  LayoutMap &layouts;
  Workgroup workgroup;
  SharedBuffers buffers;
  Divergence divergence;
  llvm::DenseMap<std::pair<Attribute, Attribute>, bool> knownOwners;
};

} // namespace

// --- Conversions ----------------------------------------------------------------------

/// Caches the answer for each pair of layouts, because the test enumerates all threads.
bool Mover::sameOwners(NestedLayoutAttr a, NestedLayoutAttr b) {
  auto [known, fresh] = knownOwners.try_emplace({a, b});
  if (fresh)
    known->second = haveSameOwners(a.getLayout(), b.getLayout(), workgroup);
  return known->second;
}

Value Mover::throughMemory(OpBuilder &builder, Value value, NestedLayoutAttr to) {
  Value read = buffers.pass(builder, value, layoutOf(value), cast<VectorType>(value.getType()), to);
  layouts[read] = to;
  return read;
}

Value Mover::converted(OpBuilder &builder, Value value, NestedLayoutAttr to) {
  NestedLayoutAttr from = layoutOf(value);
  if (from == to)
    return value;
  if (!sameOwners(from, to))
    return throughMemory(builder, value, to);
  return laidOut(ToLayoutOp::create(builder, value.getLoc(), value, to), to.getLayout());
}

LogicalResult Mover::moveFor(ToLayoutOp to) {
  if (to.hasTensorSemantics())
    return to.emitOpError("of a tensor cannot be distributed: it has to be a vector by now");
  NestedLayoutAttr from = layoutOf(to.getInput());
  if (!from)
    return to.emitOpError("converts a vector without a layout: add another to_layout before it "
                          "that gives the vector one");
  OpBuilder builder(to);
  auto layout = cast<NestedLayoutAttr>(to.getLayout());
  if (to.getSharedMemoryConversion())
    to.replaceAllUsesWith(throughMemory(builder, to.getInput(), layout));
  else if (from == layout || !sameOwners(from, layout))
    to.replaceAllUsesWith(converted(builder, to.getInput(), layout));
  else
    return success(); // every thread only renumbers its registers
  to.erase();
  return success();
}

/// If the result's layout can be expressed in the shape of the source, converts the source to it;
/// nothing moves if both agree. Otherwise the elements go through shared memory.
LogicalResult Mover::moveFor(vector::ShapeCastOp cast) {
  NestedLayoutAttr source = layoutOf(cast.getSource()), result = layoutOf(cast.getResult());
  if (!source || !result)
    return success();
  OpBuilder builder(cast);
  if (VectorLayoutInterface required = result.reshape(cast.getSourceVectorType().getShape())) {
    if (required != source)
      cast.getSourceMutable().assign(
          converted(builder, cast.getSource(), mlir::cast<NestedLayoutAttr>(required)));
    return success();
  }
  Value read = buffers.pass(builder, cast.getSource(), source, cast.getResultVectorType(), result);
  layouts[read] = result;
  cast.replaceAllUsesWith(read);
  cast.erase();
  return success();
}

/// Replaces the existing uses of a value by a new value, which is computed from it.
static void replaceUses(Value value, llvm::function_ref<Value()> make) {
  auto uses = llvm::map_to_vector(value.getUses(), [](OpOperand &use) { return &use; });
  Value made = make();
  for (OpOperand *use : uses)
    use->set(made);
}

void Mover::computeIn(Operation *op, OpOperand &acc, NestedLayoutAttr layout) {
  Value result = op->getResult(0);
  NestedLayoutAttr seen = layoutOf(result);
  if (!isa<VectorType>(result.getType()) || seen == layout || !seen || !layoutOf(acc.get()))
    return; // values without layout are reported when the thread function is emitted
  OpBuilder builder(op);
  acc.set(converted(builder, acc.get(), layout));
  layouts[result] = layout;
  builder.setInsertionPointAfter(op);
  replaceUses(result, [&] { return converted(builder, result, seen); });
}

// --- Reductions -----------------------------------------------------------------------

/// Splits each dimension of the value into the dimensions that `parts` lists for it.
Value Mover::splitDims(OpBuilder &builder, Value value, ArrayRef<SmallVector<Dim, 4>> parts) {
  SmallVector<Dim, 4> dims;
  for (ArrayRef<Dim> ofOne : parts)
    dims.append(ofOne.begin(), ofOne.end());
  Layout layout(dims);
  auto type = cast<VectorType>(value.getType());
  if (undistributedShape(layout) == Numbers(type.getShape()))
    return value;
  return laidOut(vector::ShapeCastOp::create(
                     builder, value.getLoc(),
                     VectorType::get(undistributedShape(layout), type.getElementType()), value),
                 layout)
      .getResult();
}

namespace {

/// How to split a reduction across subgroups: each reduced dimension becomes a dimension over
/// subgroups, if there are several, and a dimension for the rest.
struct SubgroupSplit {
  SmallVector<SmallVector<Dim, 4>> parts; ///< for each dimension
  SmallVector<bool> within;     ///< for each part: whether it is reduced within a subgroup
  SmallVector<Dim, 4> partial;  ///< dimensions of a subgroup's partial result
  SmallVector<Dim, 4> gathered; ///< the same in the layout in which all threads read them
  SmallVector<bool> across;     ///< which of these are subgroups
};

} // namespace

static SubgroupSplit splitSubgroups(const Layout &source, ArrayRef<bool> reduced) {
  SubgroupSplit split;
  auto add = [&](const Dim &found, const Dim &read, bool isSubgroups) {
    split.parts.back().push_back(found);
    split.within.push_back(false);
    split.partial.push_back(found);
    split.gathered.push_back(read);
    split.across.push_back(isSubgroups);
  };
  for (auto [dim, isReduced] : llvm::zip_equal(source.dims(), reduced)) {
    split.parts.emplace_back();
    if (!isReduced) {
      add(dim, dim, false);
      continue;
    }
    if (dim.subgroups > 1)
      add({.subgroups = dim.subgroups, .subgroupStride = dim.subgroupStride},
          {.elements = dim.subgroups}, true);
    Dim rest = dim;
    rest.subgroups = 1;
    split.parts.back().push_back(rest);
    split.within.push_back(true);
  }
  return split;
}

/// Each subgroup reduces the elements that it holds; then all threads read the partial results of
/// the subgroups and reduce them.
void Mover::reduceAcrossSubgroups(vector::MultiDimReductionOp reduction, const Layout &source) {
  OpBuilder builder(reduction);
  Location loc = reduction.getLoc();
  vector::CombiningKind kind = reduction.getKind();
  SubgroupSplit split = splitSubgroups(source, reduction.getReductionMask());
  Layout partial(split.partial);

  Value parts = splitDims(builder, reduction.getSource(), split.parts);
  Value identity = identityValue(builder, loc, kind,
                                 VectorType::get(undistributedShape(partial),
                                                 reduction.getSourceVectorType().getElementType()));
  layouts[identity] = NestedLayoutAttr::get(loc.getContext(), partial);
  auto found = laidOut(
      vector::MultiDimReductionOp::create(builder, loc, parts, identity, split.within, kind),
      partial);
  Value all = throughMemory(builder, found.getDest(),
                            NestedLayoutAttr::get(loc.getContext(), Layout(split.gathered)));
  auto reduced = vector::MultiDimReductionOp::create(builder, loc, all, reduction.getAcc(),
                                                     split.across, kind);
  layouts[reduced.getDest()] = layoutOf(reduction.getDest());
  reduction.replaceAllUsesWith(reduced.getDest());
  reduction.erase();
}

LogicalResult Mover::moveFor(vector::MultiDimReductionOp reduction) {
  NestedLayoutAttr source = layoutOf(reduction.getSource());
  if (!source)
    return success(); // reported when the thread function is emitted
  SmallVector<bool> reduced = reduction.getReductionMask();
  computeIn(reduction, reduction.getAccMutable(), cast<NestedLayoutAttr>(source.project(reduced)));
  bool across = llvm::any_of(llvm::zip(source.getSubgroupTile(), reduced),
                             [](auto pair) { return std::get<0>(pair) > 1 && std::get<1>(pair); });
  if (across)
    reduceAcrossSubgroups(reduction, source.getLayout());
  return success();
}

// --- Scans ----------------------------------------------------------------------------

/// Scans sequentially: each thread first gets all elements along the scanned dimension, so threads
/// that held parts of the same row all scan the whole row.
LogicalResult Mover::moveFor(vector::ScanOp scan) {
  NestedLayoutAttr seen = layoutOf(scan.getSource());
  int64_t along = scan.getReductionDim();
  if (!seen || !layoutOf(scan.getInitialValue()))
    return success();
  SmallVector<Dim, 4> dims(seen.getLayout().dims());
  if (dims[along].subgroups == 1 && dims[along].threads == 1)
    return success();
  dims[along] = {.elements = dims[along].extent()};
  auto whole = NestedLayoutAttr::get(scan.getContext(), Layout(dims));
  dims.erase(dims.begin() + along);
  auto rest = NestedLayoutAttr::get(scan.getContext(), Layout(dims));

  OpBuilder builder(scan);
  auto together = vector::ScanOp::create(
      builder, scan.getLoc(), scan.getKind(), converted(builder, scan.getSource(), whole),
      converted(builder, scan.getInitialValue(), rest), along, scan.getInclusive());
  const NestedLayoutAttr resultLayouts[] = {whole, rest};
  for (auto [old, result, layout] :
       llvm::zip_equal(scan.getResults(), together.getResults(), resultLayouts)) {
    NestedLayoutAttr required = layoutOf(old);
    layouts[result] = layout;
    if (!old.use_empty())
      old.replaceAllUsesWith(required ? converted(builder, result, required) : result);
  }
  scan.erase();
  return success();
}

// --- Contractions ---------------------------------------------------------------------

/// Each thread contracts the elements that it holds; then one reduction combines the partial sums.
void Mover::contractAcrossThreads(vector::ContractionOp contraction, const IterationSpace &space) {
  OpBuilder builder(contraction);
  Location loc = contraction.getLoc();
  vector::CombiningKind kind = contraction.getKind();
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  Layout layout(space.dimsOfPartial());
  Value lhs = splitDims(builder, contraction.getLhs(), space.partsAlong(maps[0]));
  Value rhs = splitDims(builder, contraction.getRhs(), space.partsAlong(maps[1]));
  Value identity = identityValue(
      builder, loc, kind,
      VectorType::get(undistributedShape(layout), getElementTypeOrSelf(contraction.getAccType())));
  layouts[identity] = NestedLayoutAttr::get(builder.getContext(), layout);
  auto partial =
      laidOut(vector::ContractionOp::create(builder, loc, lhs, rhs, identity, space.indexingMaps(),
                                            space.iteratorTypes(), kind),
              layout);
  auto sum = vector::MultiDimReductionOp::create(
      builder, loc, partial.getResult(), contraction.getAcc(), space.sharedInPartial(), kind);
  layouts[sum.getDest()] = layoutOf(contraction.getResult());
  contraction.replaceAllUsesWith(sum.getDest());
  contraction.erase();
  // The reduction across subgroups remains to be rewritten.
  (void)moveFor(sum);
}

LogicalResult Mover::moveFor(vector::ContractionOp contraction) {
  NestedLayoutAttr lhs = layoutOf(contraction.getLhs()), rhs = layoutOf(contraction.getRhs());
  if (!lhs || !rhs || contraction->hasAttr(mmaKindName))
    return success(); // reported when the thread function is emitted; matrix instructions have
                      // fixed layouts
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  VectorLayoutInterface combined = lhs.getRecombinedLayout({lhs, rhs}, {maps[0], maps[1]}, maps[2]);
  if (!combined)
    return contraction.emitOpError("operands must have the same layout along the dimensions that "
                                   "they share, and no thread digits in common along others, "
                                   "but have ")
           << ArrayAttr::get(contraction.getContext(), {lhs, rhs});
  computeIn(contraction, contraction.getAccMutable(), cast<NestedLayoutAttr>(combined));
  IterationSpace space(contraction, lhs.getLayout(), rhs.getLayout());
  if (space.isShared())
    contractAcrossThreads(contraction, space);
  return success();
}

// --- Data in memory -------------------------------------------------------------------

/// Each thread reads its elements of a constant from memory, unless all elements are equal.
LogicalResult Mover::moveFor(arith::ConstantOp constant) {
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  NestedLayoutAttr layout = layoutOf(constant.getResult());
  if (!layout || !elements || elements.isSplat())
    return success();
  OpBuilder builder(constant);
  Value read = buffers.read(builder, constant.getLoc(), elements);
  layouts[read] = layout;
  constant.replaceAllUsesWith(read);
  constant.erase();
  return success();
}

/// One thread executes the atomic and passes the result to the others through memory. If each
/// thread executes it for itself, the result is not shared.
LogicalResult Mover::shareResult(Operation *atomic) {
  if (atomic->use_empty() || !divergence.isUniform(atomic))
    return success();
  OpBuilder builder(atomic->getContext());
  builder.setInsertionPointAfter(atomic);
  Value result = atomic->getResult(0);
  replaceUses(result, [&] { return buffers.pass(builder, result); });
  return success();
}

LogicalResult layout::materializeConversions(func::FuncOp function, LayoutMap &layouts,
                                             Workgroup workgroup) {
  // Operations that are inserted on the way are already in their final form.
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  Mover mover(function, layouts, workgroup);
  for (Operation *op : ops)
    if (failed(mover.move(op)))
      return failure();
  return success();
}
