// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register of an SSA value. It has one row per thread: the elements of the thread's vector or
// scalar, or its reference to memory. A uniform value, which is known to be the same in all
// threads, has a single row and is computed once.

#ifndef TILEWRIGHT_SIMT_REGISTER_H
#define TILEWRIGHT_SIMT_REGISTER_H

#include "tilewright/numerics/Element.h"
#include "tilewright/support/Result.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace tilewright::simt {

/// The format of an element type; an index has 64 bits. None for types without format.
std::optional<numerics::Format> formatOf(mlir::Type elementType);

/// The contents of a value of this type; fails for types that registers cannot hold.
struct Contents {
  numerics::Format format;
  /// Elements per thread; 0 for memory, whose elements are not in the register.
  int64_t count;
  bool isMemory = false;
};
support::Result<Contents> contentsOf(mlir::Type type);

/// The shape of a vector; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

/// A view of memory, like a memref.
struct Reference {
  /// Number of the memory in its machine.
  unsigned memory = 0;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> sizes, strides;
};

struct Register {
  numerics::Format format = numerics::Format::I1;
  /// Elements per row.
  int64_t count = 0;
  /// Whether one row stands for all threads.
  bool uniform = true;
  /// The value never changes: constants are evaluated only once.
  bool constant = false;
  std::vector<uint64_t> bits;
  std::vector<uint8_t> poison;
  std::vector<Reference> references;

  size_t row(int64_t thread) const { return uniform ? 0 : size_t(thread); }
  size_t place(int64_t thread, int64_t element) const { return row(thread) * count + element; }
  numerics::Element at(int64_t thread, int64_t element = 0) const {
    const size_t where = place(thread, element);
    return {bits[where], format, poison[where] != 0};
  }
  void set(int64_t thread, int64_t element, numerics::Element value) {
    assert(value.format == format && "registers keep their format");
    const size_t where = place(thread, element);
    bits[where] = value.bits;
    poison[where] = value.poison;
  }
  /// For indices and other integers, read as signed.
  int64_t integer(int64_t thread, int64_t element = 0) const {
    return at(thread, element).asSigned();
  }
  const Reference &reference(int64_t thread) const { return references[row(thread)]; }

  /// Allocates `threads` rows, or one if uniform.
  void resize(Contents contents, bool isUniform, int64_t threads);
  /// Makes the register non-uniform: copies the single row for each thread.
  void spread(int64_t threads);
  void copyRow(int64_t thread, const Register &source);
};

/// Fills the single row of a uniform register from a constant.
void fillFrom(Register &target, mlir::DenseElementsAttr values);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_REGISTER_H
