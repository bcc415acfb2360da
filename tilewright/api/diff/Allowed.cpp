// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Allowed.h.

#include "tilewright/api/diff/Allowed.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/Types.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using numerics::Element;
using numerics::Format;

static Format formatOf(mlir::Value value) {
  return *tile::formatOf(llvm::cast<tile::TileType>(value.getType()).getElementType());
}

//===-- Functions ---------------------------------------------------------------------------===//

namespace {
/// The maximal error of a function in units of the last place (arithmetic, 3.4).
struct FunctionError {
  llvm::StringLiteral name;
  double f32, f64;
};
} // namespace

static constexpr FunctionError functionErrors[] = {
    {"rsqrt", 2, 1}, {"exp", 2, 1},   {"exp2", 2, 1}, {"log", 1, 1},   {"log2", 1, 1},
    {"sin", 2, 2},   {"cos", 2, 2},   {"tan", 4, 2},  {"sinh", 3, 2},  {"cosh", 2, 1},
    {"tanh", 2, 1},  {"atan2", 3, 2}, {"pow", 4, 2},  {"fpowi", 4, 2},
};

/// Null for other operations.
static const FunctionError *functionError(Operation *op) {
  const auto *row = llvm::find_if(functionErrors, [&](const FunctionError &error) {
    return error.name == op->getName().stripDialect();
  });
  return row == std::end(functionErrors) ? nullptr : row;
}

static bool isRounded(Operation *op, tile::RoundingMode mode) {
  auto rounding = op->getAttrOfType<tile::RoundingModeAttr>("rounding_mode");
  return rounding && rounding.getValue() == mode;
}

static void allowFunction(Operation *op, Allowance &allowance) {
  const bool isApproximate = isRounded(op, tile::RoundingMode::Approx);
  if (llvm::isa<tile::DivFOp>(op) && (isApproximate || isRounded(op, tile::RoundingMode::Full)))
    allowance.ulps = 2;
  if (llvm::isa<tile::SqrtOp>(op) && isApproximate)
    allowance.ulps = 2; // relative 2^-23
  const FunctionError *error = functionError(op);
  if (!error)
    return;
  const Format format = formatOf(op->getResult(0));
  allowance.ulps = format == Format::F64 ? error->f64 : format == Format::F32 ? error->f32 : 1;
  if (llvm::isa<tile::ExpOp>(op) && isApproximate)
    allowance.ulpsByOperand = 1.173;
  if (llvm::isa<tile::TanhOp>(op) && isApproximate)
    allowance.ulps = 1 << 13; // relative 2^-11
}

//===-- Sums --------------------------------------------------------------------------------===//

/// The relative error of one addition, truncating adders included (arithmetic, 4.30).
static double unitOf(Format format) {
  return std::ldexp(1.0, -numerics::info(format).mantissaBits);
}

static double productAllowance(tile::MatmulOpInterface op) {
  const auto lhs = llvm::cast<tile::TileType>(op.getLhs().getType());
  const Format operand = formatOf(op.getLhs()), sum = formatOf(op.getAcc());
  if (!numerics::info(sum).isFloat())
    return 0;
  const bool isNarrow =
      llvm::isa<tile::MmaFOp>(op) && (operand == Format::F8E4M3FN || operand == Format::F8E5M2);
  const double unit = isNarrow ? std::ldexp(1.0, -13) : unitOf(sum);
  return 2 * double(lhs.getShape().back() + 1) * unit;
}

/// Whether the order in which the body combines elements shows in the result.
static bool hasRoundingBody(Operation *aggregate) {
  return llvm::any_of(aggregate->getRegion(0).front(), [](Operation &op) {
    return op.hasAttr("rounding_mode") || functionError(&op);
  });
}

/// Whether the body adds and multiplies its arguments, and does nothing else.
static bool isPolynomial(Operation *aggregate) {
  mlir::Block &body = aggregate->getRegion(0).front();
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    return llvm::isa<tile::AddFOp, tile::MulFOp>(op) &&
           llvm::all_of(op.getOperands(),
                        [&](mlir::Value operand) { return operand.getParentBlock() == &body; });
  });
}

