// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the dialect vector that move elements without computing. Most of them always move
// elements the same way: a plan gives the source of each result element.

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tilewright/layout/dialect/Ops.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;

// ===-- Static plans ---------------------------------------------------------------------===//

static void follow(Machine &machine, ValueRange operands, Value value, const Plan &plan) {
  SmallVector<const Register *> sources;
  for (Value operand : operands)
    sources.push_back(&machine.of(operand));
  Register &result = machine.define(value, machine.isUniform(operands));
  for (int64_t thread : machine.rowsOf(result))
    for (auto [element, from] : llvm::enumerate(plan)) {
      const size_t to = result.place(thread, element);
      const bool isPoison = from.operand < 0;
      const Register *source = isPoison ? nullptr : sources[from.operand];
      const size_t place = isPoison ? 0 : source->place(thread, from.element);
      result.bits[to] = isPoison ? 0 : source->bits[place];
      result.poison[to] = isPoison || source->poison[place];
    }
}

/// One plan per result; `make` is called once for each operation.
template <typename Op, std::vector<Plan> (*make)(Op)>
static LogicalResult executePlan(Machine &machine, Op op) {
  ArrayRef<Plan> plans = machine.plansOf(*op, [op] { return make(op); });
  for (auto [result, plan] : llvm::zip_equal(op->getResults(), plans))
    follow(machine, op->getOperands(), result, plan);
  return success();
}

/// A plan from a function that maps the coordinates of a result element to its source.
template <typename Function> static std::vector<Plan> planFor(Value result, Function sourceOf) {
  const ArrayRef<int64_t> shape = shapeOf(result.getType());
  Plan plan(llvm::product_of(shape));
  for (auto [element, source] : llvm::enumerate(plan))
    source = sourceOf(support::coordinatesOf<SmallVector<int64_t>>(shape, element));
  return {plan};
}

using Coordinates = ArrayRef<int64_t>;

static Source first(int64_t element) { return {0, int32_t(element)}; }

/// A layout does not affect the value, neither of a vector nor of memory.
static LogicalResult executeToLayout(Machine &machine, layout::ToLayoutOp op) {
  machine.assign(op.getOutput(), machine.of(op.getInput()));
  return success();
}

/// The trailing dimensions are those of the source; dimensions of extent 1 are repeated.
static std::vector<Plan> planBroadcast(vector::BroadcastOp op) {
  const ArrayRef<int64_t> shape = shapeOf(op.getSourceType());
  return planFor(op, [shape](Coordinates at) {
    SmallVector<int64_t> from(at.take_back(shape.size()));
    for (auto [coordinate, extent] : llvm::zip_equal(from, shape))
      coordinate = extent == 1 ? 0 : coordinate;
    return first(support::numberOf(shape, from));
  });
}

static std::vector<Plan> planTranspose(vector::TransposeOp op) {
  const ArrayRef<int64_t> shape = shapeOf(op.getVector().getType());
  return planFor(op, [&, permutation = op.getPermutation()](Coordinates at) {
    SmallVector<int64_t> from(shape.size());
    for (auto [dim, source] : llvm::enumerate(permutation))
      from[source] = at[dim];
    return first(support::numberOf(shape, from));
  });
}

template <typename Op> static std::vector<Plan> planIdentity(Op op) {
  int64_t next = 0;
  return planFor(op->getResult(0), [&](Coordinates) { return first(next++); });
}

static std::vector<Plan> planExtractSlice(vector::ExtractStridedSliceOp op) {
  const ArrayRef<int64_t> shape = shapeOf(op.getSource().getType());
  SmallVector<int64_t> offsets, strides;
  op.getOffsets(offsets);
  for (Attribute stride : op.getStrides())
    strides.push_back(llvm::cast<IntegerAttr>(stride).getInt());
  return planFor(op, [&](Coordinates at) {
    SmallVector<int64_t> from(at);
    for (size_t dim = 0; dim < offsets.size(); ++dim)
      from[dim] = offsets[dim] + at[dim] * strides[dim];
    return first(support::numberOf(shape, from));
  });
}

