// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chapters of Arithmetic.h: each has the code of the elementwise operations of one chapter of
// the dialect, which is checked when it is compiled, and leaves others to the next.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H

#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Math.h"
#include "tilewright/tile/Arithmetic.h"

#include <optional>
#include <type_traits>

namespace tilewright::elementwise {

using Operands = llvm::ArrayRef<Expression>;

/// The code of the operations of a chapter: for each a function of it and its operands.
template <typename... Functions> struct Cases : Functions... {
  using Functions::operator()...;
};
template <typename... Functions> Cases(Functions...) -> Cases<Functions...>;

/// The operations of a chapter of the dialect (tile/ops), elementwise ones and others.
template <typename... Ops> struct Chapter {
  template <typename Op>
  static constexpr bool isElementwise =
      Op::template hasTrait<tile::ElementwiseOpInterface::Trait>();

  /// Whether every elementwise operation has a case.
  template <typename CasesOfChapter>
  static constexpr bool isComplete =
      ((!isElementwise<Ops> || std::is_invocable_v<const CasesOfChapter &, Ops, Operands>) && ...);

  /// No result: an operation of another chapter.
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

/// A mathematical function of operands of this format, whose subnormals may be flushed.
Expression emitFunction(MathFunction function, numerics::Format format, bool flushesToZero,
                        Operands in);

/// lhs - n * rhs for the whole number n nearest to the quotient towards zero, of f32 or f64, with
/// the sign of lhs: by operations that all machines have.
Expression remainderByDivision(const Expression &lhs, const Expression &rhs);

/// A float of this format to the power of an integer of at most 32 bits, which is read signed.
Expression emitPowerOfInteger(numerics::Format format, Operands in);

/// The format of a float that arithmetic is done on, f16, bf16, f32 or f64, and one of the
/// three modes of IEEE 754 that are not nearest even.
struct DirectedRounding {
  numerics::Format format;
  numerics::RoundingMode mode;
};

/// A number in f64 in that format, which is not f64.
Expression roundDirected(const DirectedRounding &rounding, const Expression &number);

// Arithmetic in those modes.
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
