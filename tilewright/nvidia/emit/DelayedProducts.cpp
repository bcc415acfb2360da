// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DelayedProducts.h.

#include "tilewright/nvidia/emit/DelayedProducts.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;

void DelayedProducts::enter(tile::ForOp loop) {
  if (!areIn(loop))
    return;
  const Delay &delay = *plan.delays.of(loop);
  const int64_t words = wordsOf(delay);
  State &state = states[delay.product];
  state = {b.localArray(b.getI32Type(), words), b.localArray(b.getI32Type(), 1)};
  for (int64_t at = 0; at < words; ++at)
    writeState(b, state.words, at, b.i32(0));
  writeState(b, state.isPending, 0, b.i32(0));
}

Value DelayedProducts::isPending(const Delay &delay) {
  Value state = readState(b, states.lookup(delay.product).isPending);
  return b.isEqual(state, b.i32(1));
}

/// Lhs of the delayed product.
SmallVector<Value> DelayedProducts::readWords(const Delay &delay) {
  SmallVector<Value> words;
  for (int64_t at = 0; at < wordsOf(delay); ++at)
    words.push_back(readState(b, states.lookup(delay.product).words, at));
  return words;
}

/// The product of the previous iteration, when its rhs is there; if a condition is given, it waits
/// only if that holds.
Multiplication DelayedProducts::bring(const Delay &delay, Value condition) {
  const int64_t k = plan.matrices.find(delay.product)->second.k;
  auto [lhs, rhs] = operands.bring(delay.product, b.i32(0), k, condition);
  return {delay.product, lhs, rhs, readWords(delay), k, tiles.homeOf(delay.sums)};
}

void DelayedProducts::leave(tile::ForOp loop) {
  const Delay &delay = *plan.delays.of(loop);
  tile::MatmulOpInterface product = delay.product;
  atPlace(b, product.getLoc(), [&] {
    warpgroups.multiply(bring(delay, {}));
    operands.release(product);
  });
}

void DelayedProducts::emitCover(const Delay &delay) {
  tile::MatmulOpInterface op = delay.cover;
  Value result = op->getResult(0);
  const bool beginsWithZeros = isZero(op.getAcc());
  if (!beginsWithZeros)
    tiles.copy(op.getAcc(), result);
  const int64_t k = plan.matrices.find(op)->second.k;
  auto [lhs, rhs] = operands.bring(op, b.i32(0), k);
  Multiplication cover{op, lhs, rhs, {}, k, tiles.homeOf(result), beginsWithZeros};
  if (!lhs)
    cover.lhsWords = warpgroups.wordsOfLhs(op.getLhs());
  Value pending = isPending(delay);
  warpgroups.multiplyBoth(cover, bring(delay, pending), pending);
  operands.release(op);
}

/// Keeps what the next iteration needs.
void DelayedProducts::keep(const Delay &delay) {
  tile::MatmulOpInterface op = delay.product;
  tiles.copy(op.getAcc(), op->getResult(0));
  const State &state = states.lookup(op);
  for (auto [at, word] : llvm::enumerate(warpgroups.wordsOfLhs(op.getLhs())))
    writeState(b, state.words, int64_t(at), word);
  writeState(b, state.isPending, 0, b.i32(1));
}

void DelayedProducts::emit(tile::MatmulOpInterface op) {
  const Delay &delay = *plan.delays.of(op);
  if (op == delay.cover)
    emitCover(delay);
  else
    keep(delay);
}

void DelayedProducts::waitBefore(mlir::Operation *op) {
  const Delay *delay = plan.delays.of(op);
  if (!delay || delay->firstReader != op)
    return;
  tile::MatmulOpInterface product = delay->product;
  SmallVector<Value> tied = {delay->sums};
  llvm::append_range(tied, delay->sources);
  atPlace(b, product.getLoc(), [&] {
    warpgroups.wait(tied, readWords(*delay));
    b.branch(isPending(*delay), [&] { operands.release(product); });
  });
}
