// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a vector meet memory? Every element of the vector has its place: the indices of
// the operation, plus in each dimension of the memory a step that is known beforehand, or
// in place of it what a vector of indices says. Where a mask is false nothing is accessed;
// neither is what lies outside in a dimension that is allowed to.

#ifndef TILEWRIGHT_SIMT_TRANSFER_H
#define TILEWRIGHT_SIMT_TRANSFER_H

#include "tilewright/simt/Machine.h"

#include "mlir/IR/AffineMap.h"

namespace tilewright::simt {

class Transfer {
public:
  /// Nothing moves along any dimension yet, and none may be left.
  Transfer(Machine &machine, mlir::Operation &op, mlir::Value memory, mlir::ValueRange indices,
           mlir::VectorType vector);

  /// Vector dimensions move along the dimensions of the memory that the map names for them;
  /// those that are not `inBounds` may leave it.
  void moveAlong(mlir::AffineMap map, llvm::ArrayRef<bool> inBounds);
  /// Along a dimension, each element takes an index from a vector instead: number `from(element)`.
  void gatherAlong(unsigned dim, mlir::Value indices, llvm::function_ref<int64_t(int64_t)> from);
  /// What the element moves by in each dimension, once `moveAlong` was called.
  llvm::ArrayRef<int64_t> stepsOf(int64_t element) const {
    return llvm::ArrayRef(steps).slice(element * rank, rank);
  }
  /// Elements whose mask is false are not accessed. The mask has a bit for each element of the
  /// vector, or it goes along the dimensions of the memory that the map names, in their order.
  void maskElements(const Register &mask);
  void maskDimensions(const Register &mask);

  /// What is not read is `otherwise`: one element for all, or one for each.
  mlir::LogicalResult read(mlir::Value result, mlir::Value otherwise);
  mlir::LogicalResult write(mlir::Value vector);

private:
  struct Mask {
    const Register *bits;
    std::vector<int64_t> from;
  };
  struct Gathered {
    const Register *indices = nullptr;
    std::vector<int64_t> from;
  };
  enum class Where { Inside, Skipped, Failed };

  /// Refuses a vector of other elements than the memory has, whose bytes would be reinterpreted.
  mlir::LogicalResult checkElements(mlir::Value vector);

  /// Where an element of a thread is, from the indices of the thread.
  Where find(int64_t thread, int64_t element, llvm::ArrayRef<int64_t> base, int64_t &place);

  Machine &machine;
  mlir::Operation &op;
  mlir::Value memory;
  mlir::ValueRange indices;
  llvm::ArrayRef<int64_t> shape;
  const size_t rank;
  const int64_t count;
  std::vector<int64_t> steps;
  /// For each dimension of the memory: the vector dimension that moves along it, or -1.
  llvm::SmallVector<int64_t> mover;
  llvm::SmallVector<bool> mayLeave;
  llvm::SmallVector<Mask, 2> masks;
  std::vector<Gathered> gathered;
  bool uniform;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_TRANSFER_H
