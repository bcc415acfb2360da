// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of Arithmetic.h. Each part emits the elementwise operations of one chapter of the
// dialect, which is checked for completeness at compile time, and declines all others.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H

#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Math.h"
#include "tilewright/tile/Arithmetic.h"

#include <optional>
#include <type_traits>

namespace tilewright::elementwise {

using Operands = llvm::ArrayRef<Expression>;

/// The cases of a chapter: a function for each operation, from the operation and its operands to
/// the result.
template <typename... Functions> struct Cases : Functions... {
  using Functions::operator()...;
};
template <typename... Functions> Cases(Functions...) -> Cases<Functions...>;

/// The operations of one chapter of the dialect (tile/ops), elementwise and others.
template <typename... Ops> struct Chapter {
  template <typename Op>
  static constexpr bool isElementwise =
      Op::template hasTrait<tile::ElementwiseOpInterface::Trait>();

  /// Whether every elementwise operation has a case.
  template <typename CasesOfChapter>
  static constexpr bool isComplete =
      ((!isElementwise<Ops> || std::is_invocable_v<const CasesOfChapter &, Ops, Operands>) && ...);

  /// Returns none for operations of other chapters.
  template <typename CasesOfChapter>
  static std::optional<Expression> emit(mlir::Operation *op, Operands in,
                                        const CasesOfChapter &cases) {
    std::optional<Expression> result;
    (emitIf<Ops>(op, in, cases, result) || ...);
    return result;
  }

private:
  template <typename Op>
  static bool emitIf(mlir::Operation *op, Operands in, const auto &cases,
                     std::optional<Expression> &result) {
    if constexpr (isElementwise<Op>) {
      static_assert(std::is_invocable_v<decltype(cases), Op, Operands>, "Op has no code");
      if (auto mine = llvm::dyn_cast<Op>(op))
        result = cases(mine, in);
    }
    return result.has_value();
  }
};

std::optional<Expression> emitInteger(mlir::Operation *op, Operands in);
std::optional<Expression> emitFloat(mlir::Operation *op, Operands in);
std::optional<Expression> emitConversion(mlir::Operation *op, Operands in);

/// A mathematical function of operands in this format; optionally flushes subnormals.
Expression emitFunction(MathFunction function, numerics::Format format, bool flushesToZero,
                        Operands in);

/// lhs - n * rhs, where n is the quotient truncated to an integer, for f32 or f64. The result has
/// the sign of lhs. Uses only operations that all targets have.
Expression remainderByDivision(const Expression &lhs, const Expression &rhs);

/// A float of this format to the power of an integer of at most 32 bits, which is read as signed.
Expression emitPowerOfInteger(numerics::Format format, Operands in);

/// A float format with arithmetic (f16, bf16, f32 or f64), and one of the three IEEE 754 modes
/// other than nearest even.
struct DirectedRounding {
  numerics::Format format;
  numerics::RoundingMode mode;
};

/// Rounds an f64 to that format, which must not be f64.
Expression roundDirected(const DirectedRounding &rounding, const Expression &number);

// Arithmetic in these modes.
Expression addDirected(const DirectedRounding &rounding, const Expression &lhs,
                       const Expression &rhs);
Expression multiplyDirected(const DirectedRounding &rounding, const Expression &lhs,
                            const Expression &rhs);
Expression divideDirected(const DirectedRounding &rounding, const Expression &lhs,
                          const Expression &rhs);
Expression rootDirected(const DirectedRounding &rounding, const Expression &source);
Expression fmaDirected(const DirectedRounding &rounding, const Expression &lhs,
                       const Expression &rhs, const Expression &acc);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H
