// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do data change hands? Where a value is wanted in another layout than it has, where a
// reduction goes across subgroups, and where the contraction of two vectors goes across
// threads (layouts, 3.4, 3.6.7, 3.6.9). All of it is said here with whole vectors and their
// layouts: a change of hands is a write to shared memory and a read from it, and the others
// become steps that need nothing but that. So later steps know no exceptions: an operation
// needs what its own thread holds, or for reductions what the lanes of its subgroup hold.

#include "tilewright/layout/Distribute.h"
#include "tilewright/layout/Movement.h"
#include "tilewright/layout/Rearrange.h"
#include "tilewright/layout/SharedBuffers.h"
#include "tilewright/layout/ThreadDependence.h"

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
      : layouts(layouts), workgroup(workgroup), buffers(function, workgroup), threads(function) {}

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

  /// The value in another layout, computed before the operation that `builder` is at.
  Value converted(OpBuilder &builder, Value value, NestedLayoutAttr to);
  Value throughMemory(OpBuilder &builder, Value value, NestedLayoutAttr to);
  /// The operation computes its result, and takes the initial value, in `layout`; everyone
  /// else sees the result as before.
  void computeIn(Operation *op, OpOperand &acc, NestedLayoutAttr layout);

  void reduceAcrossSubgroups(vector::MultiDimReductionOp reduction, const Layout &source);
  void contractAcrossThreads(vector::ContractionOp contraction);
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
  ThreadDependence threads;
  llvm::DenseMap<std::pair<Attribute, Attribute>, bool> knownOwners;
};

} // namespace

static bool isSpread(const Dim &dim) { return dim.subgroups > 1 || dim.threads > 1; }

// --- Conversions ----------------------------------------------------------------------

/// Asks each pair once: the answer looks at all threads.
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
    return to.emitOpError("converts a vector that no layout reaches: say with another to_layout "
                          "how it is held before");
  OpBuilder builder(to);
  auto layout = cast<NestedLayoutAttr>(to.getLayout());
  if (to.getSharedMemoryConversion())
    to.replaceAllUsesWith(throughMemory(builder, to.getInput(), layout));
  else if (from == layout || !sameOwners(from, layout))
    to.replaceAllUsesWith(converted(builder, to.getInput(), layout));
  else
    return success(); // every thread only renames its registers
  to.erase();
  return success();
}

/// Elements stay where they are, if one of the layouts is the other one under another shape.
LogicalResult Mover::moveFor(vector::ShapeCastOp cast) {
  NestedLayoutAttr source = layoutOf(cast.getSource()), result = layoutOf(cast.getResult());
  if (!source || !result)
    return success();
  OpBuilder builder(cast);
  if (VectorLayoutInterface wanted = result.reshape(cast.getSourceVectorType().getShape())) {
    if (wanted != source)
      cast.getSourceMutable().assign(
          converted(builder, cast.getSource(), mlir::cast<NestedLayoutAttr>(wanted)));
    return success();
  }
  Value read = buffers.pass(builder, cast.getSource(), source, cast.getResultVectorType(), result);
  layouts[read] = result;
  cast.replaceAllUsesWith(read);
  cast.erase();
  return success();
}

void Mover::computeIn(Operation *op, OpOperand &acc, NestedLayoutAttr layout) {
  Value result = op->getResult(0);
  NestedLayoutAttr seen = layoutOf(result);
  if (!isa<VectorType>(result.getType()) || seen == layout || !seen || !layoutOf(acc.get()))
    return; // what has no layout is said when it is written for threads
  OpBuilder builder(op);
  acc.set(converted(builder, acc.get(), layout));
  layouts[result] = layout;
  builder.setInsertionPointAfter(op);
  // The uses that are there now; the conversion reads the result itself.
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(result.getUses(), [](OpOperand &use) { return &use; });
  Value outside = converted(builder, result, seen);
  for (OpOperand *use : uses)
    use->set(outside);
}

// --- Reductions -----------------------------------------------------------------------

static bool acrossSubgroups(const Dim &dim) { return dim.subgroups > 1; }

/// `parts` has for each dimension of the value what it is taken apart into.
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

