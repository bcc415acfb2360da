// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges arithmetic (Judge.h).

#include "tilewright/api/diff/Allowed.h"
#include "tilewright/api/diff/Judge.h"

#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;
using support::Result;

namespace {
/// Executions of an operation whose results differ, and the device's operands in them.
struct Executions {
  std::vector<Execution> all;
  Unit::Tiles operands;
};

/// What the reference machine computes on these operands.
struct Evaluated {
  Unit::Tiles results;
  /// For operations that add numbers; otherwise empty.
  Unit::Tiles magnitudes = {};
  /// If an operand is infinite, and the operation keeps infinities; otherwise empty. A result that
  /// depends on an infinite operand is infinite or NaN, and any other result is finite.
  Unit::Tiles infinities = {};
};
} // namespace

static Required requiredOf(const Evaluated &evaluated, const Unit::Tiles &operands, size_t result,
                           size_t element) {
  Required required{evaluated.results[result][element]};
  const bool isFloat = numerics::info(required.value.format).isFloat();
  if (!evaluated.magnitudes.empty() && isFloat)
    required.magnitudes = evaluated.magnitudes[result][element].asDouble();
  if (!evaluated.infinities.empty() && isFloat)
    required.isNeverFinite = !std::isfinite(evaluated.infinities[result][element].asDouble());
  if (!operands.empty() && element < operands[0].size() &&
      numerics::info(operands[0][element].format).isFloat())
    required.operand = std::abs(operands[0][element].asDouble());
  return required;
}

static Unit::Tiles changeFloats(Unit::Tiles tiles, llvm::function_ref<void(Element &)> change) {
  for (std::vector<Element> &tile : tiles)
    for (Element &element : tile)
      if (numerics::info(element.format).isFloat())
        change(element);
  return tiles;
}

static Unit::Tiles magnitudesOf(const Unit::Tiles &tiles) {
  return changeFloats(tiles,
                      [](Element &x) { x.bits &= numerics::info(x.format).magnitudeMask(); });
}

/// Finite numbers become zeros, so that no sum overflows.
static Unit::Tiles infinitiesOf(const Unit::Tiles &tiles) {
  return changeFloats(tiles, [](Element &x) {
    if (std::isfinite(x.asDouble()))
      x.bits = 0;
  });
}

static bool hasInfinity(const Unit::Tiles &tiles) {
  return llvm::any_of(tiles, [](const std::vector<Element> &tile) {
    return llvm::any_of(tile,
                        [](Element x) { return numerics::info(x.format).isFloat() && x.isInf(); });
  });
}

/// Each execution once, whatever the number of its results that differ.
static std::vector<Execution> differingExecutions(const DeviceValues &values, Operation *op) {
  std::vector<Execution> executions;
  std::set<std::pair<int64_t, llvm::SmallVector<int64_t, 2>>> known;
  for (Value result : op->getResults())
    for (int64_t place : values.differingPlaces(result)) {
      const ProbeLayout &layout = values.observations.of(result)->layout();
      Execution execution = layout.executionAt(*layout.find(result), place);
      if (known.insert({execution.block, execution.iterations}).second)
        executions.push_back(std::move(execution));
    }
  return executions;
}

/// Executions in which an operand was not observed are left out.
static Executions withOperands(const DeviceValues &values, llvm::ArrayRef<Execution> all,
                               const Unit &unit) {
  Executions executions{{}, Unit::Tiles(unit.operands().size())};
  for (const Execution &execution : all) {
    std::vector<std::optional<std::vector<Element>>> own;
    for (Value operand : unit.operands())
      own.push_back(values.found({operand, execution}));
    if (!llvm::all_of(own, [](const auto &tile) { return tile.has_value(); }))
      continue;
    executions.all.push_back(execution);
    for (const auto &[all, tile] : llvm::zip_equal(executions.operands, own))
      all.insert(all.end(), tile->begin(), tile->end());
  }
  return executions;
}

static Result<Evaluated> evaluate(const Unit &unit, const Executions &executions,
                                  const Allowance &allowance) {
  Evaluated evaluated;
  const auto run = [&](const Unit::Tiles &operands, Unit::Tiles &to) -> Result<void> {
    Result<Unit::Tiles> results = unit.evaluate(operands, int64_t(executions.all.size()));
    if (!results)
      return results.failure();
    to = *std::move(results);
    return {};
  };
  const Unit::Tiles &operands = executions.operands;
  Result<void> ran = run(operands, evaluated.results);
  if (ran && allowance.ofMagnitudes != 0)
    ran = run(magnitudesOf(operands), evaluated.magnitudes);
  if (ran && allowance.keepsInfinities && hasInfinity(operands))
    ran = run(infinitiesOf(operands), evaluated.infinities);
  if (!ran)
    return ran.failure();
  return evaluated;
}

static Result<MaybeCulprit> judgeExecutions(const DeviceValues &values, Operation *op,
                                            const Unit &unit, const Executions &executions) {
  const Allowance allowance = allowanceOf(op);
  const Result<Evaluated> evaluated = evaluate(unit, executions, allowance);
  if (!evaluated)
    return evaluated.failure();
  for (const auto &[number, result] : llvm::enumerate(op->getResults())) {
    const auto type = llvm::cast<tile::TileType>(result.getType());
    for (size_t at = 0; at < evaluated->results[number].size(); ++at) {
      const Execution &execution = executions.all[at / size_t(type.getNumElements())];
      const int64_t element = int64_t(at) % type.getNumElements();
      const Required required = requiredOf(*evaluated, executions.operands, number, at);
      const std::optional<Element> found = values.found({result, execution}, element);
      if (!found || required.value.poison || allows(allowance, required, *found))
        continue;
      if (mayOverflow(allowance, required, *found))
        ++values.unjudged[op];
      else
        return MaybeCulprit(values.culprit({op, execution, type.getShape(), element, *found,
                                            required.value, allowance.toString()}));
    }
  }
  return MaybeCulprit();
}

Result<MaybeCulprit> api::judgeUnit(const DeviceValues &values, Operation *op, const Unit &unit) {
  // Limits the memory that operands take.
  constexpr size_t mostAtOnce = 64;
  const std::vector<Execution> differing = differingExecutions(values, op);
  for (llvm::ArrayRef<Execution> rest = differing; !rest.empty();
       rest = rest.drop_front(std::min(rest.size(), mostAtOnce))) {
    const Executions executions = withOperands(values, rest.take_front(mostAtOnce), unit);
    if (executions.all.empty())
      continue;
    Result<MaybeCulprit> wrong = judgeExecutions(values, op, unit, executions);
    if (!wrong || *wrong)
      return wrong;
  }
  return MaybeCulprit();
}