/// The mask indexes the concatenated leading dimensions of both operands; an operand of rank 0 has
/// one element.
static std::vector<Plan> planShuffle(vector::ShuffleOp op) {
  const ArrayRef<int64_t> left = shapeOf(op.getV1().getType());
  const int64_t leftExtent = left.empty() ? 1 : left.front();
  const int64_t row = left.empty() ? 1 : llvm::product_of(left.drop_front());
  const ArrayRef<int64_t> mask = op.getMask();
  const ArrayRef<int64_t> shape = shapeOf(op.getType());
  return planFor(op, [&](Coordinates at) -> Source {
    const int64_t from = mask[at.front()];
    const int64_t inRow = support::numberOf(shape.drop_front(), at.drop_front());
    if (from < 0)
      return Source::poison();
    return from < leftExtent ? Source{0, int32_t(from * row + inRow)}
                             : Source{1, int32_t((from - leftExtent) * row + inRow)};
  });
}

static std::vector<Plan> planInterleave(vector::InterleaveOp op) {
  int64_t next = 0;
  return planFor(op, [&](Coordinates) {
    const int64_t element = next++;
    return Source{int32_t(element % 2), int32_t(element / 2)};
  });
}

static std::vector<Plan> planDeinterleave(vector::DeinterleaveOp op) {
  std::vector<Plan> plans(2);
  for (int64_t element = 0, count = op.getSourceVectorType().getNumElements(); element < count;
       ++element)
    plans[element % 2].push_back(first(element));
  return plans;
}

static std::vector<Plan> planFromElements(vector::FromElementsOp op) {
  int32_t next = 0;
  return planFor(op, [&](Coordinates) { return Source{next++, 0}; });
}

static std::vector<Plan> planToElements(vector::ToElementsOp op) {
  std::vector<Plan> plans;
  for (OpResult result : op->getResults())
    plans.push_back({first(result.getResultNumber())});
  return plans;
}

// ===-- Positions ------------------------------------------------------------------------===//

/// The offset of the part at a position in the whole vector; no number if the position is poison.
static FailureOr<std::optional<int64_t>> startOf(Machine &machine, Operation &op, int64_t thread,
                                                 ArrayRef<OpFoldResult> position,
                                                 ArrayRef<int64_t> shape) {
  int64_t start = 0;
  for (auto [dim, entry] : llvm::enumerate(position)) {
    std::optional<int64_t> index = getConstantIntValue(entry);
    if (!index) {
      index = machine.decide(op, thread, llvm::cast<Value>(entry), "a position");
      if (!index)
        return failure();
    } else if (*index == vector::ExtractOp::kPoisonIndex) {
      return std::optional<int64_t>();
    }
    if (*index < 0 || *index >= shape[dim]) {
      (void)machine.stop(Check::OutOfBounds, op,
                         formatv("thread {0} names position {1} of dimension {2}, which has "
                                 "extent {3}",
                                 thread, *index, dim, shape[dim]),
                         {thread});
      return failure();
    }
    start = start * shape[dim] + *index;
  }
  return std::optional(start * llvm::product_of(shape.drop_front(position.size())));
}

static LogicalResult executeExtract(Machine &machine, vector::ExtractOp op) {
  const Register &source = machine.of(op.getSource());
  Register &result = machine.define(op, machine.isUniform(op->getOperands()));
  const SmallVector<OpFoldResult> position = op.getMixedPosition();
  for (int64_t thread : machine.rowsOf(result)) {
    auto start = startOf(machine, *op, thread, position, shapeOf(op.getSource().getType()));
    if (failed(start))
      return failure();
    for (int64_t element = 0; element < result.count; ++element)
      result.set(thread, element,
                 *start ? source.at(thread, **start + element) : Element::poisoned(source.format));
  }
  return success();
}

static LogicalResult executeInsert(Machine &machine, vector::InsertOp op) {
  const Register &part = machine.of(op.getValueToStore());
  const bool uniform = machine.isUniform(op->getOperands());
  Register &result = machine.continueFrom(*op, op.getDest(), op, uniform);
  const SmallVector<OpFoldResult> position = op.getMixedPosition();
  for (int64_t thread : machine.rowsOf(result)) {
    auto start = startOf(machine, *op, thread, position, shapeOf(op.getType()));
    if (failed(start))
      return failure();
    for (int64_t element = 0; *start && element < part.count; ++element)
      result.set(thread, **start + element, part.at(thread, element));
    for (int64_t element = 0; !*start && element < result.count; ++element)
      result.set(thread, element, Element::poisoned(result.format));
  }
  return success();
}

