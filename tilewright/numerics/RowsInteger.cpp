// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row functions for integer operations (arithmetic, 4.1 to 4.9). Integer.cpp has the definitions in
// 128 bits; these compute the same in narrower types.

#include "tilewright/numerics/RowFormats.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::rows;

// ===-- Arithmetic with overflow assumptions ------------------------------------------------===//

namespace {
struct Add {
  template <typename I, typename V> TILEWRIGHT_INLINE static V of(V lhs, V rhs) {
    return lhs + rhs;
  }
};
struct Subtract {
  template <typename I, typename V> TILEWRIGHT_INLINE static V of(V lhs, V rhs) {
    return lhs - rhs;
  }
};
struct Multiply {
  template <typename I, typename V> TILEWRIGHT_INLINE static V of(V lhs, V rhs) {
    // An unsigned product may use all bits of Wide. Read as negative, it does not fit into a word
    // either, which is all that an overflow assumption requires.
    using Unsigned = std::conditional_t<sizeof(V) == sizeof(typename I::UnsignedWide),
                                        typename I::UnsignedWide, typename I::Register>;
    return V(Unsigned(lhs) * Unsigned(rhs));
  }
};
} // namespace

/// Computes both readings of the operands, which the overflow assumption is about.
template <typename I, typename Op, Overflow assumption>
TILEWRIGHT_INLINE static typename I::Word withAssumption(typename I::Word lhs, typename I::Word rhs,
                                                         bool &broken) {
  using Wide = typename I::Wide;
  Wide asSigned = Op::template of<I, Wide>(I::asSigned(lhs), I::asSigned(rhs));
  Wide asUnsigned = Op::template of<I, Wide>(lhs, rhs);
  auto result = I::cut(asSigned);
  if (assumption == Overflow::NoSignedWrap || assumption == Overflow::NoWrap)
    broken |= Wide(I::asSigned(result)) != asSigned;
  if (assumption == Overflow::NoUnsignedWrap || assumption == Overflow::NoWrap)
    broken |= Wide(result) != asUnsigned;
  return result;
}

template <typename I, typename Op, Overflow assumption> static RowFunction rowWithAssumption() {
  using Word = typename I::Word;
  return rowOf<Word, Word, Word>([](Word lhs, Word rhs, bool &broken) {
    return withAssumption<I, Op, assumption>(lhs, rhs, broken);
  });
}

template <typename Op> static RowFunction arithmetic(Format format, Overflow assumption) {
  return forInteger(format, [assumption](auto integer) -> RowFunction {
    using I = decltype(integer);
    using Word = typename I::Word;
    using Register = typename I::Register;
    switch (assumption) {
    case Overflow::None:
      return rowOf<Word, Word, Word>(
          [](Word lhs, Word rhs) { return I::cut(Op::template of<I, Register>(lhs, rhs)); });
    case Overflow::NoSignedWrap:
      return rowWithAssumption<I, Op, Overflow::NoSignedWrap>();
    case Overflow::NoUnsignedWrap:
      return rowWithAssumption<I, Op, Overflow::NoUnsignedWrap>();
    case Overflow::NoWrap:
      return rowWithAssumption<I, Op, Overflow::NoWrap>();
    }
    llvm_unreachable("all assumptions are listed");
  });
}

RowFunction rows::addI(Format format, Overflow assumption) {
  return arithmetic<Add>(format, assumption);
}
RowFunction rows::subI(Format format, Overflow assumption) {
  return arithmetic<Subtract>(format, assumption);
}
RowFunction rows::mulI(Format format, Overflow assumption) {
  return arithmetic<Multiply>(format, assumption);
}

RowFunction rows::negI(Format format, Overflow assumption) {
  return forInteger(format, [assumption](auto integer) -> RowFunction {
    using I = decltype(integer);
    using Word = typename I::Word;
    if (assumption == Overflow::None)
      return rowOf<Word, Word>(
          [](Word source) { return I::cut(typename I::Register(0) - source); });
    return rowOf<Word, Word>([](Word source, bool &broken) {
      Word result = I::cut(typename I::Register(0) - source);
      // Apart from 0, only the smallest number is its own negative.
      broken = source != 0 && result == source;
      return result;
    });
  });
}

//===-- Shifts ------------------------------------------------------------------------------===//

RowFunction rows::shlI(Format format, Overflow assumption) {
  if (assumption != Overflow::None)
    return nullptr;
  return forInteger(format, [](auto integer) {
    using I = decltype(integer);
    using Word = typename I::Word;
    return rowOf<Word, Word, Word>([](Word lhs, Word rhs) {
      bool inside = rhs < I::bits;
      return I::cut(inside ? typename I::Register(lhs) << (inside ? rhs : 0) : 0);
    });
  });
}

