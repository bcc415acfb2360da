// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the dialect vector that combine elements. They combine one element after the other,
// in ascending position, starting with the accumulator.

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/support/Shape.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;
using vector::CombiningKind;

/// Whether the element is masked off. `vector.mask` has checked that no mask bit is poison.
static bool isMasked(const Register *mask, int64_t thread, int64_t element) {
  return mask && mask->at(thread, element).bits == 0;
}

static bool isUniform(Machine &machine, Operation &op, const Register *mask) {
  return machine.isUniform(op.getOperands()) && (!mask || mask->uniform);
}

//===-- Reductions -----------------------------------------------------------------------===//

static LogicalResult executeReduction(Machine &machine, vector::ReductionOp op) {
  const Register *mask = machine.takeMask();
  const Register &source = machine.of(op.getVector());
  Register &result = machine.define(op, isUniform(machine, *op, mask));
  for (int64_t thread : machine.rowsOf(result)) {
    std::optional<Element> total;
    if (op.getAcc())
      total = machine.of(op.getAcc()).at(thread);
    for (int64_t element = 0; element < source.count; ++element)
      if (!isMasked(mask, thread, element)) {
        const Element next = source.at(thread, element);
        total = total ? combine(op.getKind(), *total, next) : next;
      }
    if (!total)
      return machine.refuse(*op, "a reduction without accumulator of which every element is "
                                 "masked has no value");
    result.set(thread, 0, *total);
  }
  return success();
}

/// For each element of the source, the result element that it is added to.
static std::vector<Plan> planMultiReduction(vector::MultiDimReductionOp op) {
  const ArrayRef<int64_t> from = shapeOf(op.getSource().getType());
  const ArrayRef<int64_t> to = shapeOf(op.getType());
  const SmallVector<bool> reduced = op.getReductionMask();
  Plan plan(llvm::product_of(from));
  for (auto [element, target] : llvm::enumerate(plan)) {
    SmallVector<int64_t> kept;
    for (auto [dim, coordinate] :
         llvm::enumerate(support::coordinatesOf<SmallVector<int64_t>>(from, element)))
      if (!reduced[dim])
        kept.push_back(coordinate);
    target = {0, int32_t(support::numberOf(to, kept))};
  }
  return {plan};
}

static LogicalResult executeMultiReduction(Machine &machine, vector::MultiDimReductionOp op) {
  const Register *mask = machine.takeMask();
  const Register &source = machine.of(op.getSource());
  // Upstream verifies this for all other combining operations, but not for this one.
  if (!canCombine(op.getKind(), source.format))
    return machine.refuse(*op, formatv("'{0}' <{1}> of {2} cannot be executed", op->getName(),
                                       stringifyCombiningKind(op.getKind()),
                                       op.getSource().getType().getElementType()));
  const Plan &plan = machine.plansOf(*op, [op] { return planMultiReduction(op); }).front();
  Register &result = machine.define(op, isUniform(machine, *op, mask));
  for (int64_t thread : machine.rowsOf(result)) {
    result.copyRow(thread, machine.of(op.getAcc()));
    for (auto [element, target] : llvm::enumerate(plan))
      if (!isMasked(mask, thread, element))
        result.set(
            thread, target.element,
            combine(op.getKind(), result.at(thread, target.element), source.at(thread, element)));
  }
  return success();
}

/// Follows the lowering to arithmetic: an inclusive scan starts with the first element and ignores
/// the initial value, an exclusive one starts with the initial value. The accumulated value is the
/// last element of the result.
static LogicalResult executeScan(Machine &machine, vector::ScanOp op) {
  const ArrayRef<int64_t> shape = op.getSourceType().getShape();
  const int64_t dim = op.getReductionDim();
  const int64_t inner = llvm::product_of(shape.drop_front(dim + 1)), extent = shape[dim];
  const Register &source = machine.of(op.getSource());
  const Register &initial = machine.of(op.getInitialValue());
  const bool uniform = isUniform(machine, *op, nullptr);
  Register &dest = machine.define(op.getDest(), uniform);
  Register &last = machine.define(op.getAccumulatedValue(), uniform);
  for (int64_t thread : machine.rowsOf(dest))
    for (int64_t line = 0; line < initial.count; ++line) {
      const int64_t start = line / inner * inner * extent + line % inner;
      Element total = op.getInclusive() ? source.at(thread, start) : initial.at(thread, line);
      dest.set(thread, start, total);
      for (int64_t step = 1; step < extent; ++step) {
        const int64_t from = start + (op.getInclusive() ? step : step - 1) * inner;
        total = combine(op.getKind(), total, source.at(thread, from));
        dest.set(thread, start + step * inner, total);
      }
      last.set(thread, line, total);
    }
  return success();
}

//===-- Products -------------------------------------------------------------------------===//

/// Whether values of an operand's format can be converted to the format of the accumulator.
static bool canWiden(numerics::Format from, numerics::Format to) {
  const numerics::FormatInfo &narrow = numerics::info(from), &wide = numerics::info(to);
  return from == to || (narrow.isFloat() && wide.isFloat()) ||
         (narrow.isInteger() && wide.isInteger() && narrow.bits < wide.bits);
}

/// Converts an operand to the format of the accumulator; integers are signed.
static Element widen(Element element, numerics::Format to) {
  if (element.format == to)
    return element;
  return numerics::info(to).isFloat() ? convertFloat(element, to)
                                      : numerics::extI(element, to, numerics::Signedness::Signed);
}

