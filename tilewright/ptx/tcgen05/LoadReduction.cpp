// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoadReduction.h.

#include "tilewright/ptx/tcgen05/LoadReduction.h"
#include "tilewright/ptx/instructions/FloatValue.h"

using namespace tilewright::ptx;

static constexpr uint32_t isReduction = 1, isMaximum = 2, isAbsolute = 4, keepsNan = 8,
                          ofFloats = 16, ofSigned = 32;

std::optional<uint32_t> tilewright::ptx::takeLoadReduction(Decoder &decoder) {
  const auto operation = decoder.takeOneOf({"min", "max"});
  const auto type = decoder.takeOneOf({"f32", "u32", "s32"});
  const bool hasAbsolute = decoder.take("abs"), hasNan = decoder.take("NaN");
  if (!operation || !type || (*type != 0 && (hasAbsolute || hasNan)))
    return std::nullopt;
  return isReduction | (*operation ? isMaximum : 0) | (hasAbsolute ? isAbsolute : 0) |
         (hasNan ? keepsNan : 0) |
         (*type == 0   ? ofFloats
          : *type == 2 ? ofSigned
                       : 0);
}

/// A NaN gives way to a number, unless it is kept; -0 is less than 0.
static float floatOf(uint32_t reduction, float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) == bool(reduction & keepsNan) ? a : b;
  const bool isLess = a == b ? std::signbit(a) : a < b;
  return isLess != bool(reduction & isMaximum) ? a : b;
}

static uint32_t combined(uint32_t reduction, uint32_t a, uint32_t b) {
  if (reduction & ofFloats)
    return std::bit_cast<uint32_t>(
        floatOf(reduction, std::bit_cast<float>(a), std::bit_cast<float>(b)));
  const bool isLess = reduction & ofSigned ? int32_t(a) < int32_t(b) : a < b;
  return isLess != bool(reduction & isMaximum) ? a : b;
}

PendingRegister tilewright::ptx::reduced(uint32_t reduction, uint32_t slot,
                                         std::span<const PendingRegister> loaded) {
  const uint32_t mask = reduction & isAbsolute ? 0x7FFFFFFF : 0xFFFFFFFF;
  uint32_t value = uint32_t(loaded.front().value) & mask;
  bool isDefined = true;
  for (const PendingRegister &reg : loaded) {
    value = combined(reduction, value, uint32_t(reg.value) & mask);
    isDefined &= reg.isDefined;
  }
  if (reduction & ofFloats)
    value = std::bit_cast<uint32_t>(canonical(std::bit_cast<float>(value)));
  return {slot, value, isDefined};
}