/// Each subgroup reduces what it holds; then everyone reads what the subgroups have found, and
/// reduces that.
void Mover::reduceAcrossSubgroups(vector::MultiDimReductionOp reduction, const Layout &source) {
  OpBuilder builder(reduction);
  Location loc = reduction.getLoc();
  vector::CombiningKind kind = reduction.getKind();

  // A dimension that is reduced across subgroups becomes one of subgroups and one of the rest.
  SmallVector<SmallVector<Dim, 4>> parts;
  SmallVector<bool> within;              // of the parts: which a subgroup reduces
  SmallVector<Dim, 4> partial, gathered; // dimensions of what it finds, and how that is read
  SmallVector<bool> across;              // which of these are subgroups
  for (auto [dim, reduced] : llvm::zip_equal(source.dims(), reduction.getReductionMask())) {
    if (!reduced) {
      parts.push_back({dim});
      within.push_back(false);
      partial.push_back(dim);
      gathered.push_back(dim);
      across.push_back(false);
      continue;
    }
    Dim rest = dim;
    rest.subgroups = 1;
    parts.push_back({rest});
    if (acrossSubgroups(dim)) {
      Dim subgroups{.subgroups = dim.subgroups, .subgroupStride = dim.subgroupStride};
      parts.back().insert(parts.back().begin(), subgroups);
      within.push_back(false);
      partial.push_back(subgroups);
      gathered.push_back({.elements = dim.subgroups});
      across.push_back(true);
    }
    within.push_back(true);
  }

  Value split = splitDims(builder, reduction.getSource(), parts);
  Layout partialLayout(partial);
  auto type = VectorType::get(undistributedShape(partialLayout),
                              reduction.getSourceVectorType().getElementType());
  Value neutral = neutralValue(builder, loc, kind, type);
  layouts[neutral] = NestedLayoutAttr::get(loc.getContext(), partialLayout);
  auto found =
      laidOut(vector::MultiDimReductionOp::create(builder, loc, split, neutral, within, kind),
              partialLayout);
  Value all = throughMemory(builder, found.getDest(),
                            NestedLayoutAttr::get(loc.getContext(), Layout(gathered)));
  auto reduced =
      vector::MultiDimReductionOp::create(builder, loc, all, reduction.getAcc(), across, kind);
  layouts[reduced.getDest()] = layoutOf(reduction.getDest());
  reduction.replaceAllUsesWith(reduced.getDest());
  reduction.erase();
}

LogicalResult Mover::moveFor(vector::MultiDimReductionOp reduction) {
  NestedLayoutAttr source = layoutOf(reduction.getSource());
  if (!source)
    return success(); // said when it is written for threads
  SmallVector<bool> reduced = reduction.getReductionMask();
  computeIn(reduction, reduction.getAccMutable(), cast<NestedLayoutAttr>(source.project(reduced)));
  Layout layout = source.getLayout();
  for (auto [dim, flag] : llvm::zip_equal(layout.dims(), reduced)) {
    if (!flag || !acrossSubgroups(dim))
      continue;
    reduceAcrossSubgroups(reduction, layout);
    break;
  }
  return success();
}

// --- Scans ----------------------------------------------------------------------------

/// One after the other: a thread that has all elements along the dimension goes through them, and
/// those that shared them with it do the same.
LogicalResult Mover::moveFor(vector::ScanOp scan) {
  NestedLayoutAttr seen = layoutOf(scan.getSource());
  int64_t along = scan.getReductionDim();
  if (!seen || !layoutOf(scan.getInitialValue()) || !isSpread(seen.getLayout()[along]))
    return success();
  SmallVector<Dim, 4> dims(seen.getLayout().dims());
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
    NestedLayoutAttr wanted = layoutOf(old);
    layouts[result] = layout;
    if (!old.use_empty())
      old.replaceAllUsesWith(wanted ? converted(builder, result, wanted) : result);
  }
  scan.erase();
  return success();
}

// --- Contractions ---------------------------------------------------------------------

static unsigned positionOf(AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); }

/// How each dimension of the iteration space is held, as far as an operand tells.
static SmallVector<std::optional<Dim>> dimsOfSpace(vector::ContractionOp contraction,
                                                   const Layout &lhs, const Layout &rhs) {
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  SmallVector<std::optional<Dim>> dims(maps[0].getNumDims());
  for (auto [layout, map] : {std::pair(&lhs, maps[0]), std::pair(&rhs, maps[1])})
    for (auto [dim, expr] : llvm::zip_equal(layout->dims(), map.getResults()))
      dims[positionOf(expr)] = dim;
  return dims;
}

/// What a thread sums by itself, and what it shares with others, of a dimension that is summed:
/// `subgroups x (batches * outers) x threads x elements`, without what is 1 and spread.
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

