// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfers between vectors and memory. The place of a vector element is given by the indices of
// the operation plus, in each dimension of the memory, a static step or an entry from a vector of
// indices. Elements that are masked off are not accessed, nor are those out of bounds in a
// dimension for which that is allowed.

#ifndef TILEWRIGHT_SIMT_TRANSFER_H
#define TILEWRIGHT_SIMT_TRANSFER_H

#include "tilewright/simt/Machine.h"

#include "mlir/IR/AffineMap.h"

namespace tilewright::simt {

class Transfer {
public:
  /// Initially no dimension is traversed, and out-of-bounds places are errors.
  Transfer(Machine &machine, mlir::Operation &op, mlir::Value memory, mlir::ValueRange indices,
           mlir::VectorType vector);

  /// Vector dimensions traverse the dimensions of the memory that the map assigns to them; those
  /// that are not `inBounds` may be out of bounds.
  void moveAlong(mlir::AffineMap map, llvm::ArrayRef<bool> inBounds);
  /// Along a dimension, each element uses an index from a vector instead: number `from(element)`.
  void gatherAlong(unsigned dim, mlir::Value indices, llvm::function_ref<int64_t(int64_t)> from);
  /// The step of an element in each dimension; valid after `moveAlong`.
  llvm::ArrayRef<int64_t> stepsOf(int64_t element) const {
    return llvm::ArrayRef(steps).slice(element * rank, rank);
  }
  /// Masks elements off. The mask has one bit per element of the vector (maskElements), or its
  /// dimensions are those dimensions of the memory that the map names, in their order
  /// (maskDimensions).
  void maskElements(const Register &mask);
  void maskDimensions(const Register &mask);

  /// Elements that are not read get `otherwise`: one element for all, or one for each.
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

  /// Refuses a vector whose elements differ from those of the memory, because that would
  /// reinterpret bytes.
  mlir::LogicalResult checkElements(mlir::Value vector);

  /// Finds the place of a thread's element, given the thread's indices.
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
