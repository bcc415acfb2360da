// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing of the float formats that no processor computes with. All of them are subsets
// of f32, so arithmetic on them is done in f32 (arithmetic, 3.3): a pattern is widened to f32, and
// a result is rounded to a pattern by integer operations on its f32, which vectorise on all
// processors. f64 results are first rounded to an f32 rounded to odd: its last bit then acts as a
// sticky bit, so that rounding again gives the same result as rounding once.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETICFORMATS_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETICFORMATS_H

#include "tilewright/elementwise/ArithmeticExpression.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::elementwise {

/// The f32 value of an element in register form, for f16, bf16, tf32, f32 and floats of 8 or 4
/// bits. A NaN becomes any NaN.
Expression widen(numerics::Format format, const Expression &element);
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                  numerics::Format format, mlir::Value element);

/// The element nearest to an f32, ties to even, with IEEE overflow, or with saturation in the 8-
/// and 4-bit formats (arithmetic, 4.25). A NaN becomes the canonical one, or the largest value of
/// f4E2M1FN. For f8E8M0FNU the mode is Zero or PositiveInf and applies to the magnitude.
Expression narrow(numerics::Format format, const Expression &single,
                  numerics::RoundingMode rounding = numerics::RoundingMode::NearestEven);
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                   numerics::Format format, mlir::Value single);

/// The smaller or larger of two f16 or bf16 elements in register form, as defined by `minf` and
/// `maxf`: a number is preferred to a NaN, and -0 is less than +0.
Expression extremeOfHalves(numerics::Format format, bool larger, bool propagateNan,
                           const Expression &a, const Expression &b);
mlir::Value extremeOfHalves(mlir::OpBuilder &builder, mlir::Location loc,
                            const Capabilities &capabilities, numerics::Format format, bool larger,
                            mlir::Value a, mlir::Value b);

/// Replaces a signaling NaN by a quiet one; other f32 and f64 values are unchanged.
Expression quieted(const Expression &x);
mlir::Value quieted(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                    mlir::Value x);

/// The smaller or larger of two f32 or f64 values, neither of which is a signaling NaN: a number is
/// preferred to a NaN, and -0 is less than +0.
Expression extremeOfQuiet(bool larger, const Expression &a, const Expression &b);
mlir::Value extremeOfQuiet(mlir::OpBuilder &builder, mlir::Location loc,
                           const Capabilities &capabilities, bool larger, mlir::Value a,
                           mlir::Value b);

/// A computed value and its error: the exact result is `value` plus something with the sign of
/// `rest`. Only the sign of `rest` matters, and only if `value` is a value of the format to which
/// the result is rounded.
struct Inexact {
  Expression value, rest;
};

/// The sum of two f32 or two f64, with its error (Knuth's two-sum).
Inexact twoSum(const Expression &a, const Expression &b);

/// The value rounded to odd in its own format.
Expression odd(const Inexact &result);

/// An f64 (with its error) as an f32, rounded to odd.
Expression oddSingle(const Expression &value);
Expression oddSingle(const Inexact &result);

/// Flushes subnormal f32 values to zeros of the same sign (arithmetic, 3.3).
Expression flushed(const Expression &single);

/// Replaces `result` by the canonical NaN where `source` is a NaN.
Expression canonicalWhereNan(numerics::Format format, const Expression &source,
                             const Expression &result);

/// Whether this pattern, an integer in register form, is a NaN.
Expression isNanPattern(numerics::Format format, const Expression &pattern);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETICFORMATS_H
