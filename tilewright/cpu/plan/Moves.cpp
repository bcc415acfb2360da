// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Moves.h.

#include "tilewright/cpu/plan/Moves.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/support/Shape.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

using Moves = std::vector<MovedElement>;

/// Calls `visit` with the coordinates of each element, in row-major order.
template <typename Visit> static void forEachElement(ArrayRef<int64_t> shape, Visit visit) {
  SmallVector<int64_t> at(shape.size(), 0);
  for (int64_t left = llvm::product_of(shape); left > 0; --left) {
    visit(ArrayRef<int64_t>(at));
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++at[dim] < shape[dim])
        break;
      at[dim] = 0;
    }
  }
}

/// Where the elements of the result begin in the source, as given by the selectors; none if these
/// are not constant, or select a slice that does not exist.
static std::optional<int64_t> firstElement(tile::RearrangementOpInterface op) {
  int64_t first = 0;
  for (auto [selector, step] : llvm::zip_equal(op.getSelectors(), op.getSelectorSteps())) {
    auto constant = selector.getDefiningOp<tile::ConstantOp>();
    if (!constant)
      return std::nullopt;
    first += constant.getValue().getSplatValue<llvm::APInt>().getZExtValue() * step;
  }
  return first;
}

static std::optional<Moves> movesOfRearrangement(tile::RearrangementOpInterface op) {
  Value source = op.getMoved();
  std::optional<int64_t> first = firstElement(op);
  int64_t count = llvm::cast<tile::TileType>(source.getType()).getNumElements();
  if (!first)
    return std::nullopt;
  Moves moves;
  SmallVector<int64_t> steps = op.getElementSteps();
  bool exists = true;
  forEachElement(tileTypeOf(op->getResult(0)).getShape(), [&](ArrayRef<int64_t> at) {
    int64_t element = *first;
    for (auto [coordinate, step] : llvm::zip_equal(at, steps))
      element += coordinate * step;
    exists &= element < count;
    moves.push_back({source, element});
  });
  return exists ? std::optional(std::move(moves)) : std::nullopt;
}

static Moves movesOfCat(tile::CatOp op) {
  int64_t dim = op.getDim();
  ArrayRef<int64_t> part = op.getLhs().getType().getShape();
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(part);
  Moves moves;
  forEachElement(op.getResult().getType().getShape(), [&](ArrayRef<int64_t> at) {
    bool isLhs = at[dim] < part[dim];
    int64_t element = isLhs ? 0 : -part[dim] * strides[dim];
    for (auto [coordinate, stride] : llvm::zip_equal(at, strides))
      element += coordinate * stride;
    moves.push_back({isLhs ? Value(op.getLhs()) : Value(op.getRhs()), element});
  });
  return moves;
}

static std::optional<Moves> movesOfSelect(tile::SelectOp op) {
  auto condition = op->getOperand(0).getDefiningOp<tile::ConstantOp>();
  if (!condition)
    return std::nullopt;
  Moves moves;
  for (auto [element, bit] : llvm::enumerate(condition.getValue().getValues<llvm::APInt>()))
    moves.push_back({op->getOperand(bit.isZero() ? 2 : 1), int64_t(element)});
  return moves;
}

std::optional<Moves> cpu::movesOf(mlir::Operation *op) {
  if (op->getNumResults() != 1 || !tileTypeOf(op->getResult(0)))
    return std::nullopt;
  return llvm::TypeSwitch<mlir::Operation *, std::optional<Moves>>(op)
      .Case([](tile::RearrangementOpInterface moved) { return movesOfRearrangement(moved); })
      .Case([](tile::CatOp cat) { return movesOfCat(cat); })
      .Case([](tile::SelectOp select) { return movesOfSelect(select); })
      .Default([](mlir::Operation *) { return std::nullopt; });
}