static Element accumulate(CombiningKind kind, Element lhs, Element rhs, Element acc) {
  if (kind == CombiningKind::ADD && numerics::info(acc.format).isFloat())
    return fuse(lhs, rhs, acc);
  return combine(kind, acc, multiply(lhs, rhs));
}

namespace {
/// The iteration space of a product, in which lhs, rhs and acc advance together.
struct Walk {
  SmallVector<int64_t> bounds;
  /// How far each operand advances for each dimension of the iteration space.
  SmallVector<int64_t> strides[3];
};
} // namespace

/// `getIterationBounds` is not usable: it expects every reduction dimension in lhs and every other
/// dimension in the result, which the verifier does not require.
static Walk walkOf(vector::ContractionOp op) {
  const auto maps = op.getIndexingMapsArray();
  Walk walk;
  walk.bounds.assign(maps[0].getNumDims(), 1);
  for (unsigned operand = 0; operand < 3; ++operand) {
    walk.strides[operand].assign(walk.bounds.size(), 0);
    const auto shape = shapeOf(op->getOperand(operand).getType());
    const auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
    for (auto [dim, result] : llvm::enumerate(maps[operand].getResults())) {
      const unsigned position = llvm::cast<AffineDimExpr>(result).getPosition();
      walk.bounds[position] = shape[dim];
      walk.strides[operand][position] = strides[dim];
    }
  }
  return walk;
}

/// Calls `visit(point, lhs, rhs, acc)` for each point in row-major order.
template <typename Visit> static void forEachPoint(const Walk &walk, Visit visit) {
  SmallVector<int64_t> at(walk.bounds.size());
  int64_t places[3] = {};
  for (int64_t point = 0, count = llvm::product_of(walk.bounds); point < count; ++point) {
    visit(point, places[0], places[1], places[2]);
    for (size_t dim = walk.bounds.size(); dim-- > 0;) {
      const bool isOver = ++at[dim] == walk.bounds[dim];
      for (unsigned operand = 0; operand < 3; ++operand)
        places[operand] += walk.strides[operand][dim] * (isOver ? 1 - walk.bounds[dim] : 1);
      if (!isOver)
        break;
      at[dim] = 0;
    }
  }
}

/// Converts a row of an operand.
static std::vector<Element> widenRow(const Register &source, int64_t thread, numerics::Format to) {
  std::vector<Element> row;
  for (int64_t element = 0; element < source.count; ++element)
    row.push_back(widen(source.at(thread, element), to));
  return row;
}

static LogicalResult executeContract(Machine &machine, vector::ContractionOp op) {
  const Register *mask = machine.takeMask();
  const numerics::Format sum = machine.of(op.getAcc()).format;
  if (!canWiden(machine.of(op.getLhs()).format, sum) ||
      !canWiden(machine.of(op.getRhs()).format, sum))
    return machine.refuse(*op, llvm::formatv("'vector.contract' of {0} and {1} into {2} cannot be "
                                             "executed",
                                             op.getLhsType().getElementType(),
                                             op.getRhsType().getElementType(),
                                             getElementTypeOrSelf(op.getAccType())));
  const Walk walk = walkOf(op);
  const CombiningKind kind = op.getKind();
  Register &result = machine.define(op.getResult(), isUniform(machine, *op, mask));
  for (int64_t thread : machine.rowsOf(result)) {
    const auto lhs = widenRow(machine.of(op.getLhs()), thread, result.format);
    const auto rhs = widenRow(machine.of(op.getRhs()), thread, result.format);
    result.copyRow(thread, machine.of(op.getAcc()));
    forEachPoint(walk, [&](int64_t point, int64_t left, int64_t right, int64_t sum) {
      if (!isMasked(mask, thread, point))
        result.set(thread, sum, accumulate(kind, lhs[left], rhs[right], result.at(thread, sum)));
    });
  }
  return success();
}

/// Masked-off elements keep the accumulator; without an accumulator they are poison.
static LogicalResult executeOuterProduct(Machine &machine, vector::OuterProductOp op) {
  const Register *mask = machine.takeMask();
  const Register &lhs = machine.of(op.getLhs()), &rhs = machine.of(op.getRhs());
  const Register *acc = op.getAcc() ? &machine.of(op.getAcc()) : nullptr;
  Register &result = machine.define(op.getResult(), isUniform(machine, *op, mask));
  for (int64_t thread : machine.rowsOf(result))
    for (int64_t element = 0; element < result.count; ++element) {
      const Element left = lhs.at(thread, element / rhs.count);
      const Element right = rhs.at(thread, element % rhs.count);
      Element value = Element::poisoned(result.format);
      if (acc)
        value = acc->at(thread, element);
      if (!isMasked(mask, thread, element))
        value = acc ? accumulate(op.getKind(), left, right, value) : multiply(left, right);
      result.set(thread, element, value);
    }
  return success();
}

void simt::addReductions(Table &table) {
  table.add<vector::ReductionOp, executeReduction>();
  table.add<vector::MultiDimReductionOp, executeMultiReduction>();
  table.add<vector::ScanOp, executeScan>();
  table.add<vector::ContractionOp, executeContract>();
  table.add<vector::OuterProductOp, executeOuterProduct>();
}
