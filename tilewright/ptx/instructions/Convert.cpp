// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions (PTX ISA, 9.7.9.21): cvt. Each source converts exactly to a 128-bit integer or an
// f64, and from there in one rounding step to the result format.

#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Element;
using numerics::Format;
using numerics::RoundingMode;
using Wide = __int128;

// The upper half of op.mode has the types; these flags come in addition to those of Compute.h.
static constexpr uint32_t toInteger = 0x1000;
static constexpr uint32_t satFinite = 0x2000;
static Type sourceOf(const Op &op) { return Type(op.mode >> 16 & 0xFF); }
static Type resultOf(const Op &op) { return Type(op.mode >> 24); }

static std::optional<Format> formatOf(Type type) {
  switch (type) {
  case Type::F16:
    return Format::F16;
  case Type::BF16:
    return Format::BF16;
  case Type::TF32:
    return Format::TF32;
  case Type::F32:
    return Format::F32;
  case Type::F64:
    return Format::F64;
  default:
    return std::nullopt;
  }
}

//===-- Integers ----------------------------------------------------------------------------===//

static uint64_t maskOf(unsigned bytes) {
  return bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * bytes)) - 1;
}

static Wide readInteger(uint64_t bits, Type type) {
  const unsigned unused = 64 - 8 * bytesOf(type);
  if (isSigned(type))
    return Wide(int64_t(bits << unused) >> unused);
  return Wide(bits & maskOf(bytesOf(type)));
}

static Wide clampTo(Wide value, Type type) {
  const unsigned bits = 8 * bytesOf(type);
  const Wide largest = (Wide(1) << (isSigned(type) ? bits - 1 : bits)) - 1;
  const Wide smallest = isSigned(type) ? -largest - 1 : 0;
  return std::clamp(value, smallest, largest);
}

/// Extends to the register width, as the type says.
static uint64_t extendTo(Wide value, Type type, unsigned width) {
  return uint64_t(readInteger(uint64_t(value), type)) & maskOf(width);
}

//===-- Floats ------------------------------------------------------------------------------===//