RowFunction rows::shrI(Format format, Signedness signedness) {
  return forInteger(format, [signedness](auto integer) {
    using I = decltype(integer);
    using Word = typename I::Word;
    return forSignedness(signedness, [](auto reading) {
      return rowOf<Word, Word, Word>([](Word lhs, Word rhs) {
        auto value = I::template read<decltype(reading)::value>(lhs);
        bool inside = rhs < I::bits;
        auto shifted = value >> (inside ? rhs : I::bits - 1);
        // A shift by the width leaves only the sign of a signed number.
        return I::cut(inside || decltype(reading)::value == Signedness::Signed
                          ? shifted
                          : decltype(shifted)(0));
      });
    });
  });
}

//===-- Division ------------------------------------------------------------------------------===//

namespace {
/// A divisor that does not trap.
template <typename V> struct Divisor {
  V value;
  bool isZero, overflows;
};
} // namespace

template <typename I, Signedness signedness, typename V>
TILEWRIGHT_INLINE static Divisor<V> harmless(V dividend, V divisor) {
  constexpr auto smallest = I::template read<signedness>(I::cut(uint64_t(1) << (I::bits - 1)));
  bool isZero = divisor == 0;
  bool overflows = signedness == Signedness::Signed && dividend == smallest && divisor == V(-1);
  return {isZero || overflows ? V(1) : divisor, isZero, overflows};
}

template <typename I, Signedness signedness, RoundingMode rounding> static RowFunction quotient() {
  using Word = typename I::Word;
  return rowOf<Word, Word, Word>([](Word lhs, Word rhs, bool &undefined) {
    auto dividend = I::template read<signedness>(lhs);
    auto divisor = harmless<I, signedness>(dividend, I::template read<signedness>(rhs));
    undefined = divisor.isZero || divisor.overflows;
    auto quotient = dividend / divisor.value;
    bool inexact = dividend % divisor.value != 0;
    bool negative = (dividend < 0) != (divisor.value < 0);
    if (rounding == RoundingMode::NegativeInf)
      quotient -= inexact && negative;
    if (rounding == RoundingMode::PositiveInf)
      quotient += inexact && !negative;
    return I::cut(quotient);
  });
}

RowFunction rows::divI(Format format, Signedness signedness, RoundingMode rounding) {
  return forInteger(format, [=](auto integer) {
    using I = decltype(integer);
    return forSignedness(signedness, [rounding](auto reading) {
      constexpr Signedness signedness = decltype(reading)::value;
      if (rounding == RoundingMode::NegativeInf)
        return quotient<I, signedness, RoundingMode::NegativeInf>();
      if (rounding == RoundingMode::PositiveInf)
        return quotient<I, signedness, RoundingMode::PositiveInf>();
      return quotient<I, signedness, RoundingMode::Zero>();
    });
  });
}

RowFunction rows::remI(Format format, Signedness signedness) {
  return forInteger(format, [=](auto integer) {
    using I = decltype(integer);
    using Word = typename I::Word;
    return forSignedness(signedness, [](auto reading) {
      constexpr Signedness signedness = decltype(reading)::value;
      return rowOf<Word, Word, Word>([](Word lhs, Word rhs, bool &undefined) {
        auto dividend = I::template read<signedness>(lhs);
        auto divisor = harmless<I, signedness>(dividend, I::template read<signedness>(rhs));
        undefined = divisor.isZero;
        return I::cut(dividend % divisor.value);
      });
    });
  });
}

RowFunction rows::mulhU(Format format) {
  return forInteger(format, [](auto integer) {
    using I = decltype(integer);
    using Word = typename I::Word;
    return rowOf<Word, Word, Word>([](Word lhs, Word rhs) {
      using Wide = typename I::UnsignedWide;
      return I::cut(Wide(lhs) * rhs >> I::bits);
    });
  });
}

//===-- Order ---------------------------------------------------------------------------------===//

template <typename Choose> static RowFunction choose(Format format, Signedness signedness, Choose) {
  return forInteger(format, [=](auto integer) {
    using Word = typename decltype(integer)::Word;
    return forSignedness(signedness, [](auto reading) {
      return rowOf<Word, Word, Word>([](Word lhs, Word rhs) {
        using I = decltype(integer);
        constexpr Signedness signedness = decltype(reading)::value;
        return Choose()(I::template read<signedness>(lhs), I::template read<signedness>(rhs)) ? lhs
                                                                                              : rhs;
      });
    });
  });
}

