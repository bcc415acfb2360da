// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Networks.h.

#include "tilewright/cpu/emit/Networks.h"
#include "tilewright/cpu/emit/folds/Ranks.h"
#include "tilewright/cpu/plan/Networks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using mlir::Value;

/// The number of the first word of the vector that a step loads or stores.
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

//===-- Steps on integer ranks ----------------------------------------------------------------===//

/// Whether floats are only rearranged, selected, and compared by minima and maxima. If none is a
/// NaN, integers of the same order give the same results, with one instruction per minimum or
/// maximum; on floats, only AVX-512 has such instructions.
static bool mayGoByRanks(const Network &network, const Target &target) {
  if (network.lanes == 1 || target.hasAvx512)
    return false;
  bool compares = false;
  for (const NetworkStep &step : network.steps) {
    if (step.kind != NetworkStep::Kind::Compute)
      continue;
    if (!leavesOrderOfSingles(step.op))
      return false;
    compares |= keepsExtremeOfSingles(step.op);
  }
  return compares;
}

/// Emits the step on integers instead of f32.
Value Networks::emitRankedStep(const Network &network, const NetworkStep &step, Value piece,
                               ArrayRef<Value> vectors) {
  auto operand = [&](unsigned number) { return vectors[step.operands[number]]; };
  switch (step.kind) {
  case NetworkStep::Kind::Load:
  case NetworkStep::Kind::Splat: {
    Value value = emitStep(network, step, piece, vectors);
    return isSingle(step.value) ? orderOf(b, value) : value;
  }
  case NetworkStep::Kind::Store: {
    if (!isSingle(step.value))
      break;
    llvm::SmallVector<Value> numbers(vectors);
    numbers[step.operands[0]] = numbersOf(b, operand(0));
    return emitStep(network, step, piece, numbers);
  }
  case NetworkStep::Kind::Compute:
    b.setPlace(step.op->getLoc());
    if (!isSingle(step.op->getResult(0)))
      break;
    if (llvm::isa<tile::MaxFOp>(step.op))
      return mlir::arith::MaxSIOp::create(b, operand(0), operand(1));
    if (llvm::isa<tile::MinFOp>(step.op))
      return mlir::arith::MinSIOp::create(b, operand(0), operand(1));
    if (llvm::isa<tile::SelectOp>(step.op))
      return mlir::arith::SelectOp::create(b, operand(0), operand(1), operand(2));
    break;
  case NetworkStep::Kind::Shuffle:
    break;
  }
  return emitStep(network, step, piece, vectors);
}

/// Emits the step on f32 with NaNs; these are rare, so the code is compact.
Value Networks::emitStepWithNans(const Network &network, const NetworkStep &step, Value piece,
                                 ArrayRef<Value> vectors) {
  if (step.kind != NetworkStep::Kind::Compute || !keepsExtremeOfSingles(step.op))
    return emitStep(network, step, piece, vectors);
  b.setPlace(step.op->getLoc());
  return calls.call(step.op, {vectors[step.operands[0]], vectors[step.operands[1]]});
}

/// Whether any of the program's input floats is a NaN, as an i1.
Value Networks::hasNan(const Network &network, Value piece) {
  Value any;
  for (const NetworkStep &step : network.steps) {
    bool comesFromElsewhere =
        step.kind == NetworkStep::Kind::Load || step.kind == NetworkStep::Kind::Splat;
    if (!comesFromElsewhere || !isSingle(step.value))
      continue;
    Value value = emitStep(network, step, piece, {});
    Value isNan = mlir::arith::CmpFOp::create(b, mlir::arith::CmpFPredicate::UNO, value, value);
    any = any ? mlir::arith::OrIOp::create(b, any, isNan).getResult() : isNan;
  }
  return mlir::vector::ReductionOp::create(b, mlir::vector::CombiningKind::OR, any);
}

void Networks::emit(const Network &network) {
  b.forEachFrom(0, network.pieces, 1, [&](Value piece) {
    ValueCache::Scope scope(cache);
    auto emitSteps = [&](auto emitOne) {
      llvm::SmallVector<Value> vectors;
      for (const NetworkStep &step : network.steps)
        vectors.push_back((this->*emitOne)(network, step, piece, vectors));
    };
    if (mayGoByRanks(network, target))
      b.branch(
          hasNan(network, piece), [&] { emitSteps(&Networks::emitStepWithNans); },
          [&] { emitSteps(&Networks::emitRankedStep); });
    else
      emitSteps(&Networks::emitStep);
  });
}