static double roundToInteger(double value, RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Zero:
    return std::trunc(value);
  case RoundingMode::NegativeInf:
    return std::floor(value);
  case RoundingMode::PositiveInf:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// A NaN becomes 0, or the number with only the highest bit set if the source is f64 or the result
/// has 64 bits. Out-of-range values become the nearest representable number.
static Wide floatToInteger(double value, RoundingMode mode, Type type, Type source) {
  if (std::isnan(value)) {
    const Wide highest = Wide(1) << (8 * bytesOf(type) - 1);
    return source != Type::F64 && bytesOf(type) != 8 ? 0 : isSigned(type) ? -highest : highest;
  }
  value = roundToInteger(value, mode);
  constexpr double huge = 0x1p100;
  return clampTo(Wide(std::clamp(value, -huge, huge)), type);
}

/// The f64 for an integer below 2^64, with the given rounding.
static double integerToDouble(Wide value, RoundingMode mode) {
  const bool isNegative = value < 0;
  const uint64_t size = uint64_t(isNegative ? -value : value);
  double nearest = double(size);
  const Wide error = Wide(size) - Wide(nearest);
  const bool awayFromZero =
      mode == (isNegative ? RoundingMode::NegativeInf : RoundingMode::PositiveInf);
  if (error != 0 && mode != RoundingMode::NearestEven) {
    if (awayFromZero && error > 0)
      nearest = std::nextafter(nearest, HUGE_VAL);
    if (!awayFromZero && error < 0)
      nearest = std::nextafter(nearest, 0.0);
  }
  return isNegative ? -nearest : nearest;
}

/// Rounds to odd: the last bit is sticky, so that rounding again to a smaller format is correct.
static double integerToOdd(Wide value) {
  const uint64_t size = uint64_t(value < 0 ? -value : value);
  const int unused = size >> 53 ? 11 - std::countl_zero(size) : 0;
  uint64_t kept = size >> unused;
  if (kept << unused != size)
    kept |= 1;
  const double rounded = std::ldexp(double(kept), unused);
  return value < 0 ? -rounded : rounded;
}

static uint64_t integerToFloat(Wide value, Format to, RoundingMode mode) {
  if (to == Format::F64)
    return std::bit_cast<uint64_t>(integerToDouble(value, mode));
  return numerics::floatToFloat(Element::fromDouble(integerToOdd(value)), to, mode).bits;
}

/// To nearest, ties away from zero; only from f32 to tf32.
static uint64_t roundAwayToTF32(double value) {
  const uint32_t bits = std::bit_cast<uint32_t>(float(value));
  const bool isFinite = (bits & 0x7F800000) != 0x7F800000;
  return (bits + (isFinite ? 0x1000 : 0)) >> 13;
}

static uint64_t floatToFloat(double value, Format to, uint32_t m) {
  if (std::isnan(value))
    return m & mode::saturate ? 0 : Element::canonicalNan(to).bits;
  Element result = m & mode::tiesAway ? Element{roundAwayToTF32(value), to}
                                      : numerics::floatToFloat(Element::fromDouble(value), to,
                                                               RoundingMode(m & mode::rounding));
  if ((m & satFinite) && result.isInf())
    result.bits = numerics::info(to).largest | (value < 0 ? numerics::info(to).signBit() : 0);
  if ((m & mode::relu) && result.isNegative())
    result.bits = 0;
  if ((m & mode::saturate) && !(result.asDouble() > 0))
    result.bits = 0;
  else if ((m & mode::saturate) && result.asDouble() > 1)
    result = numerics::roundToFormat(1.0, to);
  if ((m & mode::flush) && to == Format::F32)
    result = numerics::flush(result);
  return result.bits;
}

static double readFloat(uint64_t bits, Format format, uint32_t m) {
  Element element{bits & numerics::info(format).mask(), format};
  if ((m & mode::flush) && format == Format::F32)
    element = numerics::flush(element);
  return element.asDouble();
}

//===-- Execution ---------------------------------------------------------------------------===//

/// In a register, tf32 is in the upper bits.
static uint64_t inRegister(uint64_t bits, Format format) {
  return format == Format::TF32 ? bits << 13 | (bits == 0x3FFFF ? 0x1FFF : 0) : bits;
}

static uint64_t convert(const Op &op, uint64_t bits) {
  const Type source = sourceOf(op), result = resultOf(op);
  const auto from = formatOf(source), to = formatOf(result);
  const RoundingMode rounding = RoundingMode(op.mode & mode::rounding);
  if (!from) {
    const Wide value = readInteger(bits, source);
    if (to)
      return floatToFloat(readFloat(integerToFloat(value, *to, rounding), *to, 0), *to,
                          op.mode & ~mode::rounding);
    return extendTo(op.mode & mode::saturate ? clampTo(value, result) : value, result, op.width);
  }
  double value = readFloat(bits, *from, op.mode);
  if (!to)
    return extendTo(floatToInteger(value, rounding, result, source), result, op.width);
  if (op.mode & toInteger)
    value = roundToInteger(value, rounding);
  return inRegister(floatToFloat(value, *to, op.mode), *to);
}

static Step runConvert(Thread &thread, const Op &op) {
  const uint8_t needed = uint8_t((1u << op.bytes) - 1);
  const bool isDefined = (thread.defined[op.in[0]] & needed) == needed;
  thread.put(op.d, convert(op, thread.values[op.in[0]]), isDefined);
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool takeRoundings(Decoder &decoder, bool &hasRounding) {
  if (const auto found = decoder.takeOneOf({"rni", "rzi", "rmi", "rpi"})) {
    decoder.op.mode |= uint32_t(*found) | toInteger;
    hasRounding = true;
  } else if (const auto rounding = decoder.takeOneOf({"rn", "rz", "rm", "rp"})) {
    decoder.op.mode |= uint32_t(*rounding);
    hasRounding = true;
  } else if (decoder.take("rna")) {
    decoder.op.mode |= mode::tiesAway;
    hasRounding = true;
  }
  return true;
}

/// Checks whether the rounding modifier is required or allowed (the table of cvt).
static bool checkRounding(Decoder &decoder, Type result, Type source, bool hasRounding) {
  const uint32_t m = decoder.op.mode;
  const bool isFloatSource = isFloat(source), isFloatResult = isFloat(result);
  const bool isNarrowing = isFloatResult && isFloatSource && bytesOf(result) < bytesOf(source);
  const bool needsInteger = isFloatSource && !isFloatResult;
  const bool needsFloat = (isFloatResult && !isFloatSource) || isNarrowing;
  if ((needsInteger && !(m & toInteger)) || (needsFloat && (!hasRounding || (m & toInteger))) ||
      (!isFloatSource && !isFloatResult && hasRounding))
    return decoder.refuse("'" + decoder.name() + "' is not supported: its rounding does not fit");
  if ((m & mode::tiesAway) && result != Type::TF32)
    return decoder.refuse("'" + decoder.name() + "' is not supported: .rna is for .tf32");
  if (m & (mode::relu | satFinite) && (m & mode::rounding) > uint32_t(RoundingMode::Zero))
    return decoder.refuse("'" + decoder.name() + "' is not supported: its rounding does not fit");
  // Exact conversions take no rounding, except those from bf16; rounding to whole numbers requires
  // that both types are the same.
  const bool isExact = isFloatSource && isFloatResult && !isNarrowing && source != Type::BF16 &&
                       bytesOf(result) != bytesOf(source);
  const bool isSame = result == source;
  if (isFloatSource && isFloatResult && hasRounding &&
      (m & toInteger ? !isSame : isExact || isSame))
    return decoder.refuse("'" + decoder.name() + "' is not supported: its rounding does not fit");
  return true;
}

/// Allows `.rn`, `.rz` and `.rna`; only the first two can have .relu.
static bool checkRoundingToTF32(Decoder &decoder, bool hasRounding) {
  const uint32_t m = decoder.op.mode;
  const bool isKnown = !(m & toInteger) && (m & mode::rounding) <= uint32_t(RoundingMode::Zero) &&
                       !(m & mode::tiesAway && m & mode::relu);
  if (!hasRounding)
    return decoder.refuse("'" + decoder.name() + "' has no rounding mode");
  return isKnown ||
         decoder.refuse("'" + decoder.name() + "' is not supported: its rounding does not fit");
}

/// Can the source type hold integers that the result type cannot?
static bool mayClamp(Type result, Type source) {
  const unsigned to = bytesOf(result), from = bytesOf(source);
  return isSigned(source)   ? !isSigned(result) || to < from
         : isSigned(result) ? to <= from
                            : to < from;
}

/// Takes the modifiers that the types allow.
static void takeConversionFlags(Decoder &decoder, Type result, Type source) {
  if ((result == Type::F32 || source == Type::F32) && result != Type::TF32)
    takeFlag(decoder, "ftz", mode::flush);
  if (isFloat(result) && bytesOf(result) <= 4 && result != Type::F32 && source == Type::F32) {
    takeFlag(decoder, "relu", mode::relu);
    takeFlag(decoder, "satfinite", satFinite);
  }
  if (isFloat(result) || isFloat(source)
          ? result != Type::BF16 && source != Type::BF16 && result != Type::TF32
          : mayClamp(result, source))
    takeFlag(decoder, "sat", mode::saturate);
}

static constexpr std::initializer_list<Type> convertible = {
    Type::U8,  Type::U16, Type::U32,  Type::U64, Type::S8,  Type::S16, Type::S32,
    Type::S64, Type::F16, Type::BF16, Type::F32, Type::F64, Type::TF32};

static bool decodeCvt(Decoder &decoder) {
  if (decoder.take("pack"))
    return decodeConvertPack(decoder);
  for (std::string_view pair : {"f16x2", "bf16x2", "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2",
                                "ue8m0x2", "e4m3x4", "e5m2x4", "e2m1x4", "e2m3x4", "e3m2x4"})
    if (decoder.has(pair))
      return decodeConvertPair(decoder);
  Type result, source;
  bool hasRounding = false;
  if (!decoder.expectType(result, convertible) || !decoder.expectType(source, convertible) ||
      !takeRoundings(decoder, hasRounding))
    return false;
  takeConversionFlags(decoder, result, source);
  decoder.op.mode |= uint32_t(source) << 16 | uint32_t(result) << 24;
  decoder.op.bytes = uint8_t(bytesOf(source));
  if (source == Type::TF32 || (result == Type::TF32 && source != Type::F32))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const Width width = isFloat(result) ? Width::Exact : Width::AtLeast;
  const Width sourceWidth = isFloat(source) ? Width::Exact : Width::AtLeast;
  return (result == Type::TF32 ? checkRoundingToTF32(decoder, hasRounding)
                               : checkRounding(decoder, result, source, hasRounding)) &&
         decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), result, decoder.op.d, width) &&
         decoder.source(decoder.operand(1), source, decoder.op.in[0], sourceWidth) &&
         decoder.finish(runConvert);
}

std::span<const OpcodeRow> tilewright::ptx::convertOpcodes() {
  static constexpr OpcodeRow rows[] = {{"cvt", decodeCvt}};
  return rows;
}