RowFunction rows::maxI(Format format, Signedness signedness) {
  return choose(format, signedness, [](auto lhs, auto rhs) { return lhs > rhs; });
}
RowFunction rows::minI(Format format, Signedness signedness) {
  return choose(format, signedness, [](auto lhs, auto rhs) { return lhs < rhs; });
}

RowFunction rows::absI(Format format) {
  return forInteger(format, [](auto integer) {
    using I = decltype(integer);
    using Word = typename I::Word;
    return rowOf<Word, Word>([](Word source) {
      Word negative = I::cut(typename I::Register(0) - source);
      return I::asSigned(source) < 0 ? negative : source;
    });
  });
}

RowFunction rows::cmpI(Format format, Predicate predicate, Signedness signedness) {
  return forInteger(format, [=](auto integer) {
    return forSignedness(signedness, [=](auto reading) {
      return forPredicate(predicate, [](auto predicate) {
        using I = decltype(integer);
        using Word = typename I::Word;
        return rowOf<uint8_t, Word, Word>([](Word lhs, Word rhs) -> uint8_t {
          constexpr Signedness signedness = decltype(reading)::value;
          return holds(decltype(predicate)::value, I::template read<signedness>(lhs),
                       I::template read<signedness>(rhs));
        });
      });
    });
  });
}

//===-- Bits and widths -----------------------------------------------------------------------===//

template <typename Op> static RowFunction bitwise(Format format, Op) {
  return forInteger(format, [](auto integer) {
    using Word = typename decltype(integer)::Word;
    return rowOf<Word, Word, Word>([](Word lhs, Word rhs) { return Word(Op()(lhs, rhs)); });
  });
}

RowFunction rows::andI(Format format) {
  return bitwise(format, [](auto lhs, auto rhs) { return lhs & rhs; });
}
RowFunction rows::orI(Format format) {
  return bitwise(format, [](auto lhs, auto rhs) { return lhs | rhs; });
}
RowFunction rows::xorI(Format format) {
  return bitwise(format, [](auto lhs, auto rhs) { return lhs ^ rhs; });
}

RowFunction rows::extI(Format from, Format to, Signedness signedness) {
  return forInteger(from, [=](auto source) {
    return forInteger(to, [=](auto result) {
      return forSignedness(signedness, [](auto reading) {
        using From = decltype(source);
        using To = decltype(result);
        using Word = typename From::Word;
        return rowOf<typename To::Word, Word>([](Word source) {
          return To::cut(From::template read<decltype(reading)::value>(source));
        });
      });
    });
  });
}

RowFunction rows::truncI(Format from, Format to, Overflow assumption) {
  if (assumption != Overflow::None)
    return nullptr;
  return forInteger(from, [=](auto source) {
    return forInteger(to, [](auto result) {
      using To = decltype(result);
      using Word = typename decltype(source)::Word;
      return rowOf<typename To::Word, Word>([](Word source) { return To::cut(source); });
    });
  });
}

// ===-- Words of any format
// -------------------------------------------------------------------===//

/// Calls make(an unsigned integer as wide as the format's words).
template <typename Make> static RowFunction forWord(Format format, Make make) {
  unsigned bits = info(format).bits;
  if (bits <= 8)
    return make(uint8_t());
  if (bits <= 16)
    return make(uint16_t());
  return bits <= 32 ? make(uint32_t()) : make(uint64_t());
}

RowFunction rows::select(Format format) {
  return forWord(format, [](auto word) {
    using Word = decltype(word);
    return rowOf<Word, uint8_t, Word, Word>(
        [](uint8_t condition, Word ifTrue, Word ifFalse) { return condition ? ifTrue : ifFalse; });
  });
}

RowFunction rows::copy(Format format) {
  return forWord(format, [](auto word) {
    using Word = decltype(word);
    return rowOf<Word, Word>([](Word source) { return source; });
  });
}

template <unsigned bytes> static RowFunction offsetBy(Format index) {
  return forInteger(index, [](auto integer) {
    using I = decltype(integer);
    using Word = typename I::Word;
    return rowOf<uint64_t, uint64_t, Word>([](uint64_t base, Word index, bool &undefined) {
      int64_t distance;
      bool tooFar = __builtin_mul_overflow(int64_t(I::asSigned(index)), int64_t(bytes), &distance);
      uint64_t address = base + uint64_t(distance);
      undefined = tooFar || (distance < 0 ? address > base : address < base);
      return address;
    });
  });
}

RowFunction rows::offset(Format index, unsigned elementBits) {
  switch (elementBits) {
  case 8:
    return offsetBy<1>(index);
  case 16:
    return offsetBy<2>(index);
  case 32:
    return offsetBy<4>(index);
  case 64:
    return offsetBy<8>(index);
  default:
    // Half bytes have no address (operations, 4.9).
    return nullptr;
  }
}
