// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Networks.h.

#include "tilewright/cpu/emit/Networks.h"
#include "tilewright/cpu/plan/Networks.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using mlir::Value;

/// The number of the first word of a vector that a step loads or stores.
Value Networks::firstWord(const Network &network, const NetworkStep &step, Value piece) {
  int64_t words = tileTypeOf(step.value).getNumElements() / network.pieces;
  return b.add(b.mul(piece, b.i64(words)), b.i64(step.vector * network.lanes));
}

Value Networks::emitStep(const Network &network, const NetworkStep &step, Value piece,
                         ArrayRef<Value> vectors) {
  switch (step.kind) {
  case NetworkStep::Kind::Load:
    return b.readWords(buffers.memoryOf(step.value), tileTypeOf(step.value).getElementType(),
                       firstWord(network, step, piece), 1, network.lanes);
  case NetworkStep::Kind::Splat: {
    Position first;
    if (tile::TileType type = tileTypeOf(step.value))
      first.at.assign(type.getRank(), b.i64(0));
    return b.splat(evaluator.evaluate(step.value, first), network.lanes);
  }
  case NetworkStep::Kind::Shuffle:
    return mlir::vector::ShuffleOp::create(b, vectors[step.operands[0]], vectors[step.operands[1]],
                                           step.lanes);
  case NetworkStep::Kind::Compute: {
    b.setPlace(step.op->getLoc());
    auto in = llvm::map_to_vector(step.operands, [&](unsigned number) { return vectors[number]; });
    return calls.emit(step.op, in);
  }
  case NetworkStep::Kind::Store:
    b.writeWords(buffers.addressOf(step.value), tileTypeOf(step.value).getElementType(),
                 firstWord(network, step, piece), 1, vectors[step.operands[0]]);
    return {};
  }
  llvm_unreachable("kinds are listed above");
}

void Networks::emit(const Network &network) {
  b.forEachFrom(0, network.pieces, 1, [&](Value piece) {
    ValueCache::Scope scope(cache);
    llvm::SmallVector<Value> vectors;
    for (const NetworkStep &step : network.steps)
      vectors.push_back(emitStep(network, step, piece, vectors));
  });
  cache.clear(); // buffers have changed
}
