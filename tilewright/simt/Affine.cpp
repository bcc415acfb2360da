// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the dialect affine that computes indices.

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;
using numerics::Format;

using Numbers = SmallVector<int64_t>;

/// Computes one number per result from one number per operand. A result is poison if an operand is,
/// or if `compute` returns none.
template <typename Compute>
static LogicalResult compute(Machine &machine, Operation &op, Compute compute) {
  const bool uniform = machine.isUniform(op.getOperands());
  for (Value result : op.getResults())
    machine.define(result, uniform);
  for (int64_t thread : machine.uniformRow(uniform)) {
    Numbers operands;
    bool isPoison = false;
    for (Value operand : op.getOperands()) {
      operands.push_back(machine.of(operand).integer(thread));
      isPoison |= machine.of(operand).at(thread).poison;
    }
    std::optional<Numbers> results;
    if (!isPoison)
      results = compute(operands);
    for (OpResult result : op.getResults()) {
      Register &target = machine.define(result, uniform);
      target.set(thread, 0,
                 results ? Element::integer(Format::I64, (*results)[result.getResultNumber()])
                         : Element::poisoned(Format::I64));
    }
  }
  return success();
}

/// None if an expression divides by a number that is not positive, which is undefined.
static std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                                       ArrayRef<int64_t> symbols) {
  if (auto dim = llvm::dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = llvm::dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = llvm::dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  const auto binary = llvm::cast<AffineBinaryOpExpr>(expr);
  const auto lhs = evaluate(binary.getLHS(), dims, symbols);
  const auto rhs = evaluate(binary.getRHS(), dims, symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  // Wraps around, as hardware does.
  if (expr.getKind() == AffineExprKind::Add)
    return int64_t(uint64_t(*lhs) + uint64_t(*rhs));
  if (expr.getKind() == AffineExprKind::Mul)
    return int64_t(uint64_t(*lhs) * uint64_t(*rhs));
  if (*rhs <= 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mod)
    return llvm::mod(*lhs, *rhs);
  return expr.getKind() == AffineExprKind::FloorDiv ? llvm::divideFloorSigned(*lhs, *rhs)
                                                    : llvm::divideCeilSigned(*lhs, *rhs);
}

/// Evaluates the results of a map.
static std::optional<Numbers> evaluate(AffineMap map, ArrayRef<int64_t> operands) {
  Numbers numbers;
  for (AffineExpr expr : map.getResults()) {
    const auto number = evaluate(expr, operands.take_front(map.getNumDims()),
                                 operands.drop_front(map.getNumDims()));
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

static LogicalResult executeApply(Machine &machine, affine::AffineApplyOp op) {
  return compute(machine, *op,
                 [map = op.getAffineMap()](ArrayRef<int64_t> in) { return evaluate(map, in); });
}

template <typename Op, bool isMax> static LogicalResult executeExtremum(Machine &machine, Op op) {
  return compute(machine, *op, [map = op.getMap()](ArrayRef<int64_t> in) {
    std::optional<Numbers> all = evaluate(map, in);
    if (all)
      all = Numbers{isMax ? *llvm::max_element(*all) : *llvm::min_element(*all)};
    return all;
  });
}

/// Merges static and dynamic factors, in order.
static Numbers mixed(ArrayRef<int64_t> fixed, ArrayRef<int64_t> dynamic) {
  Numbers numbers(fixed);
  for (int64_t &number : numbers)
    if (ShapedType::isDynamic(number)) {
      number = dynamic.front();
      dynamic = dynamic.drop_front();
    }
  return numbers;
}

/// The result for the outermost dimension is the remaining quotient: it is unbounded and may be
/// negative.
static LogicalResult executeDelinearize(Machine &machine, affine::AffineDelinearizeIndexOp op) {
  return compute(machine, *op, [&](ArrayRef<int64_t> in) -> std::optional<Numbers> {
    const Numbers basis = mixed(op.getStaticBasis(), in.drop_front());
    Numbers results(op->getNumResults());
    int64_t rest = in.front();
    for (size_t place = 0; place + 1 < results.size(); ++place) {
      const int64_t factor = basis[basis.size() - 1 - place];
      if (factor <= 0)
        return std::nullopt;
      const int64_t digit = llvm::mod(rest, factor);
      results[results.size() - 1 - place] = digit;
      rest = llvm::divideFloorSigned(rest, factor);
    }
    results.front() = rest;
    return results;
  });
}

static LogicalResult executeLinearize(Machine &machine, affine::AffineLinearizeIndexOp op) {
  return compute(machine, *op, [&](ArrayRef<int64_t> in) -> std::optional<Numbers> {
    const size_t count = op.getMultiIndex().size();
    Numbers basis = mixed(op.getStaticBasis(), in.drop_front(count));
    // An outer bound is only an assumption.
    if (basis.size() == count && count > 0)
      basis.erase(basis.begin());
    int64_t linear = count == 0 ? 0 : in.front();
    for (size_t place = 1; place < count; ++place)
      linear = int64_t(uint64_t(linear) * uint64_t(basis[place - 1]) + uint64_t(in[place]));
    return Numbers{linear};
  });
}

void simt::addAffine(Table &table) {
  table.add<affine::AffineApplyOp, executeApply>();
  table.add<affine::AffineMinOp, executeExtremum<affine::AffineMinOp, false>>();
  table.add<affine::AffineMaxOp, executeExtremum<affine::AffineMaxOp, true>>();
  table.add<affine::AffineDelinearizeIndexOp, executeDelinearize>();
  table.add<affine::AffineLinearizeIndexOp, executeLinearize>();
}