static double aggregateAllowance(Operation *op) {
  if (!hasRoundingBody(op))
    return 0;
  const auto type = llvm::cast<tile::TileType>(op->getOperand(0).getType());
  const auto dim = op->getAttrOfType<mlir::IntegerAttr>("dim").getInt();
  return 2 * double(type.getShape()[size_t(dim)]) * unitOf(formatOf(op->getResult(0)));
}

//===-- All operations ----------------------------------------------------------------------===//

Allowance api::allowanceOf(Operation *op) {
  Allowance allowance;
  const bool isProduct = llvm::isa<tile::MatmulOpInterface>(op);
  const bool isElementwise = llvm::isa<tile::ElementwiseOpInterface>(op);
  const bool changesSign = llvm::isa<tile::AbsFOp, tile::NegFOp>(op);
  allowance.anyNan = isProduct || tile::isAggregate(op) || changesSign ||
                     (isElementwise && !op->hasTrait<tile::KeepsNanBits>());
  if (isElementwise)
    allowFunction(op, allowance);
  if (isProduct)
    allowance.ofMagnitudes = productAllowance(llvm::cast<tile::MatmulOpInterface>(op));
  if (tile::isAggregate(op))
    allowance.ofMagnitudes = aggregateAllowance(op);
  allowance.keepsInfinities = isProduct || (tile::isAggregate(op) && isPolynomial(op));
  if (allowance.ofMagnitudes != 0)
    allowance.ulps = 1;
  allowance.flushes = allowance.ulps != 0 && op->hasAttr("flush_to_zero");
  return allowance;
}

std::string Allowance::toString() const {
  if (ofMagnitudes != 0)
    return llvm::formatv("within {0:e2} of the sum of magnitudes of", ofMagnitudes);
  if (ulpsByOperand != 0)
    return llvm::formatv("within {0:f0} + {1:f3} |x| ulp of", ulps, ulpsByOperand);
  return ulps == 0 ? "exactly" : llvm::formatv("within {0:f0} ulp of", ulps).str();
}

//===-- Comparing ---------------------------------------------------------------------------===//

/// Numbers of a format in ascending order, so that neighbours differ by 1.
static double orderOf(Element element, bool flushes) {
  const numerics::FormatInfo &info = numerics::info(element.format);
  double magnitude = double(element.bits & info.magnitudeMask());
  if (flushes)
    magnitude = std::max(0.0, magnitude - std::ldexp(1.0, info.mantissaBits) + 1);
  return element.isNegative() ? -magnitude : magnitude;
}

static bool isNearSum(const Allowance &allowance, const Required &required, Element found) {
  // Subnormal details are open, too.
  const double subnormal = std::ldexp(1.0, numerics::info(found.format).minExponent());
  const double bound =
      allowance.ofMagnitudes * required.magnitudes + (required.magnitudes < 1 ? subnormal : 0);
  return std::isfinite(bound) && std::abs(found.asDouble() - required.value.asDouble()) <= bound;
}

bool api::mayOverflow(const Allowance &allowance, const Required &required, Element found) {
  if (required.isNeverFinite && std::isfinite(found.asDouble()))
    return false;
  const Format format = required.value.format;
  const Element largest = Element::fromBits(format, numerics::info(format).largest);
  return allowance.ofMagnitudes != 0 && required.magnitudes > largest.asDouble();
}

bool api::allows(const Allowance &allowance, const Required &required, Element found) {
  const Element value = required.value;
  if (value.bits == found.bits)
    return true;
  if (!numerics::info(value.format).isFloat())
    return false;
  if (value.isNan() || found.isNan())
    return allowance.anyNan && value.isNan() && found.isNan();
  const double ulps = allowance.ulps + std::floor(allowance.ulpsByOperand * required.operand);
  if (ulps == 0)
    return false;
  if (std::abs(orderOf(value, allowance.flushes) - orderOf(found, allowance.flushes)) <= ulps)
    return true;
  return allowance.ofMagnitudes != 0 && isNearSum(allowance, required, found);
}
