// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a kernel's assumptions at run time. A false `assume` is undefined behaviour (operations,
// 6.2), so compiled code may do anything. For devices that check, this pass inserts an assert in
// front of each assumption about an integer. A stride matters only if its dimension has more than
// one coordinate (operations, 8.1).

#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_CHECKASSUMPTIONS
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace tilewright;
using mlir::Value;

//===-- Messages ----------------------------------------------------------------------------===//

static constexpr llvm::StringLiteral assumption = "assume ", doesNotHold = " does not hold";

bool lower::isFalseAssumption(llvm::StringRef message) {
  const bool isOfPredicate = message.consume_front(assumption) &&
                             (message.starts_with("div_by<") || message.starts_with("bounded<"));
  return isOfPredicate && message.ends_with(doesNotHold);
}

//===-- Tile IR arithmetic ------------------------------------------------------------------===//

namespace {
/// Builds scalar operations in front of an assumption, with its location.
class Scalars {
public:
  explicit Scalars(tile::AssumeOp op) : builder(op), location(op.getLoc()) {}

  Value constant(mlir::Type type, int64_t value) {
    auto tileType = llvm::cast<tile::TileType>(type);
    const unsigned bits = tileType.getElementType().getIntOrFloatBitWidth();
    const llvm::APInt element = llvm::APInt(64, uint64_t(value), true).sextOrTrunc(bits);
    return tile::ConstantOp::create(builder, location, tileType,
                                    mlir::DenseElementsAttr::get(tileType, element));
  }
  Value compare(tile::ComparisonPredicate predicate, Value value, int64_t bound,
                tile::Signedness signedness) {
    auto type = llvm::cast<tile::TileType>(value.getType());
    return tile::CmpIOp::create(builder, location,
                                tile::TileType::get(type.getShape(), builder.getI1Type()),
                                predicate, value, constant(type, bound), signedness);
  }
  /// Null operands stand for false in `either` and for true in `both`.
  Value either(Value lhs, Value rhs) {
    return !lhs ? rhs : !rhs ? lhs : join<tile::OrIOp>(lhs, rhs);
  }
  Value both(Value lhs, Value rhs) {
    return !lhs ? rhs : !rhs ? lhs : join<tile::AndIOp>(lhs, rhs);
  }
  Value lowBits(Value value, int64_t mask) {
    return tile::AndIOp::create(builder, location, value.getType(), value,
                                constant(value.getType(), mask));
  }
  void require(Value condition, const std::string &message) {
    tile::AssertOp::create(builder, location, condition, message);
  }

private:
  template <typename Operation> Value join(Value lhs, Value rhs) {
    return Operation::create(builder, location, lhs.getType(), lhs, rhs);
  }

  mlir::OpBuilder builder;
  mlir::Location location;
};
} // namespace

//===-- Conditions --------------------------------------------------------------------------===//

/// The condition that a scalar integer must satisfy; null if the predicate is not about integers,
/// or the value is a tile of several elements.
static Value conditionOf(tile::AssumeOp op, Scalars &scalars) {
  using tile::ComparisonPredicate;
  using tile::Signedness;
  Value value = op.getValue();
  if (auto divBy = llvm::dyn_cast<tile::DivByAttr>(op.getPredicate()))
    return divBy.getEvery() == 0
               ? Value()
               : scalars.compare(ComparisonPredicate::Equal,
                                 scalars.lowBits(value, int64_t(divBy.getDivisor() - 1)), 0,
                                 Signedness::Unsigned);
  auto bounded = llvm::dyn_cast<tile::BoundedAttr>(op.getPredicate());
  if (!bounded)
    return {};
  Value lower, upper;
  if (bounded.getLb())
    lower = scalars.compare(ComparisonPredicate::GreaterThanOrEqual, value, *bounded.getLb(),
                            Signedness::Signed);
  if (bounded.getUb())
    upper = scalars.compare(ComparisonPredicate::LessThanOrEqual, value, *bounded.getUb(),
                            Signedness::Signed);
  return scalars.both(lower, upper);
}

/// A view, and the dimension whose stride the value is.
using StrideUse = std::pair<tile::MakeTensorViewOp, size_t>;

