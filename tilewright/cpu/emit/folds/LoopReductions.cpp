// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoopReductions.h.

#include "tilewright/cpu/emit/folds/LoopReductions.h"
#include "tilewright/cpu/emit/folds/Ranks.h"
#include "tilewright/cpu/plan/Plan.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

SmallVector<Value> LoopReductions::toCombine(mlir::Operation *member, SmallVector<Value> elements) {
  auto reduce = llvm::dyn_cast<tile::ReduceOp>(member);
  if (std::optional<Ranks> ranks = reduce ? Ranks::of(reduce, target) : std::nullopt)
    elements.front() = ranks->ofFloat(b, elements.front());
  return elements;
}

SmallVector<Value> LoopReductions::combine(const InnerLoop &loop, ArrayRef<Value> elements,
                                           ArrayRef<Value> accumulators, bool areLater) {
  SmallVector<Value> results;
  for (mlir::Operation *member : loop.members)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(member)) {
      b.setPlace(member->getLoc());
      size_t count = reduce.getNumOperands(), first = results.size();
      auto mine = elements.slice(first, count), soFar = accumulators.slice(first, count);
      if (std::optional<Ranks> ranks = Ranks::of(reduce, target)) {
        results.push_back(ranks->kept(b, mine.front(), soFar.front()));
        continue;
      }
      llvm::append_range(results, areLater ? bodies.emitLater(reduce, mine, soFar)
                                           : bodies.emit(reduce.getBody().front(), mine, soFar));
    }
  return results;
}

SmallVector<Value> LoopReductions::neutralElements(const InnerLoop &loop) {
  SmallVector<Value> found;
  for (mlir::Operation *member : loop.members)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(member)) {
      std::optional<uint64_t> neutral = plan.folds.find(reduce)->second.neutral;
      if (std::optional<Ranks> ranks = Ranks::of(reduce, target)) {
        found.push_back(ranks->lowest(b, loop.width));
      } else if (neutral) {
        mlir::Type type = tileTypeOf(reduce.getOperands()[0]).getElementType();
        found.push_back(b.splat(b.constantElement(type, *neutral), loop.width));
      } else {
        return {};
      }
    }
  return found;
}

/// Extracts `lanes` lanes from `first` on; lanes after the end of `vector` repeat its last one.
static Value lanesFrom(LoopBuilder &b, Value vector, int64_t first, int64_t lanes) {
  int64_t last = llvm::cast<mlir::VectorType>(vector.getType()).getNumElements() - 1;
  auto chosen = llvm::map_to_vector(llvm::seq(lanes),
                                    [&](int64_t lane) { return std::min(first + lane, last); });
  return mlir::vector::ShuffleOp::create(b, vector, vector, chosen);
}

/// Combines the lanes of each value: upper halves with lower halves, until one is left. Vectors
/// become no shorter than the smallest register: shorter ones are no faster, and some instructions
/// have no such form.
SmallVector<Value> LoopReductions::combineLanes(const InnerLoop &loop, SmallVector<Value> values) {
  constexpr int64_t registerBits = 128;
  const int64_t width = loop.width;
  if (width == 1)
    return values;
  int64_t least = 1; // lanes
  for (Value value : values)
    least =
        std::max(least, registerBits / mlir::getElementTypeOrSelf(value).getIntOrFloatBitWidth());
  for (int64_t half = width / 2; half > 0; half /= 2) {
    int64_t lanes = std::max(half, std::min(least, width));
    auto from = [&](int64_t first) {
      return llvm::map_to_vector(values,
                                 [&](Value value) { return lanesFrom(b, value, first, lanes); });
    };
    values = combine(loop, from(half), from(0));
  }
  return llvm::map_to_vector(
      values, [&](Value value) -> Value { return mlir::vector::ExtractOp::create(b, value, 0); });
}

SmallVector<Value> LoopReductions::resultsOf(const InnerLoop &loop, ArrayRef<Value> chains) {
  size_t each = chains.size() / loop.chains;
  SmallVector<SmallVector<Value>> values;
  for (int64_t chain = 0; chain < loop.chains; ++chain)
    values.emplace_back(chains.slice(chain * each, each));
  for (int64_t count = loop.chains; count > 1; count /= 2)
    for (int64_t chain = 0; chain < count / 2; ++chain)
      values[chain] = combine(loop, values[chain + count / 2], values[chain]);
  SmallVector<Value> results = combineLanes(loop, values.front());
  size_t first = 0;
  for (mlir::Operation *member : loop.members)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(member)) {
      if (std::optional<Ranks> ranks = Ranks::of(reduce, target))
        results[first] = ranks->toFloat(b, results[first]);
      first += reduce.getNumOperands();
    }
  return results;
}
