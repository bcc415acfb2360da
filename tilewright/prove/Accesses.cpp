// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Accesses.h.

#include "tilewright/prove/Accesses.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::prove;
using llvm::ArrayRef;
using mlir::Operation;
using mlir::Value;

//===-- Views -------------------------------------------------------------------------------===//

/// Extents or strides: static ones from the type, dynamic ones from the operands, which are read as
/// unsigned. Negative arguments would be huge extents, which are excluded.
std::vector<Polynomial> Accesses::sizesOf(Operation *op, ArrayRef<int64_t> fromType,
                                          mlir::OperandRange dynamic, Support &support) {
  std::vector<Polynomial> sizes;
  for (int64_t size : fromType) {
    if (!mlir::ShapedType::isDynamic(size)) {
      sizes.push_back(size);
      continue;
    }
    const Number number = evaluator.numberOf(dynamic.front());
    dynamic = dynamic.drop_front();
    support += number.support;
    if (!evaluator.analysis.symbols.isNonNegative(number.value)) {
      support += evaluator.require(op, ObligationKind::Range, {{lessThan(number.value, 0)}},
                                   number.support);
      evaluator.know({atLeast(number.value, 0)}, support);
    }
    sizes.push_back(number.value);
  }
  return sizes;
}

bool Accesses::makeView(tile::MakeTensorViewOp op) {
  const auto type = llvm::cast<tile::TensorViewType>(op.getResult().getType());
  const AbstractValue value = evaluator.valueOf(op.getBase());
  const auto *base = std::get_if<Pointer>(&value);
  if (!base)
    return false;
  TensorView view{*base, {}, {}, base->support};
  view.extents = sizesOf(op, type.getShape(), op.getDynamicShape(), view.support);
  view.strides = sizesOf(op, type.getStrides(), op.getDynamicStrides(), view.support);
  evaluator.define(op.getResult(), std::move(view));
  return true;
}

bool Accesses::forwardView(Operation *op) {
  AbstractValue view = evaluator.valueOf(op->getOperand(0));
  evaluator.define(op->getResult(0), std::move(view));
  return true;
}

/// An extent, which must fit the result also if that is read as signed.
void Accesses::defineExtent(Operation *op, unsigned dim, const Polynomial &extent,
                            Support support) {
  const Value result = op->getResult(dim);
  const Constraint fits = rangeOf(extent, widthOf(result))[1];
  support = evaluator.require(op, ObligationKind::Range, negation(fits), support);
  evaluator.define(result, Number{extent, std::move(support)});
}

bool Accesses::tensorShape(tile::GetTensorShapeOp op) {
  const AbstractValue value = evaluator.valueOf(op.getSrc());
  const auto *found = std::get_if<TensorView>(&value);
  if (!found)
    return false;
  const TensorView view = *found;
  for (auto [dim, extent] : llvm::enumerate(view.extents))
    defineExtent(op, dim, extent, view.support);
  return true;
}

bool Accesses::indexSpaceShape(tile::GetIndexSpaceShapeOp op) {
  const AbstractValue value = evaluator.valueOf(op.getSrc());
  const auto *found = std::get_if<TensorView>(&value);
  if (!found)
    return false;
  const TensorView view = *found;
  const auto type = llvm::cast<tile::TileView>(op.getSrc().getType());
  for (auto [dim, rule] : llvm::enumerate(tile::rulesOf(type))) {
    const Polynomial &extent = view.extents[rule.tensorDim];
    Polynomial count = extent;
    if (rule.step != 1)
      count = evaluator.analysis.symbols.addComputed([&](const Polynomial &n) -> Cases {
        const Polynomial covered = Polynomial(rule.step) * n;
        return {{atLeast(n, 0), atLeast(covered, extent), lessThan(covered, extent + rule.step)}};
      });
    defineExtent(op, dim, count, view.support);
  }
  return true;
}

//===-- Accesses ----------------------------------------------------------------------------===//

Support Accesses::stopAt(Operation *op) {
  stoppedBy = op;
  return {};
}

