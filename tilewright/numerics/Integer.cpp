// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Integer.h"
#include <algorithm>

using namespace tilewright::numerics;

using Wide = __int128;

static Wide read(Element element, Signedness signedness) {
  return signedness == Signedness::Signed ? Wide(element.asSigned()) : Wide(element.asUnsigned());
}

static Element cut(Wide value, Format format) { return Element::integer(format, int64_t(value)); }

static bool fits(Wide value, Format format, Signedness signedness) {
  return read(cut(value, format), signedness) == value;
}

/// Whether the overflow assumption holds, judged by the exact results of both readings of the
/// operands.
static bool assumptionHolds(Wide signedResult, Wide unsignedResult, Format format,
                            Overflow assumption) {
  bool noSigned = assumption == Overflow::NoSignedWrap || assumption == Overflow::NoWrap;
  bool noUnsigned = assumption == Overflow::NoUnsignedWrap || assumption == Overflow::NoWrap;
  return (!noSigned || fits(signedResult, format, Signedness::Signed)) &&
         (!noUnsigned || fits(unsignedResult, format, Signedness::Unsigned));
}

/// The result of op, computed on both readings, which agree in the low bits.
template <typename Op>
static Element compute(Element lhs, Element rhs, Overflow assumption, Op op) {
  assert(lhs.format == rhs.format);
  Format format = lhs.format;
  if (anyPoison(lhs, rhs))
    return Element::poisoned(format);
  Wide asSigned = op(Wide(lhs.asSigned()), Wide(rhs.asSigned()));
  Wide asUnsigned = op(Wide(lhs.asUnsigned()), Wide(rhs.asUnsigned()));
  if (!assumptionHolds(asSigned, asUnsigned, format, assumption))
    return Element::poisoned(format);
  return cut(asSigned, format);
}

Element tilewright::numerics::addI(Element lhs, Element rhs, Overflow assumption) {
  return compute(lhs, rhs, assumption, [](Wide a, Wide b) { return a + b; });
}

Element tilewright::numerics::subI(Element lhs, Element rhs, Overflow assumption) {
  return compute(lhs, rhs, assumption, [](Wide a, Wide b) { return a - b; });
}

Element tilewright::numerics::mulI(Element lhs, Element rhs, Overflow assumption) {
  // The largest unsigned product needs all 128 bits. Read as negative, it does not fit either,
  // which is all that the assumption requires.
  return compute(lhs, rhs, assumption, [](Wide a, Wide b) {
    return Wide(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  });
}

Element tilewright::numerics::shlI(Element lhs, Element rhs, Overflow assumption) {
  assert(lhs.format == rhs.format);
  Format format = lhs.format;
  if (anyPoison(lhs, rhs))
    return Element::poisoned(format);
  // A nonzero number shifted by the width or more does not fit in either reading.
  if (rhs.asUnsigned() >= info(format).bits) {
    bool broken = lhs.bits != 0 && assumption != Overflow::None;
    return broken ? Element::poisoned(format) : Element::zero(format);
  }
  Wide factor = Wide(1) << rhs.asUnsigned();
  Wide asSigned = lhs.asSigned() * factor, asUnsigned = lhs.asUnsigned() * factor;
  if (!assumptionHolds(asSigned, asUnsigned, format, assumption))
    return Element::poisoned(format);
  return cut(asSigned, format);
}

Element tilewright::numerics::shrI(Element lhs, Element rhs, Signedness signedness) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  // After 64 positions, every bit is shifted out or is a copy of the sign.
  return cut(read(lhs, signedness) >> std::min<uint64_t>(rhs.asUnsigned(), 64), lhs.format);
}

Element tilewright::numerics::negI(Element source, Overflow assumption) {
  if (source.poison)
    return source;
  // Operand and result are read as signed, whatever the assumption (arithmetic, 4.2).
  Wide result = -Wide(source.asSigned());
  if (assumption != Overflow::None && !fits(result, source.format, Signedness::Signed))
    return Element::poisoned(source.format);
  return cut(result, source.format);
}

