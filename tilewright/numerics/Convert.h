// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between formats. A value is decoded exactly and rounded once to its destination
// format. Conversions differ only beyond the largest value: to the 8- and 4-bit formats they
// saturate (arithmetic, 4.25), but literals do not (types, 2.7).

#ifndef TILEWRIGHT_NUMERICS_CONVERT_H
#define TILEWRIGHT_NUMERICS_CONVERT_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace llvm {
class APFloat;
} // namespace llvm

namespace tilewright::numerics {

/// The result of converting a NaN to f8E4M3FN. Hardware keeps it; the published type chapter
/// requires the largest value (arithmetic, 9 item 2).
enum class NanToE4M3FN { Nan, Largest };

/// `ftof`. Supports the four IEEE 754 modes and NearestAway for every destination. For f8E8M0FNU
/// and f8E5M3FNU the mode applies to the magnitude, and the sign is dropped.
Element floatToFloat(Element source, Format to, RoundingMode rounding = RoundingMode::NearestEven,
                     NanToE4M3FN nan = NanToE4M3FN::Nan);
/// `ftoi` to more than one bit: truncates. NaN, Inf and values out of range give poison, or
/// saturate: NaN to 0, the others to the nearest integer of the format.
Element floatToInt(Element source, Format to, Signedness signedness,
                   OutOfRange outOfRange = OutOfRange::Undefined);
/// `ftoi` to i1: true unless the value is zero; true for NaN (docs/decisions/float-to-i1.md).
Element floatToBool(Element source);
/// `itof`: one rounding to nearest even.
Element intToFloat(Element source, Format to, Signedness signedness);
/// The same bits in another format of the same MLIR width.
Element bitcast(Element source, Format to);

/// Packs a sequence into bytes (i8); its size must be a whole number of bytes. Elements take their
/// MLIR width, tf32 four bytes; the first element is in the lowest bits.
llvm::SmallVector<Element> pack(llvm::ArrayRef<Element> source);
/// The inverse: the elements of these bytes (i8).
llvm::SmallVector<Element> unpack(llvm::ArrayRef<Element> bytes, Format to);

/// The constant literal with this value, rounded to nearest even. Overflow gives Inf; in a format
/// without Inf, NaN; in a format without both, the largest value (types, 2.7).
Element roundToFormat(const llvm::APFloat &value, Format to);
Element roundToFormat(double value, Format to);
/// The same for decimal text ("1.0", "-2.5e-3", "7"), rounded once. None if the text is not a
/// decimal number.
std::optional<Element> roundDecimal(llvm::StringRef text, Format to);

/// Parses a launch argument. Integers are decimal or 0x..., within the union of the signed and the
/// unsigned range; i1 also accepts true and false. Floats are decimal, nan, inf, -inf, or 0x... for
/// a bit pattern. Pointers are addresses. None if the format has no such value.
std::optional<Element> parseElement(Format format, llvm::StringRef text);
/// The shortest text that parseElement reads back; NaNs with an unusual pattern are written as
/// 0x.... Integers are signed, poison is "poison".
std::string toString(Element element);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_CONVERT_H