/// The operands of an access other than its address, its stored value and its token.
static std::vector<Value> otherOperands(tile::MemoryAccessOpInterface op) {
  std::vector<Value> others(op->operand_begin(), op->operand_end());
  for (Value known : {op.getAddressed(), op.getStored(), Value(op.getTokenBefore())})
    if (const auto found = llvm::find(others, known); known && found != others.end())
      others.erase(found);
  return others;
}

Support Accesses::outside(Operation *op, const Pointer &pointer, Cases where,
                          ArrayRef<int64_t> shape) {
  const Polynomial &length = evaluator.analysis.memories[*pointer.memory].length;
  const Cases violation =
      either({{lessThan(pointer.offset, 0)}}, {{atLeast(pointer.offset, length)}});
  return evaluator.require(op, ObligationKind::Bounds, both(where, violation), pointer.support,
                           shape);
}

/// Offsets of elements for which the mask may hold.
Support Accesses::throughPointers(tile::MemoryAccessOpInterface op) {
  const AbstractValue value = evaluator.valueOf(op.getAddressed());
  const auto *found = std::get_if<Pointer>(&value);
  if (!found || !found->memory)
    return stopAt(found && found->support.unknown ? found->support.unknown : op);
  Pointer pointer = *found;
  Cases enabled = {{}};
  for (Value operand : otherOperands(op))
    if (widthOf(operand) == 1 && shapeOf(operand) == shapeOf(op.getAddressed())) {
      const Truth mask = evaluator.truthOf(operand);
      enabled = mask.whenTrue;
      pointer.support += mask.support;
      break;
    }
  return outside(op, pointer, enabled, shapeOf(op.getAddressed()));
}

Support Accesses::requireIndex(Operation *op, const tile::DimensionRule &rule,
                               const Polynomial &extent, Value index, int64_t tileExtent,
                               bool inbounds) {
  const Number number = evaluator.numberOf(index);
  const Polynomial first = number.value * Polynomial(rule.step);
  const Cases negative = {{lessThan(number.value, 0)}};
  Support support = number.support;
  if (!rule.isSparse)
    support += evaluator.require(op, ObligationKind::IndexSpace,
                                 either(negative, {{atLeast(first, extent)}}), number.support);
  const Polynomial last = rule.isSparse ? first : first + (tileExtent - 1);
  if (inbounds)
    support += evaluator.require(op, ObligationKind::Assumption,
                                 either(negative, {{atLeast(last, extent)}}), number.support,
                                 shapeOf(index));
  return support;
}

/// Every element of the tensor lies in memory. Which of them an access reaches is not considered:
/// the answer says whether the view describes its array correctly.
Support Accesses::requireRegion(Operation *op, const TensorView &view) {
  Pointer element = view.base;
  element.support += view.support;
  Conjunction inside;
  for (auto [extent, stride] : llvm::zip_equal(view.extents, view.strides)) {
    const Polynomial coordinate = evaluator.analysis.symbols.addComputed(
        [&](const Polynomial &any) -> Cases { return {{atLeast(any, 0), lessThan(any, extent)}}; });
    // Also where the stride is 0.
    inside.push_back(atLeast(coordinate, 0));
    inside.push_back(lessThan(coordinate, extent));
    element.offset += coordinate * stride;
  }
  return outside(op, element, {inside}, {});
}

Support Accesses::throughView(tile::MemoryAccessOpInterface op) {
  auto type = llvm::cast<tile::TileView>(op.getAddressed().getType());
  const AbstractValue value = evaluator.valueOf(op.getAddressed());
  const auto *found = std::get_if<TensorView>(&value);
  const std::vector<Value> indices = otherOperands(op);
  const auto rules = tile::rulesOf(type);
  if (!found || !found->base.memory || type.getTensorView().getAttribute() ||
      indices.size() < rules.size())
    return stopAt(op);
  const TensorView view = *found;
  const auto inbounds = llvm::dyn_cast_if_present<mlir::DenseBoolArrayAttr>(
      op->getInherentAttr("inbounds").value_or(mlir::Attribute()));
  Support support = requireRegion(op, view);
  for (auto [dim, rule] : llvm::enumerate(rules))
    support += requireIndex(op, rule, view.extents[rule.tensorDim], indices[dim],
                            type.getTileShape()[dim], inbounds && inbounds[dim]);
  return support;
}

