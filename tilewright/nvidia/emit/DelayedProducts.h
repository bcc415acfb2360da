// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits delayed products (plan/Delays.h). While a delayed product runs, no instruction may access
// its accumulators or its lhs. One statement of inline PTX issues the cover and the delayed product
// and waits for the cover. The statement that waits for the delayed product reads and writes its
// accumulators, and the tiles from which its next lhs is computed, and reads its lhs; so whatever
// depends on them comes later. What LLVM may still do in between, copies, is checked afterwards
// (InFlight.h).

#ifndef TILEWRIGHT_NVIDIA_EMIT_DELAYEDPRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_DELAYEDPRODUCTS_H

#include "tilewright/nvidia/emit/Operands.h"
#include "tilewright/nvidia/emit/WarpgroupProducts.h"

namespace tilewright::nvidia {

class DelayedProducts {
public:
  DelayedProducts(ThreadBuilder &b, const Plan &plan, Tiles &tiles, Operands &operands,
                  Rings &rings)
      : b(b), plan(plan), tiles(tiles), operands(operands), rings(rings),
        warpgroups(b, plan, tiles) {}

  /// Whether a product of the loop is delayed in this role.
  bool areIn(tile::ForOp loop) const { return !rings.runsSlice() && plan.delays.of(loop); }
  /// Before the first iteration: nothing is delayed yet.
  void enter(tile::ForOp loop);
  /// Behind the last iteration: multiplies what it has delayed.
  void leave(tile::ForOp loop);
  /// A cover or a delayed product.
  void emit(tile::MatmulOpInterface op);
  /// Before an operation: waits for the delayed product, if it is the first that needs this.
  void waitBefore(mlir::Operation *op);

private:
  /// Thread-local arrays: the words of lhs, and whether the product has been delayed.
  struct State {
    mlir::Value words, isPending;
  };

  void emitCover(const Delay &delay);
  void keep(const Delay &delay);
  Multiplication bring(const Delay &delay, mlir::Value condition);
  mlir::Value isPending(const Delay &delay);
  llvm::SmallVector<mlir::Value> readWords(const Delay &delay);
  /// The number of words of lhs.
  int64_t wordsOf(const Delay &delay) const {
    return plan.layoutOf(tile::MatmulOpInterface(delay.product).getLhs()).slots() / 2;
  }

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  Operands &operands;
  Rings &rings;
  WarpgroupProducts warpgroups;
  llvm::DenseMap<mlir::Operation *, State> states; ///< By product.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_DELAYEDPRODUCTS_H