/// The slice covers the trailing dimensions; the offsets locate it in all dimensions.
static LogicalResult executeInsertSlice(Machine &machine, vector::InsertStridedSliceOp op) {
  const Register &slice = machine.of(op.getValueToStore());
  const ArrayRef<int64_t> small = shapeOf(op.getValueToStore().getType());
  const ArrayRef<int64_t> large = shapeOf(op.getType());
  const auto numbersIn = [](ArrayAttr list) {
    return llvm::map_to_vector(list.getAsRange<IntegerAttr>(), [](auto n) { return n.getInt(); });
  };
  const SmallVector<int64_t> offsets = numbersIn(op.getOffsets());
  const SmallVector<int64_t> strides = numbersIn(op.getStrides());
  const bool uniform = machine.isUniform(op->getOperands());
  Register &result = machine.continueFrom(*op, op.getDest(), op, uniform);
  for (int64_t element = 0; element < slice.count; ++element) {
    SmallVector<int64_t> at(offsets);
    for (auto [dim, coordinate] :
         llvm::enumerate(support::coordinatesOf<SmallVector<int64_t>>(small, element)))
      at[large.size() - small.size() + dim] += coordinate * strides[dim];
    const int64_t to = support::numberOf(large, at);
    for (int64_t thread : machine.rowsOf(result))
      result.set(thread, to, slice.at(thread, element));
  }
  return success();
}

// ===-- Bit casts ------------------------------------------------------------------------===//

/// Reinterprets the concatenated bits of a row; the first element is in the lowest bits.
static LogicalResult executeBitCast(Machine &machine, vector::BitCastOp op) {
  const Register &source = machine.of(op.getSource());
  Register &result = machine.define(op, source.uniform);
  const unsigned from = numerics::info(source.format).bits, to = numerics::info(result.format).bits;
  if (from != to && (64 % from != 0 || 64 % to != 0))
    return machine.refuse(*op, "elements of a width that is no power of two cannot be cast to "
                               "another width");
  for (int64_t thread : machine.rowsOf(result))
    for (int64_t element = 0; element < result.count; ++element) {
      Element value = {0, result.format};
      for (unsigned bit = 0; bit < to; bit += std::min(from, to)) {
        const uint64_t place = uint64_t(element) * to + bit;
        const Element piece = source.at(thread, from == to ? element : place / from);
        value.bits |= (from == to ? piece.bits : piece.bits >> place % from) << bit;
        value.poison |= piece.poison;
      }
      value.bits = value.poison ? 0 : value.bits & numerics::info(result.format).mask();
      result.set(thread, element, value);
    }
  return success();
}

void simt::addMoves(Table &table) {
  using namespace vector;
  table.add<BroadcastOp, executePlan<BroadcastOp, planBroadcast>>();
  table.add<TransposeOp, executePlan<TransposeOp, planTranspose>>();
  table.add<ShapeCastOp, executePlan<ShapeCastOp, planIdentity<ShapeCastOp>>>();
  table.add<ExtractStridedSliceOp, executePlan<ExtractStridedSliceOp, planExtractSlice>>();
  table.add<ShuffleOp, executePlan<ShuffleOp, planShuffle>>();
  table.add<InterleaveOp, executePlan<InterleaveOp, planInterleave>>();
  table.add<DeinterleaveOp, executePlan<DeinterleaveOp, planDeinterleave>>();
  table.add<FromElementsOp, executePlan<FromElementsOp, planFromElements>>();
  table.add<ToElementsOp, executePlan<ToElementsOp, planToElements>>();
  table.add<layout::ToLayoutOp, executeToLayout>();
  table.add<ExtractOp, executeExtract>();
  table.add<InsertOp, executeInsert>();
  table.add<InsertStridedSliceOp, executeInsertSlice>();
  table.add<BitCastOp, executeBitCast>();
}
