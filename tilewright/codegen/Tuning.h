// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thresholds of a compiler: the numbers by which it decides. Each compiler has a struct of them
// with a list of their names, so that a benchmark can sweep one and a test can pin it (--tuning).

#ifndef TILEWRIGHT_CODEGEN_TUNING_H
#define TILEWRIGHT_CODEGEN_TUNING_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

namespace tilewright::codegen {

/// The values that a threshold may have. With others, the compiler would divide by zero, or cut
/// tiles, whose extents are powers of two, into unequal parts.
enum class ThresholdValues : uint8_t { FromZero, FromOne, PowersOfTwo };

/// The most that any threshold may be, so that products of thresholds and extents do not overflow.
inline constexpr uint64_t mostThreshold = uint64_t(1) << 30;

/// A field of `Tuning` and its name, as in `most-fused-cost=320`.
template <typename Tuning> struct Threshold {
  llvm::StringRef name;
  int64_t Tuning::*value;
  ThresholdValues values = ThresholdValues::FromZero;
  uint64_t least = 0; ///< With lower values, the compiler would crash.
};

/// Sets a threshold from `NAME=VALUE`. Fails, and changes nothing, if there is no such threshold or
/// it may not have the value.
template <typename Tuning>
support::Result<void> setThreshold(Tuning &tuning, llvm::ArrayRef<Threshold<Tuning>> thresholds,
                                   llvm::StringRef text) {
  const auto [name, number] = text.split('=');
  const auto *found =
      llvm::find_if(thresholds, [&](const auto &each) { return each.name == name; });
  if (found == thresholds.end())
    return support::Failure{
        "expected a threshold among " +
        llvm::join(llvm::map_range(thresholds, [](const auto &each) { return each.name; }), ", ") +
        ", but got '" + name.str() + "'"};
  uint64_t value;
  if (number.getAsInteger(10, value))
    return support::Failure{"expected " + name.str() + "=INTEGER, but got '" + text.str() + "'"};
  if (value > mostThreshold)
    return support::Failure{name.str() + " must be at most 2^30, but is " + number.str()};
  const uint64_t fromOne = found->values == ThresholdValues::FromOne ? 1 : 0;
  if (const uint64_t least = std::max(found->least, fromOne); value < least)
    return support::Failure{name.str() + " must be at least " + std::to_string(least) +
                            ", but is " + number.str()};
  if (found->values == ThresholdValues::PowersOfTwo && !llvm::isPowerOf2_64(value))
    return support::Failure{name.str() + " must be a power of two, but is " + number.str()};
  tuning.*found->value = int64_t(value);
  return {};
}

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_TUNING_H
