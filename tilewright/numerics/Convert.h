// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a value change its format? It is decoded exactly and rounded once on the
// grid of its destination; what differs is only what happens beyond the largest
// value: conversions saturate to the 8- and 4-bit formats (arithmetic, 4.25),
// literals do not (types, 2.7).

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

/// What a NaN becomes in f8E4M3FN. The machines keep it; the published type chapter
/// asks for the largest value (arithmetic, 9 item 2).
enum class NanToE4M3FN { Nan, Largest };

/// `ftof`. The modes are the four of IEEE 754 and NearestAway for every destination; to
/// f8E8M0FNU and f8E5M3FNU they apply to the magnitude, and the sign is dropped.
Element floatToFloat(Element source, Format to, RoundingMode rounding = RoundingMode::NearestEven,
                     NanToE4M3FN nan = NanToE4M3FN::Nan);
/// `ftoi` to more than one bit: toward zero. NaN, Inf and values out of range give poison, or
/// saturate: NaN to 0, the others to the nearest integer of the format.
Element floatToInt(Element source, Format to, Signedness signedness,
                   OutOfRange outOfRange = OutOfRange::Undefined);
/// `ftoi` to i1: true unless the value is zero; true for NaN (docs/decisions/float-to-i1.md).
Element floatToBool(Element source);
/// `itof`: one rounding to nearest even.
Element intToFloat(Element source, Format to, Signedness signedness);
/// The same bits in another format of the same MLIR width.
Element bitcast(Element source, Format to);

/// The bytes (i8) of a sequence whose size is a whole number of bytes. Elements take
/// their MLIR width, tf32 four bytes; the first element is in the lowest bits.
llvm::SmallVector<Element> pack(llvm::ArrayRef<Element> source);
/// The elements that these bytes (i8) hold.
llvm::SmallVector<Element> unpack(llvm::ArrayRef<Element> bytes, Format to);

/// The constant literal with this value: nearest even; too large gives Inf, where
/// there is none NaN, and where there is none the largest value (types, 2.7).
Element roundToFormat(const llvm::APFloat &value, Format to);
Element roundToFormat(double value, Format to);
/// The same from decimal text ("1.0", "-2.5e-3", "7"), rounded once. None if the text
/// is not a decimal number.
std::optional<Element> roundDecimal(llvm::StringRef text, Format to);

/// Reads a launch argument. Integers: decimal or 0x..., within the union of the signed
/// and the unsigned range; i1 also true and false. Floats: decimal, nan, inf, -inf, or
/// 0x... for a bit pattern. Pointers: an address. None if the format has no such value.
std::optional<Element> parseElement(Format format, llvm::StringRef text);
/// Shortest text that parseElement reads back; NaNs with an unusual pattern as 0x....
/// Integers print signed, poison as "poison".
std::string toString(Element element);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_CONVERT_H
