// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does generated code read and write the floats that no processor computes with? All of
// them are subsets of f32, so arithmetic on them is done there (arithmetic, 3.3): a pattern
// is widened, and a result is rounded to a pattern by integer operations on its f32, which
// vectorise everywhere. Results in f64 come through an f32 that is rounded to odd: its last
// bit then says that something is missing, so that rounding once more is as good as once.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETICFORMATS_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETICFORMATS_H

#include "tilewright/elementwise/ArithmeticExpression.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::elementwise {

/// The f32 with the value of an element in register form: of f16, bf16, tf32, f32 or a float
/// of 8 or 4 bits. A NaN becomes any NaN.
Expression widen(numerics::Format format, const Expression &element);
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                  numerics::Format format, mlir::Value element);

/// The element nearest to an f32, ties to even: IEEE overflow, or saturation in the 8- and
/// 4-bit formats (arithmetic, 4.25). A NaN becomes the canonical one, or the largest value of
/// f4E2M1FN. To f8E8M0FNU: the mode Zero or PositiveInf applies to the magnitude.
Expression narrow(numerics::Format format, const Expression &single,
                  numerics::RoundingMode rounding = numerics::RoundingMode::NearestEven);
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                   numerics::Format format, mlir::Value single);

/// The smaller or larger of two elements of f16 or bf16 in register form, as `minf` and `maxf` have
/// it: a number rather than a NaN, and -0 below +0.
Expression extremeOfHalves(numerics::Format format, bool larger, bool propagateNan,
                           const Expression &a, const Expression &b);
mlir::Value extremeOfHalves(mlir::OpBuilder &builder, mlir::Location loc,
                            const Capabilities &capabilities, numerics::Format format, bool larger,
                            mlir::Value a, mlir::Value b);

/// A value of f32 or f64 as it is, or a quiet NaN for a signaling one.
Expression quieted(const Expression &x);
mlir::Value quieted(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                    mlir::Value x);

/// The smaller or larger of two values of f32 or f64 of which none is a signaling NaN: a number
/// rather than a NaN, and -0 below +0.
Expression extremeOfQuiet(bool larger, const Expression &a, const Expression &b);
mlir::Value extremeOfQuiet(mlir::OpBuilder &builder, mlir::Location loc,
                           const Capabilities &capabilities, bool larger, mlir::Value a,
                           mlir::Value b);

/// What an operation computed, and what it lacks: the exact result is `value` and something
/// with the sign of `rest`. Of the rest nothing but the sign counts, and only where `value` is
/// a value of the format that the result is rounded to.
struct Inexact {
  Expression value, rest;
};

/// The sum of two f32 or two f64, and its error (Knuth's two-sum).
Inexact twoSum(const Expression &a, const Expression &b);

/// The value rounded to odd in its own format.
Expression odd(const Inexact &result);

/// An f64 (and what it lacks) as an f32, rounded to odd.
Expression oddSingle(const Expression &value);
Expression oddSingle(const Inexact &result);

/// f32 without its subnormals: they become the zeros of their sign (arithmetic, 3.3).
Expression flushed(const Expression &single);

/// The canonical NaN in place of those NaNs among `source` that `result` comes from.
Expression canonicalWhereNan(numerics::Format format, const Expression &source,
                             const Expression &result);

/// Is this pattern, in register form as an integer, a NaN?
Expression isNanPattern(numerics::Format format, const Expression &pattern);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETICFORMATS_H
