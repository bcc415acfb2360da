// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Shadow.h.

#include "tilewright/reference/watch/Shadow.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

static bool isFloat(Format format) { return numerics::info(format).isFloat(); }

/// The significant bits of the format, with the leading one.
static int digitsOf(Format format) { return int(numerics::info(format).mantissaBits) + 1; }

//===-- Arithmetic in f64 ---------------------------------------------------------------------===//

/// None if the operation begins anew. `in` are the floats among the operands, `all` all operands.
static std::optional<double> evaluate(mlir::Operation *op, ArrayRef<double> in,
                                      ArrayRef<Element> all) {
  using namespace tile;
  using Result = std::optional<double>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case<AddFOp>([&](auto) { return in[0] + in[1]; })
      .Case<SubFOp>([&](auto) { return in[0] - in[1]; })
      .Case<MulFOp>([&](auto) { return in[0] * in[1]; })
      .Case<DivFOp>([&](auto) { return in[0] / in[1]; })
      .Case<FmaOp>([&](auto) { return std::fma(in[0], in[1], in[2]); })
      .Case<MaxFOp>([&](auto) { return std::fmax(in[0], in[1]); })
      .Case<MinFOp>([&](auto) { return std::fmin(in[0], in[1]); })
      .Case<AbsFOp>([&](auto) { return std::fabs(in[0]); })
      .Case<NegFOp>([&](auto) { return -in[0]; })
      .Case<SqrtOp>([&](auto) { return std::sqrt(in[0]); })
      .Case<RsqrtOp>([&](auto) { return 1 / std::sqrt(in[0]); })
      .Case<ExpOp>([&](auto) { return std::exp(in[0]); })
      .Case<Exp2Op>([&](auto) { return std::exp2(in[0]); })
      .Case<LogOp>([&](auto) { return std::log(in[0]); })
      .Case<Log2Op>([&](auto) { return std::log2(in[0]); })
      .Case<SinOp>([&](auto) { return std::sin(in[0]); })
      .Case<CosOp>([&](auto) { return std::cos(in[0]); })
      .Case<TanOp>([&](auto) { return std::tan(in[0]); })
      .Case<SinhOp>([&](auto) { return std::sinh(in[0]); })
      .Case<CoshOp>([&](auto) { return std::cosh(in[0]); })
      .Case<TanhOp>([&](auto) { return std::tanh(in[0]); })
      .Case<PowOp>([&](auto) { return std::pow(in[0], in[1]); })
      .Case<FPowIOp>([&](auto) { return std::pow(in[0], double(all[1].asSigned())); })
      .Case<Atan2Op>([&](auto) { return std::atan2(in[0], in[1]); })
      .Case<FToFOp>([&](auto) { return in[0]; })
      .Default([](auto) { return std::nullopt; });
}

namespace {
/// An element of a value in the body of `reduce` or `scan`.
struct Shadowed {
  Element element;
  ShadowOf shadow;
};
using Environment = llvm::DenseMap<Value, Shadowed>;
} // namespace

/// Runs the body once. None if it does something that has no counterpart in f64.
static bool runBody(const TileBlock &block, mlir::Block &body, Environment &values) {
  for (mlir::Operation &op : body.without_terminator()) {
    auto computes = llvm::dyn_cast<tile::ElementwiseOpInterface>(op);
    if (!computes)
      return false;
    SmallVector<Element> elements;
    SmallVector<double> shadows;
    int digits = ShadowOf::exactDigits;
    for (Value operand : op.getOperands()) {
      const auto known = values.find(operand);
      elements.push_back(known != values.end() ? known->second.element : block.scalar(operand));
      if (!isFloat(elements.back().format))
        continue;
      const ShadowOf in =
          known != values.end() ? known->second.shadow : ShadowOf{elements.back().asDouble()};
      shadows.push_back(in.value);
      digits = std::min(digits, in.digits);
    }
    const Element result = computes.evalElement(elements);
    std::optional<double> shadow = evaluate(&op, shadows, elements);
    if (llvm::isa<tile::SelectOp>(op) && isFloat(result.format))
      shadow = shadows[elements[0].bits ? 0 : 1];
    else if (isFloat(result.format))
      digits = std::min(digits, digitsOf(result.format));
    const double value = shadow ? *shadow : isFloat(result.format) ? result.asDouble() : 0;
    values[op.getResult(0)] = {result, {value, digits}};
  }
  return true;
}

