// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes assert and assume. A false `assert` is reported for every false element; the launch
// fails but continues. A false `assume` is undefined behaviour of the kernel (operations, 6.1 and
// 6.2; types, 8).

#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/support/Shape.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::Twine;

static LogicalResult execute(TileBlock &block, tile::AssertOp op) {
  expectDefined(block, op, op.getCondition(), "the condition");
  if (!block.launch().options.checks.has(Check::Assert))
    return llvm::success();
  const Tile &condition = block.tile(op.getCondition());
  for (int64_t i = 0; i < condition.size(); ++i)
    if (!condition[i].poison && !condition[i].bits) {
      std::string element = support::coordinateText(condition.shape(), i);
      Finding finding = block.finding(FindingKind::FailedAssert, op,
                                      "assertion failed: " + op.getMessage() +
                                          (element.empty() ? "" : " at " + element));
      finding.rule = &ruleOf(Check::Assert);
      finding.element = element;
      block.add(std::move(finding));
    }
  return llvm::success();
}

//===-- assume ------------------------------------------------------------===//

static std::string elementText(const Tile &value, int64_t i) {
  std::string element = support::coordinateText(value.shape(), i);
  std::string text = numerics::info(value.format()).isPointer()
                         ? "0x" + llvm::utohexstr(value[i].bits)
                         : std::to_string(value[i].asSigned());
  return (element.empty() ? "" : "element " + element + " = ") + text;
}

/// Divisors are powers of two, so the low bits decide for signed and unsigned values alike.
static bool isDivisible(Element element, uint64_t divisor) {
  uint64_t bits =
      numerics::info(element.format).isPointer() ? element.bits : uint64_t(element.asSigned());
  return (bits & (divisor - 1)) == 0;
}

// The violation and the element concerned; none if the assumption holds. Elements without a
// specified value are skipped: they are reported where they are used.

static std::optional<std::string> violation(tile::DivByAttr assumption, const Tile &value,
                                            tile::TileType type) {
  int64_t every = assumption.getEvery().value_or(1);
  if (every == 0) // has no effect (operations, 6.2)
    return std::nullopt;
  int64_t dim = assumption.getAlong().value_or(0);
  int64_t stride = value.rank() ? support::strideOf(value.shape(), dim) : 1;
  int64_t extent = value.rank() ? value.shape()[dim] : 1;
  for (int64_t i = 0; i < value.size(); ++i) {
    int64_t inRun = i / stride % extent % every;
    Element first = value[i - inRun * stride];
    if (value[i].poison || first.poison)
      continue;
    if (inRun == 0 && !isDivisible(value[i], assumption.getDivisor()))
      return elementText(value, i) + " is not divisible by " +
             std::to_string(assumption.getDivisor());
    int64_t away = inRun;
    if (auto pointer = llvm::dyn_cast<tile::PointerType>(type.getElementType()))
      away = inRun * numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits / 8;
    if (value[i] != Element::integer(value.format(), int64_t(first.bits + away)))
      return elementText(value, i) + " does not continue the run of " +
             elementText(value, i - inRun * stride);
  }
  return std::nullopt;
}

static std::optional<std::string> violation(tile::SameElementsAttr assumption, const Tile &value) {
  ArrayRef<int64_t> blocks = assumption.getValues();
  if (llvm::is_contained(blocks, 0)) // has no effect (operations, 6.2)
    return std::nullopt;
  auto strides = support::rowMajorStrides<llvm::SmallVector<int64_t>>(value.shape());
  for (int64_t i = 0; i < value.size(); ++i) {
    int64_t first = i;
    for (auto [dim, stride] : llvm::enumerate(strides))
      first -= i / stride % value.shape()[dim] % blocks[dim] * stride;
    if (!value[i].poison && !value[first].poison && value[i] != value[first])
      return elementText(value, i) + " is not equal to " + elementText(value, first);
  }
  return std::nullopt;
}

