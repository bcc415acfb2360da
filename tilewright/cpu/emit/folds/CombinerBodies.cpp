// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CombinerBodies.h.

#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/analysis/Selections.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// Bodies may contain any pure operation (operations, 4.11). We support operations that compute
/// elements, but no control flow and no views. All supported operations can be emitted.
static bool isSupported(mlir::Operation &inner) {
  auto isElements = [](mlir::Type type) {
    return llvm::isa<tile::TileType, tile::TokenType>(type);
  };
  return inner.getNumRegions() == 0 && llvm::all_of(inner.getOperandTypes(), isElements) &&
         llvm::all_of(inner.getResultTypes(), isElements);
}

LogicalResult CombinerBodies::check(mlir::Operation *op) {
  mlir::Block &body = op->getRegion(0).front();
  for (mlir::Operation &inner : body.without_terminator())
    if (!isSupported(inner))
      return operations.unsupported(&inner, "this operation in the body of " +
                                                op->getName().stripDialect());
  for (mlir::Type type : body.getTerminator()->getOperandTypes())
    if (llvm::cast<tile::TileType>(type).getRank() != 0)
      return operations.unsupported(op, "a body that yields a tile of rank other than 0");
  return llvm::success();
}

/// The result of a comparison between the indices of a later element and of the accumulator; none
/// if the operation is no such comparison.
static std::optional<bool> comparisonOfIndices(mlir::Operation &op) {
  auto compare = llvm::dyn_cast<tile::CmpIOp>(op);
  if (!compare)
    return std::nullopt;
  Value index = op.getBlock()->getArgument(2), accumulator = op.getBlock()->getArgument(3);
  SmallVector<numerics::Element> order;
  for (Value operand : op.getOperands()) {
    if (operand != index && operand != accumulator)
      return std::nullopt;
    mlir::Type type = llvm::cast<tile::TileType>(operand.getType()).getElementType();
    order.push_back(numerics::Element::integer(*tile::formatOf(type), operand == index));
  }
  return bool(llvm::cast<tile::ElementwiseOpInterface>(op).evalElement(order).bits);
}

/// Whether the later number is kept, with at most two comparisons.
static Value keepsLater(LoopBuilder &b, const analysis::LaterChoice &choice, Value later,
                        Value earlier) {
  using Predicate = arith::CmpFPredicate;
  static constexpr Predicate ordered[] = {Predicate::AlwaysFalse, Predicate::OEQ, Predicate::OGT,
                                          Predicate::OGE,         Predicate::OLT, Predicate::OLE,
                                          Predicate::ONE,         Predicate::ORD};
  static constexpr Predicate orNan[] = {Predicate::UNO, Predicate::UEQ,       Predicate::UGT,
                                        Predicate::UGE, Predicate::ULT,       Predicate::ULE,
                                        Predicate::UNE, Predicate::AlwaysTrue};
  auto compare = [&](Predicate predicate, Value x, Value y) -> Value {
    return arith::CmpFOp::create(b, predicate, x, y);
  };
  const unsigned known = choice.ifEqual + 2 * choice.ifGreater + 4 * choice.ifLess;
  if (choice.ifNan == choice.ifEarlierIsNan) { // the indices alone decide
    assert(choice.ifBothAreNans == choice.ifNan);
    return compare(choice.ifNan ? orNan[known] : ordered[known], later, earlier);
  }
  // If there is a NaN, the result depends on whether it is this one.
  Value deciding = choice.ifBothAreNans == choice.ifNan ? later : earlier;
  if (choice.ifBothAreNans)
    return arith::OrIOp::create(b, compare(ordered[known], later, earlier),
                                compare(Predicate::UNO, deciding, deciding));
  return arith::AndIOp::create(b, compare(orNan[known], later, earlier),
                               compare(Predicate::ORD, deciding, deciding));
}

SmallVector<Value> CombinerBodies::emitLater(tile::ReduceOp op, mlir::ValueRange elements,
                                             mlir::ValueRange accumulators) {
  std::optional<analysis::LaterChoice> choice = analysis::choiceOfLater(op);
  mlir::Type number = mlir::getElementTypeOrSelf(elements.front());
  if (!choice || !(number.isF32() || number.isF64()))
    return emit(op.getBody().front(), elements, accumulators, choice.has_value());
  Value isKept = keepsLater(b, *choice, elements.front(), accumulators.front());
  SmallVector<Value> kept;
  for (auto [element, accumulator] : llvm::zip_equal(elements, accumulators))
    kept.push_back(arith::SelectOp::create(b, isKept, element, accumulator));
  return kept;
}

SmallVector<Value> CombinerBodies::emit(mlir::Block &body, mlir::ValueRange elements,
                                        mlir::ValueRange accumulators, bool areLater) {
  llvm::DenseMap<Value, Value> values;
  for (size_t k = 0; k < elements.size(); ++k) {
    values[body.getArgument(2 * k)] = elements[k];
    values[body.getArgument(2 * k + 1)] = accumulators[k];
  }
  auto vector = llvm::dyn_cast<mlir::VectorType>(elements.front().getType());
  int64_t width = vector ? vector.getNumElements() : 1;
  auto get = [&](Value value) {
    Value known = values.lookup(value);
    return known ? known : b.splat(frame.scalar(value), width);
  };
  bool isElementwise = analysis::isElementwiseBody(body);
  if (!isElementwise)
    for (auto [argument, value] : values)
      frame.scalars.define(argument, value);
  for (mlir::Operation &op : body.without_terminator()) {
    if (!isElementwise || llvm::isa<tile::ConstantOp>(op)) {
      (void)operations.emit(&op); // tiles in the body are emitted as anywhere else
      continue;
    }
    if (std::optional<bool> known = areLater ? comparisonOfIndices(op) : std::nullopt) {
      values[op.getResult(0)] = b.splat(b.constantBits(b.getI1Type(), *known), width);
      continue;
    }
    SmallVector<Value> operands(llvm::map_range(op.getOperands(), get));
    values[op.getResult(0)] = calls.emit(&op, operands);
  }
  return SmallVector<Value>(llvm::map_range(body.getTerminator()->getOperands(), get));
}

Position cpu::inserted(Position position, int64_t dim, Value at) {
  position.at.insert(position.at.begin() + dim, at);
  if (position.lanes >= dim)
    ++position.lanes;
  return position;
}

void cpu::defineAll(Frame &frame, Buffers &buffers, mlir::ValueRange results,
                    const Position &position, mlir::ValueRange values) {
  for (auto [result, value] : llvm::zip_equal(results, values)) {
    if (tile::TileType type = tileTypeOf(result))
      buffers.write(buffers.addressOf(result), type, position, value);
    else
      frame.scalars.define(result, value);
  }
}
