// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Selections.h. The condition of the body consists only of comparisons between the two numbers
// and between the two indices. It therefore depends only on their order and on which numbers are
// NaN. A property that holds for all triples of a few samples, in every order, holds for all
// triples.

#include "tilewright/analysis/Selections.h"
#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/numerics/Convert.h"

#include <array>

using namespace tilewright;
using mlir::Operation;
using mlir::Value;
using numerics::Element;
using numerics::Format;

//===-- The form of the body ------------------------------------------------------------------===//

namespace {
/// A body that yields `condition ? element : accumulator` for all operands, or the reverse.
struct Selection {
  mlir::Block &body;
  Value condition;
  bool keepsElement; ///< If the condition holds.
};
} // namespace

static std::optional<Selection> selectionOf(mlir::Block &body) {
  std::optional<Selection> found;
  for (auto [k, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    auto select = yielded.getDefiningOp<tile::SelectOp>();
    if (!select || select->getBlock() != &body)
      return std::nullopt;
    Value element = body.getArgument(2 * k), accumulator = body.getArgument(2 * k + 1);
    Value chosen = select.getValIfTrue(), other = select.getValIfFalse();
    bool keepsElement = chosen == element && other == accumulator;
    if (!keepsElement && !(chosen == accumulator && other == element))
      return std::nullopt;
    if (found && (found->condition != select.getCond() || found->keepsElement != keepsElement))
      return std::nullopt;
    found.emplace(Selection{body, select.getCond(), keepsElement});
  }
  return found;
}

/// Whether every comparison is between the two numbers or between the two indices, those between
/// indices have the same signedness, and all other operations are logic.
static bool onlyCompares(mlir::Block &body) {
  std::optional<tile::Signedness> signedness;
  auto areArguments = [&](Operation &op) {
    std::optional<unsigned> pair; // 0: the numbers, 1: the indices
    return llvm::all_of(op.getOperands(), [&](Value value) {
      auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
      if (!argument || argument.getOwner() != &body)
        return false;
      unsigned own = argument.getArgNumber() / 2;
      return own == pair.value_or(own) && (pair = own, true);
    });
  };
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    if (auto compare = llvm::dyn_cast<tile::CmpIOp>(op)) {
      bool isSame = !signedness || *signedness == compare.getSignedness();
      signedness = compare.getSignedness();
      return isSame && areArguments(op);
    }
    if (llvm::isa<tile::CmpFOp>(op))
      return areArguments(op);
    bool isLogic = llvm::isa<tile::ElementwiseOpInterface>(op) &&
                   llvm::all_of(op.getOperandTypes(), [](mlir::Type type) {
                     return llvm::cast<tile::TileType>(type).getElementType().isInteger(1);
                   });
    return isLogic || llvm::isa<tile::SelectOp>(op);
  });
}

//===-- Its samples ---------------------------------------------------------------------------===//

/// Enough numbers for three in every order, including equal ones and NaNs, each with three indices.
static constexpr unsigned numbers = 4, indices = 3, samples = numbers * indices;

static Element numberOf(unsigned sample, Format format) {
  unsigned number = sample / indices;
  if (!numerics::info(format).isFloat())
    return Element::integer(format, number);
  return number ? numerics::roundToFormat(double(number), format) : Element::canonicalNan(format);
}

/// Whether the body keeps sample `first` (the element) rather than sample `second` (the
/// accumulator).
static bool keepsFirst(const Selection &selection, unsigned first, unsigned second) {
  llvm::DenseMap<Value, Element> values;
  auto set = [&](unsigned argument, Element element) {
    values.try_emplace(selection.body.getArgument(argument), element);
  };
  auto formatOf = [&](unsigned argument) {
    mlir::Type type = selection.body.getArgument(argument).getType();
    return *tile::formatOf(llvm::cast<tile::TileType>(type).getElementType());
  };
  set(0, numberOf(first, formatOf(0)));
  set(1, numberOf(second, formatOf(1)));
  set(2, Element::integer(formatOf(2), first % indices));
  set(3, Element::integer(formatOf(3), second % indices));
  for (Operation &op : selection.body.without_terminator()) {
    auto operands = llvm::map_to_vector(op.getOperands(), [&](Value v) { return values.at(v); });
    values.try_emplace(op.getResult(0),
                       llvm::cast<tile::ElementwiseOpInterface>(op).evalElement(operands));
  }
  return bool(values.at(selection.condition).bits) == selection.keepsElement;
}

bool analysis::isOrderFreeSelection(tile::ReduceOp op) {
  if (op.getNumOperands() != 2 ||
      !llvm::isa<mlir::IntegerType>(
          llvm::cast<tile::TileType>(op.getOperands()[1].getType()).getElementType()))
    return false;
  // The indices are distinct.
  std::optional<int64_t> stride = AxisInfo().stride(op.getOperands()[1], op.getDim());
  mlir::Block &body = op.getBody().front();
  std::optional<Selection> selection = selectionOf(body);
  if ((stride != 1 && stride != -1) || !selection || !onlyCompares(body))
    return false;

  std::array<std::array<unsigned, samples>, samples> kept;
  for (unsigned a = 0; a < samples; ++a)
    for (unsigned b = 0; b < samples; ++b)
      kept[a][b] = keepsFirst(*selection, a, b) ? a : b;
  auto differ = [](unsigned a, unsigned b) { return a % indices != b % indices; };
  for (unsigned a = 0; a < samples; ++a)
    for (unsigned b = 0; b < samples; ++b)
      for (unsigned c = 0; c < samples; ++c)
        if (differ(a, b) && differ(b, c) && differ(a, c) &&
            (kept[a][b] != kept[b][a] || kept[kept[a][b]][c] != kept[a][kept[b][c]]))
          return false;
  return true;
}

bool analysis::hasAscendingIndices(tile::ReduceOp op) {
  if (!isOrderFreeSelection(op))
    return false;
  Value indices = op.getOperands()[1];
  auto type = llvm::cast<tile::TileType>(indices.getType());
  // In a narrower integer, the last indices may be negative. If only the `iota` dimension has more
  // than one element, reshapes and broadcasts keep the sequence.
  if (type.getElementType().getIntOrFloatBitWidth() < 32 ||
      AxisInfo().stride(indices, op.getDim()) != 1)
    return false;
  while (auto moved = indices.getDefiningOp<tile::RearrangementOpInterface>())
    indices = moved.getMoved();
  auto iota = indices.getDefiningOp<tile::IotaOp>();
  return iota && llvm::cast<tile::TileType>(iota.getType()).getNumElements() ==
                     type.getShape()[op.getDim()];
}

std::optional<analysis::LaterChoice> analysis::choiceOfLater(tile::ReduceOp op) {
  if (!hasAscendingIndices(op))
    return std::nullopt;
  const std::optional<Selection> selection = selectionOf(op.getBody().front());
  // Sample 0 is a NaN, or the smallest number for integers, which have no NaN.
  auto keepsLater = [&](unsigned later, unsigned earlier) {
    return keepsFirst(*selection, later * indices + 1, earlier * indices);
  };
  return LaterChoice{keepsLater(2, 1), keepsLater(1, 1), keepsLater(1, 2),
                     keepsLater(0, 1), keepsLater(1, 0), keepsLater(0, 0)};
}