/// Collects all uses as strides, also through other assumptions; false if there are other uses.
static bool collectStrides(Value value, llvm::SmallVector<StrideUse> &strides) {
  return llvm::all_of(value.getUses(), [&](mlir::OpOperand &use) {
    if (auto assume = llvm::dyn_cast<tile::AssumeOp>(use.getOwner()))
      return collectStrides(assume.getResult(), strides);
    auto view = llvm::dyn_cast<tile::MakeTensorViewOp>(use.getOwner());
    if (!view || llvm::is_contained(view.getDynamicShape(), value) || view.getBase() == value)
      return false;
    auto type = llvm::cast<tile::TensorViewType>(view.getResult().getType());
    size_t number = 0;
    for (auto [dim, stride] : llvm::enumerate(type.getStrides()))
      if (mlir::ShapedType::isDynamic(stride) && view.getDynamicStrides()[number++] == value)
        strides.push_back({view, dim});
    return true;
  });
}

/// The operand for the extent of a dimension; null if it is static.
static Value extentOf(tile::MakeTensorViewOp view, size_t dim) {
  auto type = llvm::cast<tile::TensorViewType>(view.getResult().getType());
  if (!mlir::ShapedType::isDynamic(type.getShape()[dim]))
    return {};
  const auto before = type.getShape().take_front(dim);
  return view.getDynamicShape()[size_t(llvm::count_if(before, mlir::ShapedType::isDynamic))];
}

static Value withoutAssumptions(Value value) {
  while (auto assume = value.getDefiningOp<tile::AssumeOp>())
    value = assume.getValue();
  return value;
}

//===-- The pass ----------------------------------------------------------------------------===//

namespace {
struct CheckAssumptionsPass : tilewright::lower::impl::CheckAssumptionsBase<CheckAssumptionsPass> {
  void runOnOperation() override {
    const mlir::DominanceInfo dominance(getOperation());
    llvm::SmallVector<tile::AssumeOp> all;
    getOperation()->walk([&](tile::AssumeOp op) { all.push_back(op); });
    for (tile::AssumeOp op : all)
      check(op, dominance);
  }

private:
  static void check(tile::AssumeOp op, const mlir::DominanceInfo &dominance);
  /// The condition under which strides that are used like this do not matter: each dimension has
  /// one coordinate. A null value means never; none means always, or that the condition cannot be
  /// computed in front of the assumption.
  static std::optional<Value> hasOneCoordinate(llvm::ArrayRef<StrideUse> strides, tile::AssumeOp op,
                                               Scalars &scalars,
                                               const mlir::DominanceInfo &dominance);
};
} // namespace

std::optional<Value> CheckAssumptionsPass::hasOneCoordinate(llvm::ArrayRef<StrideUse> strides,
                                                            tile::AssumeOp op, Scalars &scalars,
                                                            const mlir::DominanceInfo &dominance) {
  llvm::SmallVector<Value> extents;
  for (auto [view, dim] : strides) {
    Value extent = extentOf(view, dim);
    auto type = llvm::cast<tile::TensorViewType>(view.getResult().getType());
    if (!extent && type.getShape()[dim] > 1)
      return Value();
    if (!extent)
      continue;
    extents.push_back(withoutAssumptions(extent));
    if (!dominance.properlyDominates(extents.back(), op))
      return std::nullopt;
  }
  if (extents.empty())
    return std::nullopt; // all extents are 1: nothing to check
  Value all;
  for (Value extent : extents)
    all = scalars.both(all, scalars.compare(tile::ComparisonPredicate::LessThanOrEqual, extent, 1,
                                            tile::Signedness::Unsigned));
  return all;
}

void CheckAssumptionsPass::check(tile::AssumeOp op, const mlir::DominanceInfo &dominance) {
  auto type = llvm::dyn_cast<tile::TileType>(op.getValue().getType());
  if (!type || !type.getShape().empty() || !type.getElementType().isInteger())
    return;
  Scalars scalars(op);
  llvm::SmallVector<StrideUse> strides;
  std::optional<Value> isUnused = Value();
  if (!op.getResult().use_empty() && collectStrides(op.getResult(), strides))
    isUnused = hasOneCoordinate(strides, op, scalars, dominance);
  Value condition = isUnused ? conditionOf(op, scalars) : Value();
  if (!condition)
    return;
  std::string predicate;
  llvm::raw_string_ostream out(predicate);
  out << op.getPredicate();
  llvm::StringRef name = predicate;
  name.consume_front("#cuda_tile.");
  scalars.require(scalars.either(condition, *isUnused), (assumption + name + doesNotHold).str());
}
