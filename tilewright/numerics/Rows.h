// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row functions: operations on whole arrays of words, using native arithmetic in loops that
// compilers vectorise. The results equal those of the functions in Element.h, Integer.h, Float.h,
// Convert.h and Math.h, bit for bit; a row function has the same name as its counterpart.
//
// Some operations have no row function: then the functions below return null. A row function may
// also decline an array. In both cases the elements are computed one by one.

#ifndef TILEWRIGHT_NUMERICS_ROWS_H
#define TILEWRIGHT_NUMERICS_ROWS_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

/// Computes out[i] from in[0][i], in[1][i], ... for i below count. An element is the smallest word
/// of 1, 2, 4 or 8 bytes that holds its pattern. The result must not overlap an operand. Returns
/// false if some result is poison; the output is then meaningless.
using RowFunction = bool (*)(const void *const *in, void *out, int64_t count);

namespace rows {

// RowsInteger.cpp. Formats are those of the operands; i4 has no row functions.
RowFunction addI(Format format, Overflow assumption);
RowFunction subI(Format format, Overflow assumption);
RowFunction mulI(Format format, Overflow assumption);
RowFunction shlI(Format format, Overflow assumption);
RowFunction shrI(Format format, Signedness signedness);
RowFunction negI(Format format, Overflow assumption);
RowFunction mulhU(Format format);
RowFunction divI(Format format, Signedness signedness, RoundingMode rounding);
RowFunction remI(Format format, Signedness signedness);
RowFunction maxI(Format format, Signedness signedness);
RowFunction minI(Format format, Signedness signedness);
RowFunction absI(Format format);
RowFunction andI(Format format);
RowFunction orI(Format format);
RowFunction xorI(Format format);
RowFunction cmpI(Format format, Predicate predicate, Signedness signedness);
RowFunction extI(Format from, Format to, Signedness signedness);
RowFunction truncI(Format from, Format to, Overflow assumption);
/// The operands are an i1 and two of this format.
RowFunction select(Format format);
/// Copies bits to a format with words of the same size.
RowFunction copy(Format format);
/// Adds an index times the element size to an address; returns false on overflow.
RowFunction offset(Format index, unsigned elementBits);

// RowsFloat.cpp. Nearest even, and modes that are equivalent to it.
RowFunction addF(Format format, RoundingMode rounding, bool flushToZero);
RowFunction subF(Format format, RoundingMode rounding, bool flushToZero);
RowFunction mulF(Format format, RoundingMode rounding, bool flushToZero);
RowFunction divF(Format format, RoundingMode rounding, bool flushToZero);
RowFunction fmaF(Format format, RoundingMode rounding, bool flushToZero);
RowFunction sqrtF(Format format, RoundingMode rounding, bool flushToZero);
RowFunction remF(Format format);
RowFunction maxF(Format format, bool propagateNan, bool flushToZero);
RowFunction minF(Format format, bool propagateNan, bool flushToZero);
RowFunction absF(Format format);
RowFunction negF(Format format);
RowFunction ceilF(Format format);
RowFunction floorF(Format format);

// RowsCompare.cpp.
RowFunction cmpF(Format format, Predicate predicate, Ordering ordering);

// RowsConvert.cpp.
RowFunction floatToFloat(Format from, Format to, RoundingMode rounding);
RowFunction floatToInt(Format from, Format to, Signedness signedness);
RowFunction floatToBool(Format from);
RowFunction intToFloat(Format from, Format to, Signedness signedness);

// RowsMath.cpp. All modes have the same result (Math.h).
RowFunction expF(Format format);
RowFunction exp2F(Format format, bool flushToZero);
RowFunction logF(Format format);
RowFunction log2F(Format format);
RowFunction sinF(Format format);
RowFunction cosF(Format format);
RowFunction tanF(Format format);
RowFunction sinhF(Format format);
RowFunction coshF(Format format);
RowFunction tanhF(Format format);
RowFunction rsqrtF(Format format, bool flushToZero);
RowFunction powF(Format format);
RowFunction powI(Format format, Format exponent);
RowFunction atan2F(Format format);

} // namespace rows
} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_ROWS_H