Element tilewright::numerics::mulhU(Element lhs, Element rhs) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  auto product = static_cast<unsigned __int128>(lhs.asUnsigned()) * rhs.asUnsigned();
  return Element::fromBits(lhs.format, uint64_t(product >> info(lhs.format).bits));
}

Element tilewright::numerics::divI(Element lhs, Element rhs, Signedness signedness,
                                   RoundingMode rounding) {
  assert(lhs.format == rhs.format);
  assert(rounding != RoundingMode::NearestEven && rounding <= RoundingMode::PositiveInf &&
         "division rounds to zero, negative_inf or positive_inf");
  Format format = lhs.format;
  if (anyPoison(lhs, rhs) || rhs.bits == 0)
    return Element::poisoned(format);
  Wide a = read(lhs, signedness), b = read(rhs, signedness);
  Wide quotient = a / b;
  bool inexact = a % b != 0;
  bool negative = (a < 0) != (b < 0);
  if (inexact && negative && rounding == RoundingMode::NegativeInf)
    --quotient;
  if (inexact && !negative && rounding == RoundingMode::PositiveInf)
    ++quotient;
  return fits(quotient, format, signedness) ? cut(quotient, format) : Element::poisoned(format);
}

Element tilewright::numerics::remI(Element lhs, Element rhs, Signedness signedness) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs) || rhs.bits == 0)
    return Element::poisoned(lhs.format);
  return cut(read(lhs, signedness) % read(rhs, signedness), lhs.format);
}

Element tilewright::numerics::maxI(Element lhs, Element rhs, Signedness signedness) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  return read(lhs, signedness) < read(rhs, signedness) ? rhs : lhs;
}

Element tilewright::numerics::minI(Element lhs, Element rhs, Signedness signedness) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  return read(rhs, signedness) < read(lhs, signedness) ? rhs : lhs;
}

Element tilewright::numerics::absI(Element source) {
  // The result is read as unsigned, so it always fits (arithmetic, 4.2).
  return source.asSigned() < 0 ? negI(source) : source;
}

template <typename Op> static Element bitwise(Element lhs, Element rhs, Op op) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  return Element::fromBits(lhs.format, op(lhs.asUnsigned(), rhs.asUnsigned()));
}

Element tilewright::numerics::andI(Element lhs, Element rhs) {
  return bitwise(lhs, rhs, [](uint64_t a, uint64_t b) { return a & b; });
}

Element tilewright::numerics::orI(Element lhs, Element rhs) {
  return bitwise(lhs, rhs, [](uint64_t a, uint64_t b) { return a | b; });
}

Element tilewright::numerics::xorI(Element lhs, Element rhs) {
  return bitwise(lhs, rhs, [](uint64_t a, uint64_t b) { return a ^ b; });
}

Element tilewright::numerics::cmpI(Predicate predicate, Element lhs, Element rhs,
                                   Signedness signedness) {
  assert(lhs.format == rhs.format);
  if (anyPoison(lhs, rhs))
    return Element::poisoned(Format::I1);
  return Element::boolean(holds(predicate, read(lhs, signedness), read(rhs, signedness)));
}

Element tilewright::numerics::extI(Element source, Format to, Signedness signedness) {
  assert(info(to).bits > info(source.format).bits && "exti widens");
  if (source.poison)
    return Element::poisoned(to);
  return cut(read(source, signedness), to);
}

Element tilewright::numerics::truncI(Element source, Format to, Overflow assumption) {
  assert(info(to).bits < info(source.format).bits && "trunci narrows");
  if (source.poison || !assumptionHolds(source.asSigned(), source.asUnsigned(), to, assumption))
    return Element::poisoned(to);
  return cut(source.asSigned(), to);
}

Element tilewright::numerics::intToPtr(Element source) {
  assert(source.format == Format::I64);
  return {source.bits, Format::Pointer, source.poison};
}

Element tilewright::numerics::ptrToInt(Element source) {
  assert(source.format == Format::Pointer);
  return {source.bits, Format::I64, source.poison};
}
