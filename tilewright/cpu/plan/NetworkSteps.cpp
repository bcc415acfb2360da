// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NetworkSteps.h.

#include "tilewright/cpu/plan/NetworkSteps.h"
#include "tilewright/cpu/plan/Operations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

/// The most vectors from which one shuffle can take elements: it has two operands.
static constexpr size_t mostSources = 2;

bool cpu::isSingle(Value tile) {
  return llvm::cast<tile::TileType>(tile.getType()).getElementType().isF32();
}

bool cpu::keepsExtremeOfSingles(Operation *op) {
  if (!isSingle(op->getResult(0)))
    return false;
  auto larger = llvm::dyn_cast<tile::MaxFOp>(op);
  auto smaller = llvm::dyn_cast<tile::MinFOp>(op);
  return (larger && !larger.getFlushToZero()) || (smaller && !smaller.getFlushToZero());
}

bool cpu::leavesOrderOfSingles(Operation *op) {
  bool hasSingles =
      llvm::any_of(op->getOperands(), isSingle) || llvm::any_of(op->getResults(), isSingle);
  return !hasSingles || llvm::isa<tile::SelectOp>(op) || keepsExtremeOfSingles(op);
}

unsigned NetworkSteps::add(NetworkStep step) {
  work += step.kind != NetworkStep::Kind::Compute; // computations are counted in addCompute
  steps.push_back(std::move(step));
  return steps.size() - 1;
}

//===-- Elements of tiles ---------------------------------------------------------------------===//

static int64_t countOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getNumElements();
}

/// Whether all elements are equal: a scalar or a splat constant.
static bool isSplat(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  return countOf(value) == 1 || (constant && constant.getValue().isSplat());
}

/// For each element of one piece of the tile (Networks.h): the vector lane that holds it. Adds
/// steps that load the tile if no step of the program defines it.
const NetworkSteps::Elements &NetworkSteps::elementsOf(Value value) {
  auto [found, isNew] = tiles.try_emplace(value);
  Elements &elements = found->second;
  if (!isNew)
    return elements;
  if (isSplat(value)) {
    unsigned splat = add({NetworkStep::Kind::Splat, value});
    elements.assign(std::max<int64_t>(1, countOf(value) / pieces), {splat, -1});
    return elements;
  }
  for (int64_t vector = 0; vector < countOf(value) / pieces / lanes; ++vector) {
    unsigned load = add({NetworkStep::Kind::Load, value, nullptr, vector});
    for (int64_t lane = 0; lane < lanes; ++lane)
      elements.push_back({load, lane});
  }
  return elements;
}

bool NetworkSteps::needsFewSources(ArrayRef<Lane> elements) const {
  llvm::SmallSetVector<unsigned, 4> sources;
  for (const Lane &element : elements)
    sources.insert(element.step);
  return sources.size() <= mostSources;
}

/// Whether each vector of the tile exists, or takes one shuffle.
bool NetworkSteps::needsFewShuffles(Value value) {
  if (llvm::is_contained(waiting, value.getDefiningOp()))
    return true;
  ArrayRef<Lane> left = elementsOf(value);
  for (; int64_t(left.size()) >= lanes; left = left.drop_front(lanes))
    if (!needsFewSources(left.take_front(lanes)))
      return false;
  return true;
}

unsigned NetworkSteps::shuffle(unsigned first, unsigned second, SmallVector<int64_t, 16> pattern) {
  auto [known, isNew] =
      shuffles.try_emplace({first, second, std::vector<int64_t>(pattern.begin(), pattern.end())});
  if (isNew)
    known->second =
        add({NetworkStep::Kind::Shuffle, {}, nullptr, 0, {first, second}, std::move(pattern)});
  return known->second;
}