static std::optional<std::string> violation(tile::BoundedAttr assumption, const Tile &value) {
  for (int64_t i = 0; i < value.size(); ++i) {
    Element element = value[i];
    if (element.poison)
      continue;
    if (assumption.getLb() && element.asSigned() < *assumption.getLb())
      return elementText(value, i) + " is less than " + std::to_string(*assumption.getLb());
    if (assumption.getUb() && element.asSigned() > *assumption.getUb())
      return elementText(value, i) + " is greater than " + std::to_string(*assumption.getUb());
  }
  return std::nullopt;
}

/// Whether the value is used only as a stride. An assumption about it then matters only if the
/// stride does.
static bool isOnlyStride(mlir::Value value) {
  return !value.use_empty() && llvm::all_of(value.getUses(), [](mlir::OpOperand &use) {
    if (auto assume = llvm::dyn_cast<tile::AssumeOp>(use.getOwner()))
      return isOnlyStride(assume.getResult());
    auto view = llvm::dyn_cast<tile::MakeTensorViewOp>(use.getOwner());
    return view && llvm::is_contained(view.getDynamicStrides(), use.get()) &&
           !llvm::is_contained(view.getDynamicShape(), use.get());
  });
}

static LogicalResult execute(TileBlock &block, tile::AssumeOp op) {
  Register value = block.get(op.getValue());
  std::optional<std::string> broken;
  if (auto *view = std::get_if<TensorView>(&value)) {
    uint64_t divisor = llvm::cast<tile::DivByAttr>(op.getPredicate()).getDivisor();
    if (!view->base.poison && !isDivisible(view->base, divisor))
      broken = "base 0x" + llvm::utohexstr(view->base.bits) + " is not divisible by " +
               std::to_string(divisor);
  } else {
    const Tile &tile = std::get<Tile>(value);
    if (auto divBy = llvm::dyn_cast<tile::DivByAttr>(op.getPredicate()))
      broken = violation(divBy, tile, llvm::cast<tile::TileType>(op.getType()));
    else if (auto same = llvm::dyn_cast<tile::SameElementsAttr>(op.getPredicate()))
      broken = violation(same, tile);
    else
      broken = violation(llvm::cast<tile::BoundedAttr>(op.getPredicate()), tile);
  }
  std::string what = broken ? "the assumption is false: " + *broken : "";
  if (isOnlyStride(op.getResult()))
    block.falseStrideAssumptions[op] = what;
  else if (broken)
    block.reportOnce(Check::Assumption, op, what);
  return block.define(op.getResult(), std::move(value));
}

/// The stride of a dimension with the single coordinate 0 is never used (operations, 8.1).
void reference::checkStrideAssumptions(TileBlock &block, tile::MakeTensorViewOp op,
                                       const TensorView &view) {
  auto type = llvm::cast<tile::TensorViewType>(op.getResult().getType());
  mlir::OperandRange strides = op.getDynamicStrides();
  for (auto [dim, stride] : llvm::enumerate(type.getStrides())) {
    if (!mlir::ShapedType::isDynamic(stride))
      continue;
    Element extent = view.extents[dim];
    auto assume = strides.front().getDefiningOp<tile::AssumeOp>();
    strides = strides.drop_front();
    if (!extent.poison && extent.bits <= 1)
      continue;
    for (; assume; assume = assume.getValue().getDefiningOp<tile::AssumeOp>()) {
      std::string what = block.falseStrideAssumptions.lookup(assume);
      if (what.empty())
        continue;
      Finding finding =
          block.finding(FindingKind::Misbehaviour, assume, nameOf(assume) + ": " + what);
      finding.rule = &ruleOf(Check::Assumption);
      finding.related.push_back({op.getLoc(), "the stride of dimension " + std::to_string(dim) +
                                                  ", which has more than one coordinate"});
      block.reportOnce(std::move(finding));
    }
  }
}

Execute reference::assumptionsExecutor(mlir::Operation *op) {
  return firstOf<tile::AssertOp, tile::AssumeOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