/// Combines the elements of all operands of `reduce` or `scan`. None if the body cannot be
/// followed.
static std::optional<ShadowOf> combined(const TileBlock &block, mlir::OpResult result,
                                        int64_t element, const Shadow &shadow) {
  mlir::Operation *op = result.getOwner();
  mlir::Block &body = op->getRegion(0).front();
  SmallVector<SmallVector<Source>> sources;
  for (mlir::OpResult other : op->getResults())
    sources.push_back(sourcesOf(block, other, element));
  const auto valueOf = [&](Source source) -> Shadowed {
    const Element value = elementOf(block, source);
    return {value, isFloat(value.format) ? shadow.at(block, source) : ShadowOf{0}};
  };
  const bool isReverse = llvm::isa<tile::ScanOp>(op) && llvm::cast<tile::ScanOp>(op).getReverse();
  const size_t count = sources.front().size();
  SmallVector<Shadowed> sums;
  for (size_t step = 0; step < count; ++step) {
    const size_t at = isReverse ? count - 1 - step : step;
    Environment values;
    for (size_t operand = 0; operand < sources.size(); ++operand) {
      const Shadowed next = valueOf(sources[operand][at]);
      if (step == 0)
        sums.push_back(next);
      values[body.getArgument(2 * operand)] = next;
      values[body.getArgument(2 * operand + 1)] = sums[operand];
    }
    if (step == 0)
      continue;
    if (!runBody(block, body, values))
      return std::nullopt;
    for (auto [sum, yielded] : llvm::zip_equal(sums, body.getTerminator()->getOperands())) {
      const auto made = values.find(yielded);
      if (made == values.end())
        return std::nullopt;
      sum = made->second;
    }
  }
  return sums[result.getResultNumber()].shadow;
}

/// None if the operation begins anew.
static std::optional<ShadowOf> shadowOf(const TileBlock &block, mlir::OpResult result,
                                        int64_t element, const Shadow &shadow) {
  mlir::Operation *op = result.getOwner();
  if (tile::isAggregate(op))
    return combined(block, result, element, shadow);
  const SmallVector<Source> sources = sourcesOf(block, result, element);
  if (llvm::isa<tile::SelectOp, tile::RearrangementOpInterface, tile::CatOp>(op))
    return shadow.at(block, sources.front());
  SmallVector<Element> elements;
  SmallVector<double> values;
  int digits = digitsOf(block.tile(result).format());
  for (const Source &source : sources) {
    elements.push_back(elementOf(block, source));
    if (!isFloat(elements.back().format))
      continue;
    const ShadowOf in = shadow.at(block, source);
    values.push_back(in.value);
    digits = std::min(digits, in.digits);
  }
  if (llvm::isa<tile::MmaFOp>(op)) {
    double sum = values.front();
    for (size_t pair = 1; pair < values.size(); pair += 2)
      sum += values[pair] * values[pair + 1];
    return ShadowOf{sum, digits};
  }
  if (!llvm::isa<tile::ElementwiseOpInterface>(op))
    return std::nullopt;
  const std::optional<double> value = evaluate(op, values, elements);
  return value ? std::optional(ShadowOf{*value, digits}) : std::nullopt;
}

Shadow::Values Shadow::compute(const TileBlock &block, mlir::OpResult result) const {
  const Tile &tile = block.tile(result);
  Values values;
  for (int64_t element = 0; element < tile.size(); ++element) {
    const std::optional<ShadowOf> shadow = shadowOf(block, result, element, *this);
    values.push_back(shadow ? *shadow : ShadowOf{tile[element].asDouble()});
  }
  return values;
}

//===-- Registers -----------------------------------------------------------------------------===//