/// The step that defines a vector of these elements; adds a shuffle if there is none.
unsigned NetworkSteps::sideBySide(ArrayRef<Lane> elements) {
  auto isInPlace = [&](unsigned step) {
    return llvm::all_of(llvm::enumerate(elements), [&](auto element) {
      auto [number, lane] = element;
      return lane.step == step && (lane.lane < 0 || lane.lane == int64_t(number));
    });
  };
  unsigned first = elements.front().step, second = first;
  if (isInPlace(first))
    return first;
  SmallVector<int64_t, 16> pattern;
  for (auto [number, element] : llvm::enumerate(elements)) {
    second = element.step != first ? element.step : second;
    pattern.push_back((element.lane < 0 ? int64_t(number) : element.lane) +
                      (element.step == first ? 0 : lanes));
  }
  return shuffle(first, second, std::move(pattern));
}

//===-- Operations ----------------------------------------------------------------------------===//

bool NetworkSteps::addMove(Operation *op, ArrayRef<MovedElement> moves) {
  computeWaiting();
  int64_t count = moves.size() / pieces;
  Elements elements;
  for (const MovedElement &move : moves.take_front(count)) {
    const Elements &from = elementsOf(move.from);
    elements.push_back(from[from.size() == 1 ? 0 : move.element]);
  }
  tiles[op->getResult(0)] = std::move(elements);
  return needsFewShuffles(op->getResult(0));
}

int64_t NetworkSteps::vectorsOfWaiting() const {
  return waiting.empty() ? 0 : countOf(waiting.front()->getResult(0)) / pieces / lanes;
}

bool NetworkSteps::addCompute(Operation *op) {
  if (!waiting.empty() && countOf(waiting.front()->getResult(0)) != countOf(op->getResult(0)))
    computeWaiting();
  for (Value operand : op->getOperands())
    if (!needsFewShuffles(operand))
      return false;
  waiting.push_back(op);
  int64_t vectors = vectorsOfWaiting(), instructions = 1 + costOf(op) / costPerInstruction;
  int64_t byOrder = keepsExtremeOfSingles(op) ? 1 : instructions;
  work += vectors * byOrder;
  moreWithoutOrder += vectors * (instructions - byOrder);
  goesByOrder &= leavesOrderOfSingles(op);
  return true;
}

/// The step that defines one vector of an operand, for the operations that are being computed.
unsigned NetworkSteps::operandOf(Value value, int64_t vector) {
  if (auto mine = current.find(value); mine != current.end())
    return mine->second;
  ArrayRef<Lane> elements = elementsOf(value);
  return elements.size() == 1 ? elements.front().step
                              : sideBySide(elements.slice(vector * lanes, lanes));
}

void NetworkSteps::computeWaiting() {
  int64_t vectors = vectorsOfWaiting();
  std::vector<Elements> results(waiting.size());
  for (int64_t vector = 0; vector < vectors; ++vector) {
    current.clear();
    for (auto [op, elements] : llvm::zip_equal(waiting, results)) {
      NetworkStep step{NetworkStep::Kind::Compute, op->getResult(0), op, vector};
      for (Value operand : op->getOperands())
        step.operands.push_back(operandOf(operand, vector));
      unsigned number = add(std::move(step));
      current[op->getResult(0)] = number;
      for (int64_t lane = 0; lane < lanes; ++lane)
        elements.push_back({number, lane});
    }
  }
  current.clear();
  for (auto [op, elements] : llvm::zip_equal(waiting, results))
    tiles[op->getResult(0)] = std::move(elements);
  waiting.clear();
}

std::optional<std::vector<NetworkStep>> NetworkSteps::take(ArrayRef<Value> results) {
  computeWaiting();
  for (Value result : results) {
    if (!needsFewShuffles(result))
      return std::nullopt;
    ArrayRef<Lane> elements = elementsOf(result);
    for (int64_t vector = 0; vector < int64_t(elements.size()) / lanes; ++vector) {
      unsigned made = sideBySide(elements.slice(vector * lanes, lanes));
      add({NetworkStep::Kind::Store, result, nullptr, vector, {made}});
    }
  }
  return std::move(steps);
}
