// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row functions that convert formats (arithmetic, 4.25 to 4.27): through a native value that holds
// the source exactly, and one rounding. 8- and 4-bit floats are read from tables; they have no row
// functions as destinations, because they saturate.

#include "tilewright/numerics/RowFormats.h"
#include <array>

using namespace tilewright::numerics;
using namespace tilewright::numerics::rows;

template <typename Make> static RowFunction forFloatOrTf32(Format format, Make make) {
  return format == Format::TF32 ? make(TF32()) : forFloat(format, make);
}

/// The values of all patterns of a format with up to 8 bits.
static std::array<float, 256> valuesOf(Format format) {
  std::array<float, 256> values = {};
  for (uint64_t pattern = 0; pattern <= info(format).mask(); ++pattern)
    values[pattern] = float(Element::fromBits(format, pattern).asDouble());
  return values;
}

template <Format format> static const std::array<float, 256> values = valuesOf(format);

namespace {
template <Format format> struct Tabulated {
  using Word = uint8_t;
  TILEWRIGHT_INLINE static float read(Word word) { return values<format>[word]; }
};
} // namespace

template <typename Make> static RowFunction forReadable(Format format, Make make) {
  switch (format) {
  case Format::F8E4M3FN:
    return make(Tabulated<Format::F8E4M3FN>());
  case Format::F8E5M2:
    return make(Tabulated<Format::F8E5M2>());
  case Format::F8E8M0FNU:
    return make(Tabulated<Format::F8E8M0FNU>());
  case Format::F4E2M1FN:
    return make(Tabulated<Format::F4E2M1FN>());
  case Format::F8E5M3FNU:
    return make(Tabulated<Format::F8E5M3FNU>());
  default:
    return forFloatOrTf32(format, make);
  }
}

RowFunction rows::floatToFloat(Format from, Format to, RoundingMode rounding) {
  if (rounding != RoundingMode::NearestEven)
    return nullptr;
  return forReadable(from, [to](auto source) {
    return forFloatOrTf32(to, [](auto result) {
      using From = decltype(source);
      using To = decltype(result);
      using Word = typename From::Word;
      return rowOf<typename To::Word, Word>([](Word word) { return To::write(From::read(word)); });
    });
  });
}

/// 2^exponent.
static constexpr double powerOfTwo(unsigned exponent) {
  double power = 1;
  while (exponent-- > 0)
    power *= 2;
  return power;
}

RowFunction rows::floatToInt(Format from, Format to, Signedness signedness) {
  return forFloat(from, [=](auto source) {
    return forInteger(to, [=](auto result) {
      return forSignedness(signedness, [](auto reading) {
        using I = decltype(result);
        using Word = typename decltype(source)::Word;
        return rowOf<typename I::Word, Word>([](Word word, bool &undefined) {
          constexpr bool isSigned = decltype(reading)::value == Signedness::Signed;
          // Both bounds are exact; the upper one is exclusive.
          constexpr double upper = powerOfTwo(isSigned ? I::bits - 1 : I::bits);
          constexpr double lower = isSigned ? -upper : 0.0;
          double value = std::trunc(double(decltype(source)::read(word)));
          bool fits = value >= lower && value < upper;
          undefined = !fits;
          value = fits ? value : 0;
          if constexpr (isSigned || I::bits < 64)
            return I::cut(int64_t(value));
          else
            return I::cut(uint64_t(value));
        });
      });
    });
  });
}

RowFunction rows::floatToBool(Format from) {
  return forReadable(from, [](auto source) {
    using Word = typename decltype(source)::Word;
    return rowOf<uint8_t, Word>(
        [](Word word) { return uint8_t(decltype(source)::read(word) != 0); });
  });
}

RowFunction rows::intToFloat(Format from, Format to, Signedness signedness) {
  // Half of the 64 bits would be lost before the final rounding.
  bool isHalf = to == Format::F16 || to == Format::BF16;
  if (from == Format::I64 && isHalf)
    return nullptr;
  return forInteger(from, [=](auto source) {
    return forFloat(to, [=](auto result) {
      return forSignedness(signedness, [](auto reading) {
        using I = decltype(source);
        using To = decltype(result);
        using Word = typename I::Word;
        // Hardware rounds integers to f32 and f64; integers of up to 32 bits are exact in f64.
        using Through =
            std::conditional_t<sizeof(typename To::Word) == 2, double, typename To::Value>;
        return rowOf<typename To::Word, Word>([](Word word) {
          return To::write(Through(I::template read<decltype(reading)::value>(word)));
        });
      });
    });
  });
}
