// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Rounding.h"
#include <cmath>

using namespace tilewright::numerics;

/// The 8- and 4-bit floats saturate in conversions (arithmetic, 4.25).
static Beyond beyondIn(Format format) {
  return info(format).bits <= 8 ? Beyond::Saturate : Beyond::Ieee;
}

Element tilewright::numerics::floatToFloat(Element source, Format to, RoundingMode rounding,
                                           NanToE4M3FN nan) {
  assert(isRounding(rounding));
  if (source.poison)
    return Element::poisoned(to);
  double value = source.asDouble();
  if (std::isnan(value) && to == Format::F8E4M3FN && nan == NanToE4M3FN::Largest)
    return Element::fromBits(to, info(to).largest);
  if (!info(to).hasSign)
    value = std::fabs(value);
  return round(value, to, rounding, beyondIn(to));
}

Element tilewright::numerics::floatToInt(Element source, Format to, Signedness signedness,
                                         OutOfRange outOfRange) {
  const FormatInfo &f = info(to);
  assert(f.isInteger());
  bool saturates = outOfRange == OutOfRange::Saturates;
  if (source.poison || (source.isNan() && !saturates))
    return Element::poisoned(to);
  if (source.isNan())
    return Element::zero(to);
  double value = std::trunc(source.asDouble());
  bool isSigned = signedness == Signedness::Signed;
  // Both bounds are exact in f64; the upper one is exclusive.
  double upper = std::ldexp(1.0, isSigned ? f.bits - 1 : f.bits);
  double lower = isSigned ? -upper : 0.0;
  bool isBelow = value < lower, isAbove = value >= upper;
  if ((isBelow || isAbove) && !saturates)
    return Element::poisoned(to);
  // Bit patterns: 100...0 and 011...1 for a signed format, 000...0 and 111...1 for an unsigned one.
  uint64_t top = f.signBit(), least = isSigned ? top : 0;
  if (isBelow)
    return Element::fromBits(to, least);
  if (isAbove)
    return Element::fromBits(to, f.mask() ^ least);
  return Element::integer(to, value < 0 ? int64_t(value) : int64_t(uint64_t(value)));
}

Element tilewright::numerics::floatToBool(Element source) {
  if (source.poison)
    return Element::poisoned(Format::I1);
  return Element::boolean(source.isNan() || source.asDouble() != 0);
}

Element tilewright::numerics::intToFloat(Element source, Format to, Signedness signedness) {
  assert(info(source.format).isInteger() && info(to).isFloat());
  if (source.poison)
    return Element::poisoned(to);
  bool isBelowZero = signedness == Signedness::Signed && source.asSigned() < 0;
  bool negative = isBelowZero && info(to).hasSign;
  uint64_t magnitude = isBelowZero ? -uint64_t(source.asSigned()) : source.asUnsigned();
  if (magnitude == 0)
    return Element::zero(to);
  return round({negative, magnitude, 0}, to, RoundingMode::NearestEven, beyondIn(to));
}

Element tilewright::numerics::bitcast(Element source, Format to) {
  assert(info(source.format).bits == info(to).bits && "equal widths");
  return {source.bits, to, source.poison};
}

//===----------------------------------------------------------------------===//
// Packing into bytes
//===----------------------------------------------------------------------===//

/// tf32 takes four bytes as in memory, with 13 unused bits at the bottom (arithmetic, 4.29). Other
/// formats take their own width.
static unsigned packedBits(Format format) {
  return format == Format::TF32 ? 32 : info(format).bits;
}
static unsigned unusedBits(Format format) { return packedBits(format) - info(format).bits; }

llvm::SmallVector<Element> tilewright::numerics::pack(llvm::ArrayRef<Element> source) {
  if (source.empty())
    return {};
  Format from = source.front().format;
  unsigned width = packedBits(from);
  assert(source.size() * width % 8 == 0 && "a whole number of bytes");
  llvm::SmallVector<Element> bytes(source.size() * width / 8, Element::zero(Format::I8));
  for (size_t index = 0; index < source.size(); ++index) {
    uint64_t word = source[index].bits << unusedBits(from);
    for (unsigned done = 0; done < width; done += 8) {
      size_t position = index * width + done;
      Element &byte = bytes[position / 8];
      byte.bits |= (word >> done << position % 8) & 0xFF;
      byte.poison |= source[index].poison;
    }
  }
  for (Element &byte : bytes)
    if (byte.poison)
      byte = Element::poisoned(Format::I8);
  return bytes;
}

llvm::SmallVector<Element> tilewright::numerics::unpack(llvm::ArrayRef<Element> bytes, Format to) {
  unsigned width = packedBits(to);
  assert(bytes.size() * 8 % width == 0 && "a whole number of elements");
  llvm::SmallVector<Element> result;
  for (size_t position = 0; position < bytes.size() * 8; position += width) {
    uint64_t word = 0;
    bool poison = false;
    for (unsigned done = 0; done < width; done += 8) {
      const Element &byte = bytes[(position + done) / 8];
      word |= byte.bits >> position % 8 << done;
      poison |= byte.poison;
    }
    uint64_t bits = (word >> unusedBits(to)) & info(to).mask();
    result.push_back(poison ? Element::poisoned(to) : Element::fromBits(to, bits));
  }
  return result;
}
