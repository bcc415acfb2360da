// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which reads of memory does the next operation of a block depend on? For every value, the reads
// that it was computed from are kept; for a token, the operations that it comes from; for every
// body that the block is in, the reads that its conditions were computed from. What follows a
// loop that a `break` may end, or an `if` with a `return`, depends on their conditions.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_DEPENDENCES_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_DEPENDENCES_H

#include "tilewright/reference/machine/TileBlock.h"
#include "llvm/ADT/BitVector.h"

namespace tilewright::reference {

/// What a value comes from.
struct Cause {
  /// By number.
  llvm::BitVector reads = {};
  /// Of a token: operations, by number.
  llvm::SmallVector<unsigned, 2> operations = {};

  void join(const Cause &other);
};

/// Follows one block. Its member functions are called around each of its operations.
class Dependences {
public:
  Dependences() : frames(1) {}

  /// The input token of an operation.
  const Cause &of(mlir::Value value) const;
  /// The reads that the operation depends on: its operands', and the conditions'.
  llvm::BitVector readsBehind(mlir::Operation *op) const;

  /// The reads that decide which events the operation makes, or its bodies: other values might
  /// make others.
  llvm::BitVector readsDeciding(mlir::Operation *op) const;
  /// The reads that all that follows depends on.
  const llvm::BitVector &readsBehindAll() const { return frames.front().now; }

  /// Of each loop that the block is in, the number of the iteration; the outermost first.
  llvm::SmallVector<uint64_t, 2> iterations() const;

  void before(mlir::Operation *op);
  /// An operation on memory has been given its number, and has made these reads.
  void after(TileBlock &block, mlir::Operation *op, std::optional<unsigned> number,
             const llvm::BitVector &reads);

private:
  /// A body that the block is in: the reads that entering it depended on, and those that the rest
  /// of this iteration depends on.
  struct Frame {
    mlir::Operation *owner = nullptr;
    llvm::BitVector entered = {}, now = {};
    /// Of a loop, from 0.
    uint64_t iteration = 0;
  };

  llvm::BitVector operandReads(mlir::Operation *op) const;
  void enter(mlir::Operation *owner, const llvm::BitVector &conditions);
  void leave();
  void leaveToLoop();
  void define(mlir::ValueRange values, llvm::ArrayRef<Cause> causes);

  llvm::DenseMap<mlir::Value, Cause> causes;
  std::vector<Frame> frames;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_DEPENDENCES_H
