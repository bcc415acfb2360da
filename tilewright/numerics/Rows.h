// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an operation run on a million elements at once? By the machine's own
// arithmetic, over arrays of words, in loops that compilers turn into vector code. The
// result is that of the functions of Element.h, Integer.h, Float.h, Convert.h and
// Math.h, bit for bit; a row function has the name of the function that it stands for.
//
// Not everything has one: where these functions return null, and where a row cannot
// say what becomes of some element, the elements are computed one by one as before.

#ifndef TILEWRIGHT_NUMERICS_ROWS_H
#define TILEWRIGHT_NUMERICS_ROWS_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

/// Computes out[i] from in[0][i], in[1][i], ... for i below count. An element is the
/// smallest word of 1, 2, 4 or 8 bytes that holds its pattern. The result overlaps no
/// operand. False: some result is poison, and what was written means nothing.
using RowFunction = bool (*)(const void *const *in, void *out, int64_t count);

namespace rows {

// RowsInteger.cpp. Formats are those of the operands; i4 has no row functions.
RowFunction addI(Format format, Overflow promise);
RowFunction subI(Format format, Overflow promise);
RowFunction mulI(Format format, Overflow promise);
RowFunction shlI(Format format, Overflow promise);
RowFunction shrI(Format format, Signedness signedness);
RowFunction negI(Format format, Overflow promise);
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
RowFunction truncI(Format from, Format to, Overflow promise);
/// The operands are i1 and twice this format.
RowFunction select(Format format);
/// The same bits in a format with words of the same size.
RowFunction copy(Format format);
/// An address plus an index times the bytes of an element; false if that overflows.
RowFunction offset(Format index, unsigned elementBits);

// RowsFloat.cpp. Nearest even, and what rounds the same.
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

// RowsMath.cpp. All modes are one function here (Math.h).
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