/// Each thread contracts what it holds; the sums of all of them are then one reduction.
void Mover::contractAcrossThreads(vector::ContractionOp contraction) {
  OpBuilder builder(contraction);
  Location loc = contraction.getLoc();
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  SmallVector<vector::IteratorType> iterators = contraction.getIteratorTypesArray();
  SmallVector<std::optional<Dim>> space =
      dimsOfSpace(contraction, layoutOf(contraction.getLhs()).getLayout(),
                  layoutOf(contraction.getRhs()).getLayout());

  // The new iteration space: every old dimension is a range of new ones.
  SmallVector<SmallVector<Dim, 4>> parts;
  SmallVector<unsigned> firstOf;
  SmallVector<vector::IteratorType> newIterators;
  SmallVector<unsigned> spread; // new dimensions that are left for the reduction
  for (auto [old, dim] : llvm::enumerate(space)) {
    bool summed = iterators[old] == vector::IteratorType::reduction;
    firstOf.push_back(newIterators.size());
    parts.push_back(summed ? partsOf(*dim) : SmallVector<Dim, 4>{*dim});
    for (const Dim &part : parts.back()) {
      if (summed && isSpread(part))
        spread.push_back(newIterators.size());
      bool parallel = !summed || isSpread(part);
      newIterators.push_back(parallel ? vector::IteratorType::parallel
                                      : vector::IteratorType::reduction);
    }
  }

  auto newMap = [&](AffineMap map, ArrayRef<unsigned> more) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults())
      for (size_t part = 0; part < parts[positionOf(expr)].size(); ++part)
        results.push_back(builder.getAffineDimExpr(firstOf[positionOf(expr)] + part));
    for (unsigned dim : more)
      results.push_back(builder.getAffineDimExpr(dim));
    return AffineMap::get(newIterators.size(), 0, results, context);
  };
  auto split = [&](Value operand, AffineMap map) {
    auto ofOperand = llvm::map_to_vector(map.getResults(),
                                         [&](AffineExpr expr) { return parts[positionOf(expr)]; });
    return splitDims(builder, operand, ofOperand);
  };
  SmallVector<Dim, 4> dims;
  for (AffineExpr expr : maps[2].getResults())
    dims.push_back(*space[positionOf(expr)]);
  size_t kept = dims.size();
  for (auto [old, ofOne] : llvm::enumerate(parts))
    for (const Dim &part : ofOne)
      if (iterators[old] == vector::IteratorType::reduction && isSpread(part))
        dims.push_back(part);

  Layout partialLayout(dims);
  Value lhs = split(contraction.getLhs(), maps[0]), rhs = split(contraction.getRhs(), maps[1]);
  Type element = getElementTypeOrSelf(contraction.getAccType());
  Value neutral = neutralValue(builder, loc, contraction.getKind(),
                               VectorType::get(undistributedShape(partialLayout), element));
  layouts[neutral] = NestedLayoutAttr::get(context, partialLayout);
  auto iteratorAttrs = llvm::map_to_vector(newIterators, [&](vector::IteratorType type) {
    return Attribute(vector::IteratorTypeAttr::get(context, type));
  });
  ArrayAttr newMaps = builder.getAffineMapArrayAttr(
      {newMap(maps[0], {}), newMap(maps[1], {}), newMap(maps[2], spread)});
  auto partial = laidOut(vector::ContractionOp::create(builder, loc, lhs, rhs, neutral, newMaps,
                                                       builder.getArrayAttr(iteratorAttrs),
                                                       contraction.getKind()),
                         partialLayout);
  SmallVector<bool> reduced(dims.size(), true);
  std::fill_n(reduced.begin(), kept, false);
  auto sum = vector::MultiDimReductionOp::create(
      builder, loc, partial.getResult(), contraction.getAcc(), reduced, contraction.getKind());
  layouts[sum.getDest()] = layoutOf(contraction.getResult());
  contraction.replaceAllUsesWith(sum.getDest());
  contraction.erase();
  // Of the sums, those of several subgroups remain.
  (void)moveFor(sum);
}

LogicalResult Mover::moveFor(vector::ContractionOp contraction) {
  NestedLayoutAttr lhs = layoutOf(contraction.getLhs()), rhs = layoutOf(contraction.getRhs());
  if (!lhs || !rhs || contraction->hasAttr(mmaKindName))
    return success(); // said when it is written for threads; the instruction knows its layouts
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  VectorLayoutInterface combined = lhs.getRecombinedLayout({lhs, rhs}, {maps[0], maps[1]}, maps[2]);
  if (!combined)
    return contraction.emitOpError("operands must be held alike along what they share and by "
                                   "different digits along all else, but are held in ")
           << ArrayAttr::get(contraction.getContext(), {lhs, rhs});
  computeIn(contraction, contraction.getAccMutable(), cast<NestedLayoutAttr>(combined));
  SmallVector<std::optional<Dim>> space =
      dimsOfSpace(contraction, lhs.getLayout(), rhs.getLayout());
  for (auto [dim, type] : llvm::zip_equal(space, contraction.getIteratorTypesArray())) {
    if (type != vector::IteratorType::reduction || !isSpread(*dim))
      continue;
    contractAcrossThreads(contraction);
    break;
  }
  return success();
}

// --- What comes from memory -----------------------------------------------------------

/// Elements that differ are read from memory, where each thread finds its own.
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

/// One thread does it; what it finds it leaves for the others. An atomic that each thread does for
/// itself is its own affair.
LogicalResult Mover::shareResult(Operation *atomic) {
  if (atomic->use_empty() || !threads.isUniform(atomic))
    return success();
  OpBuilder builder(atomic->getContext());
  builder.setInsertionPointAfter(atomic);
  Value result = atomic->getResult(0);
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(result.getUses(), [](OpOperand &use) { return &use; });
  Value found = buffers.pass(builder, result);
  for (OpOperand *use : uses)
    use->set(found);
  return success();
}

LogicalResult layout::moveBetweenThreads(func::FuncOp function, LayoutMap &layouts,
                                         Workgroup workgroup) {
  // What is made on the way is as it has to be.
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  Mover mover(function, layouts, workgroup);
  for (Operation *op : ops)
    if (failed(mover.move(op)))
      return failure();
  return success();
}