bool Accesses::access(tile::MemoryAccessOpInterface op) {
  Support support = op.isThroughView() ? throughView(op) : throughPointers(op);
  support += evaluator.path.support;
  evaluator.analysis.subjects.push_back({op, std::move(support), /*isAccess=*/true, stoppedBy});
  for (Value result : op->getResults())
    evaluator.define(result, evaluator.anything(result, op));
  return true;
}

//===-- Assumptions -------------------------------------------------------------------------===//

/// Requires the bounds, and uses them from here on.
Support Accesses::assumeBounded(tile::AssumeOp op, tile::BoundedAttr bounds, Number &number) {
  Conjunction holds;
  if (bounds.getLb())
    holds.push_back(atLeast(number.value, *bounds.getLb()));
  if (bounds.getUb())
    holds.push_back(atLeast(*bounds.getUb(), number.value));
  Cases violated;
  for (const Constraint &bound : holds)
    violated = either(violated, negation(bound));
  const Support support = evaluator.require(op, ObligationKind::Assumption, violated,
                                            number.support, shapeOf(op.getResult()));
  const Polynomial value = number.value;
  if (shapeOf(op.getResult()).empty())
    evaluator.know(holds, support);
  else
    number.value = evaluator.analysis.symbols.addComputed([&](const Polynomial &same) -> Cases {
      Conjunction known = holds;
      known.push_back(equal(same, value));
      return {known};
    });
  return number.support = support;
}

Support Accesses::assumeDivisible(tile::AssumeOp op, tile::DivByAttr divisible) {
  const AbstractValue value = evaluator.valueOf(op.getValue());
  Integer divisor(int64_t(divisible.getDivisor()));
  const auto *number = std::get_if<Number>(&value);
  const auto *pointer = std::get_if<Pointer>(&value);
  std::optional<Polynomial> divided;
  Support support;
  if (number)
    std::tie(divided, support) = std::pair(number->value, number->support);
  if (pointer && pointer->memory) {
    const Memory &memory = evaluator.analysis.memories[*pointer->memory];
    if (memory.address)
      divided = memory.scaledAddress(pointer->offset);
    divisor *= Integer(memory.elementsPerByte);
    support = pointer->support;
  }
  if (!divided || divisible.getEvery())
    return stopAt(op);
  Support result = evaluator.require(op, ObligationKind::Assumption, {}, support);
  evaluator.analysis.obligations.back().divisibility = {*divided, divisor};
  if (number && shapeOf(op.getResult()).empty()) {
    const Polynomial multiple =
        evaluator.analysis.symbols.addComputed([](const Polynomial &) -> Cases { return {{}}; });
    evaluator.know({equal(*divided, multiple * Polynomial(divisor))}, result);
  }
  return result;
}

bool Accesses::assume(tile::AssumeOp op) {
  AbstractValue value = evaluator.valueOf(op.getValue());
  Support support;
  const mlir::Attribute predicate = op.getPredicate();
  if (auto *number = std::get_if<Number>(&value))
    if (auto bounds = llvm::dyn_cast<tile::BoundedAttr>(predicate))
      support = assumeBounded(op, bounds, *number);
  if (auto divisible = llvm::dyn_cast<tile::DivByAttr>(predicate))
    support = assumeDivisible(op, divisible);
  if (support.obligations.empty())
    stopAt(op);
  support += evaluator.path.support;
  evaluator.analysis.subjects.push_back({op, std::move(support), /*isAccess=*/false, stoppedBy});
  evaluator.define(op.getResult(), std::move(value));
  return true;
}

bool Accesses::execute(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tile::MakeTensorViewOp make) { return makeView(make); })
      .Case([&](tile::MakePartitionViewOp make) { return forwardView(make); })
      .Case([&](tile::MakeStridedViewOp make) { return forwardView(make); })
      .Case([&](tile::MakeGatherScatterViewOp make) { return forwardView(make); })
      .Case([&](tile::GetTensorShapeOp get) { return tensorShape(get); })
      .Case([&](tile::GetIndexSpaceShapeOp get) { return indexSpaceShape(get); })
      .Case([&](tile::MemoryAccessOpInterface memory) { return access(memory); })
      .Case([&](tile::AssumeOp op) { return assume(op); })
      .Default(false);
}