ShadowOf Shadow::at(const TileBlock &block, Source source) const {
  if (const auto ofBlock = registers.find(&block); ofBlock != registers.end())
    if (const auto found = ofBlock->second.find(source.value); found != ofBlock->second.end())
      return found->second[source.element];
  return {elementOf(block, source).asDouble()};
}

void Shadow::begin(const TileBlock &block, mlir::Operation *op) {
  if (const auto ofBlock = registers.find(&block); ofBlock != registers.end())
    for (Value result : op->getResults())
      ofBlock->second.erase(result);
}

void Shadow::define(const TileBlock &block, mlir::OpResult result) {
  const auto *tile = std::get_if<Tile>(&block.get(result));
  if (!tile || !isFloat(tile->format()))
    return;
  if (!llvm::isa<tile::MemoryAccessOpInterface>(result.getOwner())) {
    Values values = compute(block, result);
    registers[&block][result] = std::move(values);
    return;
  }
  // Elements that were not loaded are padding.
  auto &ofBlock = registers[&block];
  if (const auto found = ofBlock.find(result); found != ofBlock.end())
    for (auto [element, shadow] : llvm::enumerate(found->second))
      if (std::isnan(shadow.value))
        shadow = {(*tile)[int64_t(element)].asDouble()};
}

void Shadow::passOn(const TileBlock &block, mlir::ValueRange from, ArrayRef<mlir::ValueRange> to) {
  auto &ofBlock = registers[&block];
  SmallVector<Values> passed;
  for (Value value : from)
    passed.push_back(ofBlock.lookup(value));
  for (mlir::ValueRange targets : to)
    for (auto [target, values] : llvm::zip_equal(targets, passed))
      if (values.empty())
        ofBlock.erase(target);
      else
        ofBlock[target] = values;
}

//===-- Memory --------------------------------------------------------------------------------===//

ShadowOf Shadow::inMemory(Place place, Element value) const {
  const auto found = memory.find(place.address);
  return found == memory.end() || place.format == Format::F4E2M1FN ? ShadowOf{value.asDouble()}
                                                                   : found->second;
}

void Shadow::onLoad(const TileBlock &block, Value result, int64_t element, Place place,
                    Element value) {
  const double number = value.asDouble();
  if (std::isfinite(number)) {
    double &most = largest[&block];
    most = std::max(most, std::fabs(number));
  }
  const ShadowOf shadow = inMemory(place, value);
  Values &values = registers[&block][result];
  if (values.empty())
    values.resize(llvm::product_of(llvm::cast<tile::TileType>(result.getType()).getShape()),
                  ShadowOf{std::nan("")});
  values[element] = shadow;
}

void Shadow::onStore(Place place, Element value, ShadowOf shadow) {
  if (shadow.value == value.asDouble() && shadow.digits == ShadowOf::exactDigits)
    memory.erase(place.address);
  else
    memory[place.address] = shadow;
}

//===-- Differences ---------------------------------------------------------------------------===//

/// Half of the digits, as a relative difference.
static double toleranceOf(int digits) { return std::exp2(-(digits / 2)); }

static bool differs(double value, double shadow, double scale) {
  if (!std::isfinite(shadow))
    return false; // f64 would not help
  return !std::isfinite(value) || std::fabs(value - shadow) > scale;
}

bool Shadow::isFar(const TileBlock &block, Source source) const {
  const Element element = elementOf(block, source);
  const auto [shadow, digits] = at(block, source);
  return !element.poison && !element.isNan() &&
         differs(element.asDouble(), shadow, toleranceOf(digits) * std::fabs(shadow));
}

bool Shadow::isFarInTile(const TileBlock &block, Source source) const {
  const Tile &tile = block.tile(source.value);
  double most = 0;
  for (int64_t element = 0; element < tile.size(); ++element)
    if (const double shadow = at(block, {source.value, element}).value; std::isfinite(shadow))
      most = std::max(most, std::fabs(shadow));
  const auto [shadow, digits] = at(block, source);
  const double rounding = 4 * std::exp2(-digitsOf(tile.format())) * largest.lookup(&block);
  return differs(tile[source.element].asDouble(), shadow,
                 std::max(toleranceOf(digits) * most, rounding));
}
