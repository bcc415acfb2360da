// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks which memory reads the next operation of a block depends on. It records for each value the
// reads that it was computed from, for each token the operations that it stems from, and for each
// active body the reads that its conditions were computed from. Whatever comes after a loop with a
// `break`, or after an `if` with a `return`, depends on their conditions.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_DEPENDENCES_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_DEPENDENCES_H

#include "tilewright/reference/machine/TileBlock.h"
#include "llvm/ADT/BitVector.h"

namespace tilewright::reference {

/// What a value was computed from.
struct Cause {
  /// Reads, by number.
  llvm::BitVector reads = {};
  /// For a token: operations, by number.
  llvm::SmallVector<unsigned, 2> operations = {};

  void join(const Cause &other);
};

/// Tracks one block. The caller notifies it before and after each operation.
class Dependences {
public:
  Dependences() : frames(1) {}

  /// What a value or token was computed from; empty if no read contributed.
  const Cause &of(mlir::Value value) const;
  /// The reads that the operation depends on: those behind its operands and behind the enclosing
  /// conditions.
  llvm::BitVector readsOf(mlir::Operation *op) const;

  /// The reads that decide which events the operation or its bodies produce: other values might
  /// produce other events.
  llvm::BitVector readsDeciding(mlir::Operation *op) const;
  /// The reads that every later operation depends on.
  const llvm::BitVector &readsOfAll() const { return frames.front().now; }

  /// The iteration numbers of the enclosing loops, outermost first.
  llvm::SmallVector<uint64_t, 2> iterations() const;

  void before(mlir::Operation *op);
  /// Called when a memory operation has been assigned its number and has made these reads.
  void after(TileBlock &block, mlir::Operation *op, std::optional<unsigned> number,
             const llvm::BitVector &reads);

private:
  /// An active body: the reads that entering it depended on, and those that the rest of this
  /// iteration depends on.
  struct Frame {
    mlir::Operation *owner = nullptr;
    llvm::BitVector entered = {}, now = {};
    /// Iteration number if the body is that of a loop, from 0.
    uint64_t iteration = 0;
  };

  llvm::BitVector operandReads(mlir::Operation *op) const;
  void enter(mlir::Operation *owner, const llvm::BitVector &conditions);
  void leave();
  void leaveBranches();
  void define(mlir::ValueRange values, llvm::ArrayRef<Cause> causes);

  llvm::DenseMap<mlir::Value, Cause> causes;
  std::vector<Frame> frames;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_DEPENDENCES_H
