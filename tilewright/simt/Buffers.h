// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a run, and the comparison of two runs. A buffer is one argument: the elements of
// a memref or a vector in row-major order, or a scalar.

#ifndef TILEWRIGHT_SIMT_BUFFERS_H
#define TILEWRIGHT_SIMT_BUFFERS_H

#include "tilewright/support/Result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::simt {

struct Buffer {
  mlir::Type element;
  /// Empty for scalars, and for memrefs and vectors of rank 0.
  llvm::SmallVector<int64_t> shape;
  /// The bit pattern of each element, zero-extended.
  std::vector<uint64_t> bits;
  /// If false, the memory is uninitialised and must be written before it is read.
  bool initialized = true;

  int64_t count() const;
};

/// Random arguments for a function. Floats are integers of magnitude up to 4, so that short sums of
/// short products are exact in any order and in any format of 16 bits or more. Integers are in the
/// same range, i1 is true or false, and scalars of type index are from 0 to 3. `extents` are for
/// dynamic dimensions, in order; missing ones are 16.
support::Result<std::vector<Buffer>> randomArguments(mlir::func::FuncOp function, uint64_t seed,
                                                     llvm::ArrayRef<int64_t> extents = {});

struct Difference {
  /// `argument 2`; empty if the runs have different arguments.
  std::string argument;
  /// In row-major order; none if types or shapes differ.
  std::optional<int64_t> element;
  /// `argument 2 [0, 17]: expected 3, found 4.5`
  std::string text;
};

/// The first difference between two runs of one function. None if all elements have equal values;
/// zeros of either sign are equal, and so are NaNs. `relative` is for floats whose sums depend on
/// the order: it tolerates a difference up to this fraction of the greater magnitude.
std::optional<Difference> firstDifference(llvm::ArrayRef<Buffer> expected,
                                          llvm::ArrayRef<Buffer> found, double relative = 0);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_BUFFERS_H
