// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What abstract execution finds in an entry: its memory accesses, and for each the obligations that
// keep it inside of memory. An obligation is violated for the values in `violation`; if no launch
// has such values, it holds.

#ifndef TILEWRIGHT_PROVE_ANALYSIS_H
#define TILEWRIGHT_PROVE_ANALYSIS_H

#include "tilewright/prove/Symbols.h"

#include <set>
#include <variant>

namespace tilewright::prove {

/// What an abstract value rests on.
struct Support {
  /// Obligations under which the value is what the polynomials say, by number.
  std::set<unsigned> obligations;
  /// An operation that is not analysed, and has influence on the value.
  mlir::Operation *unknown = nullptr;

  Support &operator+=(const Support &other);
};

/// An integer, or those of a tile as functions of positions. Read as signed.
struct Number {
  Polynomial value;
  Support support = {};
};

/// An i1. Both sides may include too much.
struct Truth {
  Cases whenTrue = {{}}, whenFalse = {{}};
  Support support = {};
};

struct Pointer {
  /// The number of the memory; none if it is not known.
  std::optional<unsigned> memory;
  /// In elements.
  Polynomial offset;
  Support support = {};
};

/// A tensor view, and so any view of it.
struct TensorView {
  Pointer base;
  std::vector<Polynomial> extents, strides;
  Support support = {};
};

using AbstractValue = std::variant<std::monostate, Number, Truth, Pointer, TensorView>;

/// An array, a global or an alloca.
struct Memory {
  Polynomial length;
  /// Of the first element, in bytes; none for memory that is not an argument.
  std::optional<Polynomial> address;
  /// Two f4E2M1FN elements share a byte.
  unsigned elementBytes, elementsPerByte;

  /// Of the element at an offset, times `elementsPerByte`.
  Polynomial scaledAddress(const Polynomial &offset) const {
    return address.value_or(Polynomial()) * Polynomial(elementsPerByte) +
           offset * Polynomial(elementBytes);
  }
};

enum class ObligationKind {
  Bounds,     ///< An element lies in its memory.
  IndexSpace, ///< A view index lies in the index space.
  Assumption, ///< `assume`, or `inbounds`.
  Control,    ///< A loop has a positive step, a division a positive divisor.
  Range,      ///< An integer does not wrap around, where the proof reads it as if it did not.
};

/// `value % divisor == 0`
struct Divisibility {
  Polynomial value;
  Integer divisor;
};

struct Obligation {
  mlir::Operation *op;
  ObligationKind kind;
  Cases violation;
  std::optional<Divisibility> divisibility = {};
  Support support = {};
};

/// A memory access, or an `assume`.
struct Subject {
  mlir::Operation *op;
  Support support;
  bool isAccess;
  /// If nothing is known about it: the operation that is not analysed.
  mlir::Operation *stoppedBy = nullptr;
};

struct Analysis {
  Symbols symbols;
  std::vector<Memory> memories;
  std::vector<Obligation> obligations;
  std::vector<Subject> subjects;
};

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_ANALYSIS_H
