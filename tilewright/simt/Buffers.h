// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a function run on, and did two runs leave the same? A buffer is one argument:
// the elements of a memory or a vector in row-major order, or a scalar.

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
  /// Empty for a scalar, and for memory and vectors of rank 0.
  llvm::SmallVector<int64_t> shape;
  /// The pattern of each element, zero-extended.
  std::vector<uint64_t> bits;
  /// False: memory without values, which is to be written before it is read.
  bool initialized = true;

  int64_t count() const;
};

/// Arguments for a function: floats are integers of magnitude up to 4, so that short sums of
/// short products are exact in any order and any format of 16 bits and more; integers are like
/// them, i1 is either, and scalars of type index are from 0 to 3. `extents` are for dynamic
/// dimensions, in order; what it lacks is 16.
support::Result<std::vector<Buffer>> randomArguments(mlir::func::FuncOp function, uint64_t seed,
                                                     llvm::ArrayRef<int64_t> extents = {});

struct Difference {
  /// `argument 2`; empty where the runs have not the same arguments.
  std::string argument;
  /// In row-major order; none where types or shapes differ.
  std::optional<int64_t> element;
  /// `argument 2 [0, 17]: expected 3, found 4.5`
  std::string text;
};

/// Where two runs of one function differ first. None if all elements have equal values; zeros of
/// either sign are equal, and so are NaNs. `relative` is for floats whose sums depend on the order:
/// a difference of so much of the greater magnitude is none.
std::optional<Difference> firstDifference(llvm::ArrayRef<Buffer> expected,
                                          llvm::ArrayRef<Buffer> found, double relative = 0);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_BUFFERS_H
