// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks row functions against the functions on elements, which other tests compare with MPFR and
// tables. Every row function is compared with its counterpart, bit for bit: on all pairs of i8, on
// all values of f16 and bf16, on every combination of edge cases, and on random values; in the
// version for every processor and in the one for wide vectors.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/numerics/Math.h"
#include "tilewright/numerics/RowLoop.h"
#include <functional>

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

using Column = std::vector<Element>;
using Scalar = std::function<Element(const std::vector<Element> &)>;

unsigned wordBytes(Format format) {
  unsigned bits = info(format).bits;
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

std::vector<uint8_t> wordsOf(const Column &column) {
  unsigned bytes = wordBytes(column.front().format);
  std::vector<uint8_t> words(column.size() * bytes);
  for (size_t i = 0; i < column.size(); ++i)
    std::memcpy(words.data() + i * bytes, &column[i].bits, bytes);
  return words;
}

/// The result of a row function; none if it declines.
std::optional<Column> runRow(RowFunction row, const std::vector<Column> &operands, Format result) {
  std::vector<std::vector<uint8_t>> words;
  std::vector<const void *> in;
  for (const Column &operand : operands)
    words.push_back(wordsOf(operand));
  for (const auto &operand : words)
    in.push_back(operand.data());
  size_t count = operands.front().size();
  unsigned bytes = wordBytes(result);
  // Memory beyond the result must not change.
  std::vector<uint8_t> out(count * bytes + 64, 0xA5);
  if (!row(in.data(), out.data(), count))
    return std::nullopt;
  for (size_t i = count * bytes; i < out.size(); ++i)
    EXPECT_EQ(out[i], 0xA5);
  Column elements(count, Element::zero(result));
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&elements[i].bits, out.data() + i * bytes, bytes);
  return elements;
}

Column at(const std::vector<Column> &operands, size_t i) {
  Column in;
  for (const Column &operand : operands)
    in.push_back(operand[i]);
  return in;
}

std::string describeAll(const Column &in) {
  std::string text;
  for (Element element : in)
    text += describe(element) + " ";
  return text;
}

/// The row function must agree if all elements are specified, and decline otherwise.
void compare(const std::string &what, RowFunction row, const std::vector<Column> &operands,
             Format result, const Scalar &scalar) {
  ASSERT_NE(row, nullptr) << what;
  std::vector<Column> specified(operands.size()), undefined(operands.size());
  Column expected;
  for (size_t i = 0; i < operands.front().size(); ++i) {
    Column in = at(operands, i);
    Element value = scalar(in);
    auto &group = value.poison ? undefined : specified;
    for (size_t k = 0; k < in.size(); ++k)
      group[k].push_back(in[k]);
    if (!value.poison)
      expected.push_back(value);
  }
  if (!expected.empty()) {
    std::optional<Column> got = runRow(row, specified, result);
    ASSERT_TRUE(got) << what << ": declines, although everything is specified";
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ((*got)[i], expected[i])
          << what << " of " << describeAll(at(specified, i)) << "is " << describe((*got)[i])
          << " rather than " << describe(expected[i]);
  }
  // A single undefined element in the middle of a row must be detected.
  size_t step = std::max<size_t>(1, undefined.front().size() / 50);
  for (size_t i = 0; i < undefined.front().size(); i += step) {
    std::vector<Column> mixed(operands.size());
    for (size_t k = 0; k < operands.size(); ++k) {
      if (!expected.empty())
        mixed[k].assign(9, specified[k].front());
      mixed[k].insert(mixed[k].begin() + mixed[k].size() / 2, undefined[k][i]);
    }
    ASSERT_FALSE(runRow(row, mixed, result)) << what << " of " << describeAll(at(undefined, i));
  }
}

//===-- Operands ----------------------------------------------------------------------===//

Column edges(Format format) {
  const FormatInfo &f = info(format);
  std::vector<uint64_t> patterns;
  if (!f.isFloat()) {
    uint64_t top = f.signBit();
    patterns = {0,
                1,
                2,
                3,
                7,
                8,
                15,
                16,
                31,
                32,
                63,
                64,
                100,
                top - 1,
                top,
                top + 1,
                top + 2,
                top / 2,
                ~uint64_t(0),
                ~uint64_t(1),
                ~uint64_t(2),
                0x5555555555555555,
                0xAAAAAAAAAAAAAAAA};
  } else {
    uint64_t one = uint64_t(f.bias) << f.mantissaBits, unit = uint64_t(1) << f.mantissaBits;
    uint64_t half = one - unit;
    patterns = {0,
                1,
                2,
                3,
                unit / 2,
                unit - 1,
                unit,
                unit + 1,
                2 * unit,
                half - 1,
                half,
                half + 1,
                one - 1,
                one,
                one + 1,
                one + unit / 2,
                one + unit,
                one + unit + unit / 4,
                one + unit + unit / 2,
                one + 6 * unit,
                one + 7 * unit - 1,
                one + 10 * unit + 1,
                f.largest / 2,
                f.largest - unit,
                f.largest - unit + 1,
                f.largest - 1,
                f.largest,
                f.infinity(),
                f.infinity() + 1,
                f.canonicalNan,
                f.canonicalNan - 1};
    for (size_t i = 0, count = patterns.size(); i < count; ++i)
      patterns.push_back(patterns[i] | f.signBit());
  }
  Column column;
  for (uint64_t pattern : patterns)
    column.push_back(Element::fromBits(format, pattern & f.mask()));
  return column;
}

Column everything(Format format) {
  Column column;
  for (uint64_t pattern = 0; pattern <= info(format).mask(); ++pattern)
    column.push_back(Element::fromBits(format, pattern));
  return column;
}

/// Every combination of one element from each column.
std::vector<Column> cross(const std::vector<Column> &columns) {
  std::vector<Column> result = {columns.front()};
  for (size_t k = 1; k < columns.size(); ++k) {
    std::vector<Column> next(k + 1);
    for (size_t i = 0; i < result.front().size(); ++i)
      for (Element element : columns[k]) {
        for (size_t j = 0; j < k; ++j)
          next[j].push_back(result[j][i]);
        next[k].push_back(element);
      }
    result = std::move(next);
  }
  return result;
}

std::vector<Column> randomRows(std::vector<Format> formats, size_t count) {
  std::vector<Column> columns;
  for (Format format : formats) {
    std::mt19937_64 integers(17 + columns.size());
    Patterns floats(format, 29 + columns.size());
    Column column;
    for (size_t i = 0; i < count; ++i)
      column.push_back(info(format).isFloat()
                           ? floats.next()
                           : Element::fromBits(format, integers() & info(format).mask()));
    columns.push_back(std::move(column));
  }
  return columns;
}

/// Edge cases in every combination, then random operands.
void compareOn(const std::string &what, RowFunction row, const std::vector<Format> &formats,
               Format result, const Scalar &scalar, size_t randomCount) {
  std::vector<Column> columns;
  for (Format format : formats)
    columns.push_back(edges(format));
  compare(what, row, cross(columns), result, scalar);
  compare(what, row, randomRows(formats, randomCount), result, scalar);
}

constexpr Format floatFormats[] = {Format::F16, Format::BF16, Format::F32, Format::F64};
constexpr Format integerFormats[] = {Format::I1, Format::I8, Format::I16, Format::I32, Format::I64};
constexpr Signedness signednesses[] = {Signedness::Unsigned, Signedness::Signed};
constexpr Overflow assumptions[] = {Overflow::None, Overflow::NoSignedWrap,
                                    Overflow::NoUnsignedWrap, Overflow::NoWrap};
constexpr auto nearestEven = RoundingMode::NearestEven;

std::string name(const char *op, Format format, int mode = 0, int other = 0) {
  return std::string(op) + " " + info(format).spelling + " " + std::to_string(mode) + " " +
         std::to_string(other);
}

//===-- Floats ------------------------------------------------------------------------===//

class Rows : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override { rows::allowWideVectors = GetParam(); }
  void TearDown() override { rows::allowWideVectors = true; }
};
INSTANTIATE_TEST_SUITE_P(Rows, Rows, ::testing::Bool(),
                         [](const auto &row) { return std::string(row.param ? "wide" : "plain"); });

TEST_P(Rows, FloatArithmetic) {
  using Scalar2 = Element (*)(Element, Element, RoundingMode, bool);
  using Lookup = RowFunction (*)(Format, RoundingMode, bool);
  const std::tuple<const char *, Scalar2, Lookup> ops[] = {{"addf", addF, rows::addF},
                                                           {"subf", subF, rows::subF},
                                                           {"mulf", mulF, rows::mulF},
                                                           {"divf", divF, rows::divF}};
  auto check = [&](auto &op, Format format, RoundingMode mode, bool flush, size_t count) {
    auto [mnemonic, scalar, lookup] = op;
    compareOn(
        name(mnemonic, format, int(mode), flush), lookup(format, mode, flush), {format, format},
        format,
        [&, scalar = scalar](const Column &in) { return scalar(in[0], in[1], mode, flush); },
        count);
  };
  for (auto &op : ops) {
    for (Format format : floatFormats)
      check(op, format, nearestEven, false, format == Format::F32 ? 1000003 : 200003);
    check(op, Format::F32, nearestEven, true, 300001);
    EXPECT_EQ(std::get<2>(op)(Format::F32, RoundingMode::Zero, false), nullptr);
  }
  for (bool flush : {false, true}) {
    check(ops[3], Format::F32, RoundingMode::Full, flush, 100003);
    check(ops[3], Format::F32, RoundingMode::Approx, flush, 100003);
  }
}

/// Quotients below 2^-126 are subnormal in f32, too, in which f16 and bf16 are computed: all pairs
/// of significands, with results around and below the smallest bf16.
TEST_P(Rows, SubnormalQuotients) {
  std::vector<Column> operands(2);
  for (uint64_t difference = 1; difference <= 24; ++difference)
    for (uint64_t i = 0; i < 128; ++i)
      for (uint64_t j = 0; j < 128; ++j) {
        operands[0].push_back(Element::fromBits(Format::BF16, (13u << 7) | i));
        operands[1].push_back(Element::fromBits(Format::BF16, ((127 + 12 + difference) << 7) | j));
      }
  compare("divf bf16", rows::divF(Format::BF16, nearestEven, false), operands, Format::BF16,
          [](const Column &in) { return divF(in[0], in[1]); });
}

TEST_P(Rows, SubnormalProducts) {
  std::vector<Column> operands(2);
  for (uint64_t exponent = 90; exponent <= 130; ++exponent)
    for (uint64_t i = 0; i < 128; ++i)
      for (uint64_t j = 0; j < 128; ++j) {
        operands[0].push_back(Element::fromBits(Format::BF16, (20u << 7) | i));
        operands[1].push_back(Element::fromBits(Format::BF16, (exponent << 7) | j));
      }
  compare("mulf bf16", rows::mulF(Format::BF16, nearestEven, false), operands, Format::BF16,
          [](const Column &in) { return mulF(in[0], in[1]); });
}

TEST_P(Rows, Fma) {
  for (Format format : floatFormats)
    compareOn(
        name("fma", format), rows::fmaF(format, nearestEven, false), {format, format, format},
        format, [](const Column &in) { return fmaF(in[0], in[1], in[2]); }, 200003);
  compareOn(
      "fma flush", rows::fmaF(Format::F32, nearestEven, true),
      {Format::F32, Format::F32, Format::F32}, Format::F32,
      [](const Column &in) { return fmaF(in[0], in[1], in[2], nearestEven, true); }, 100003);
}

TEST_P(Rows, Remainder) {
  for (Format format : floatFormats)
    compareOn(
        name("remf", format), rows::remF(format), {format, format}, format,
        [](const Column &in) { return remF(in[0], in[1]); }, 100003);
}

TEST_P(Rows, LargerAndSmaller) {
  for (Format format : floatFormats)
    for (bool propagate : {false, true})
      for (bool flush : {false, true}) {
        if (flush && format != Format::F32)
          continue;
        compareOn(
            name("maxf", format, propagate, flush), rows::maxF(format, propagate, flush),
            {format, format}, format,
            [&](const Column &in) { return maxF(in[0], in[1], propagate, flush); }, 100003);
        compareOn(
            name("minf", format, propagate, flush), rows::minF(format, propagate, flush),
            {format, format}, format,
            [&](const Column &in) { return minF(in[0], in[1], propagate, flush); }, 100003);
      }
}

TEST_P(Rows, FloatComparison) {
  for (Format format : floatFormats)
    for (int predicate = 0; predicate < 6; ++predicate)
      for (Ordering ordering : {Ordering::Unordered, Ordering::Ordered})
        compareOn(
            name("cmpf", format, predicate, int(ordering)),
            rows::cmpF(format, Predicate(predicate), ordering), {format, format}, Format::I1,
            [&](const Column &in) { return cmpF(Predicate(predicate), ordering, in[0], in[1]); },
            10007);
}

/// All values of f16 and bf16; edge cases and random values of the others.
void compareUnary(const std::string &what, RowFunction row, Format format, Format result,
                  const Scalar &scalar, size_t randomCount = 300007) {
  if (info(format).bits <= 19)
    compare(what, row, {everything(format)}, result, scalar);
  else
    compareOn(what, row, {format}, result, scalar, randomCount);
}

TEST_P(Rows, FloatUnary) {
  for (Format format : floatFormats) {
    compareUnary(name("absf", format), rows::absF(format), format, format,
                 [](const Column &in) { return absF(in[0]); });
    compareUnary(name("negf", format), rows::negF(format), format, format,
                 [](const Column &in) { return negF(in[0]); });
    compareUnary(name("ceil", format), rows::ceilF(format), format, format,
                 [](const Column &in) { return ceilF(in[0]); });
    compareUnary(name("floor", format), rows::floorF(format), format, format,
                 [](const Column &in) { return floorF(in[0]); });
    compareUnary(name("sqrt", format), rows::sqrtF(format, nearestEven, false), format, format,
                 [](const Column &in) { return sqrtF(in[0]); });
  }
  compareUnary("sqrt flush", rows::sqrtF(Format::F32, RoundingMode::Approx, true), Format::F32,
               Format::F32,
               [](const Column &in) { return sqrtF(in[0], RoundingMode::Approx, true); });
}

TEST_P(Rows, MathFunctions) {
  using Unary = RowFunction (*)(Format);
  const std::tuple<const char *, Unary, Scalar> functions[] = {
      {"exp", rows::expF, [](const Column &in) { return expF(in[0]); }},
      {"log", rows::logF, [](const Column &in) { return logF(in[0]); }},
      {"log2", rows::log2F, [](const Column &in) { return log2F(in[0]); }},
      {"sin", rows::sinF, [](const Column &in) { return sinF(in[0]); }},
      {"cos", rows::cosF, [](const Column &in) { return cosF(in[0]); }},
      {"tan", rows::tanF, [](const Column &in) { return tanF(in[0]); }},
      {"sinh", rows::sinhF, [](const Column &in) { return sinhF(in[0]); }},
      {"cosh", rows::coshF, [](const Column &in) { return coshF(in[0]); }},
      {"tanh", rows::tanhF, [](const Column &in) { return tanhF(in[0]); }},
      {"exp2", [](Format f) { return rows::exp2F(f, false); },
       [](const Column &in) { return exp2F(in[0]); }},
      {"rsqrt", [](Format f) { return rows::rsqrtF(f, false); },
       [](const Column &in) { return rsqrtF(in[0]); }}};
  for (auto &[mnemonic, lookup, scalar] : functions)
    for (Format format : {Format::F16, Format::BF16, Format::F32})
      compareUnary(name(mnemonic, format), lookup(format), format, format, scalar);
  compareUnary(
      "exp2 flush", rows::exp2F(Format::F32, true), Format::F32, Format::F32,
      [](const Column &in) { return exp2F(in[0], true); }, 100003);
  compareUnary(
      "rsqrt flush", rows::rsqrtF(Format::F32, true), Format::F32, Format::F32,
      [](const Column &in) { return rsqrtF(in[0], true); }, 100003);
  for (Format format : {Format::F16, Format::BF16, Format::F32}) {
    compareOn(
        name("pow", format), rows::powF(format), {format, format}, format,
        [](const Column &in) { return powF(in[0], in[1]); }, 30011);
    compareOn(
        name("atan2", format), rows::atan2F(format), {format, format}, format,
        [](const Column &in) { return atan2F(in[0], in[1]); }, 30011);
    for (Format exponent : {Format::I1, Format::I8, Format::I16, Format::I32})
      compareOn(
          name("fpowi", format), rows::powI(format, exponent), {format, exponent}, format,
          [](const Column &in) { return powI(in[0], in[1]); }, 30011);
  }
  EXPECT_EQ(rows::expF(Format::F64), nullptr);
}

/// The range in which the vectorised approximations have finite nonzero results.
TEST_P(Rows, ExponentialsInRange) {
  std::mt19937 random(7);
  std::vector<Column> x(1);
  for (int i = 0; i < 600011; ++i)
    x[0].push_back(single(std::uniform_real_distribution<float>(-152, 130)(random)));
  for (int i = 0; i < 300007; ++i)
    x[0].push_back(single(
        std::ldexp(std::uniform_real_distribution<float>(-1, 1)(random), -int(random() % 30))));
  compare("exp f32", rows::expF(Format::F32), x, Format::F32,
          [](const Column &in) { return expF(in[0]); });
  compare("exp2 f32", rows::exp2F(Format::F32, false), x, Format::F32,
          [](const Column &in) { return exp2F(in[0]); });
  for (Element &element : x[0])
    element = absF(element);
  compare("rsqrt f32", rows::rsqrtF(Format::F32, false), x, Format::F32,
          [](const Column &in) { return rsqrtF(in[0]); });
}

//===-- Integers ----------------------------------------------------------------------===//

/// All pairs of i8 and i1; edge cases and random values of the others.
void compareIntegers(const std::string &what, RowFunction row, Format format, Format result,
                     const Scalar &scalar) {
  if (info(format).bits <= 8)
    compare(what, row, cross({everything(format), everything(format)}), result, scalar);
  else
    compareOn(what, row, {format, format}, result, scalar, 30011);
}

TEST_P(Rows, IntegerArithmetic) {
  for (Format format : integerFormats) {
    for (Overflow assumption : assumptions) {
      auto check = [&](const char *mnemonic, RowFunction row, auto scalar) {
        compareIntegers(name(mnemonic, format, int(assumption)), row, format, format,
                        [&](const Column &in) { return scalar(in[0], in[1], assumption); });
      };
      check("addi", rows::addI(format, assumption), addI);
      check("subi", rows::subI(format, assumption), subI);
      check("muli", rows::mulI(format, assumption), mulI);
      if (assumption == Overflow::None)
        check("shli", rows::shlI(format, assumption), shlI);
      if (assumption != Overflow::NoUnsignedWrap)
        compareIntegers(name("negi", format, int(assumption)), rows::negI(format, assumption),
                        format, format, [&](const Column &in) { return negI(in[0], assumption); });
    }
    auto check = [&](const char *mnemonic, RowFunction row, auto scalar) {
      compareIntegers(name(mnemonic, format), row, format, format,
                      [&](const Column &in) { return scalar(in[0], in[1]); });
    };
    check("mulhii", rows::mulhU(format), mulhU);
    check("andi", rows::andI(format), andI);
    check("ori", rows::orI(format), orI);
    check("xori", rows::xorI(format), xorI);
    compareIntegers(name("absi", format), rows::absI(format), format, format,
                    [](const Column &in) { return absI(in[0]); });
  }
}

TEST_P(Rows, SignedAndUnsigned) {
  for (Format format : integerFormats)
    for (Signedness sign : signednesses) {
      auto check = [&](const char *mnemonic, RowFunction row, auto scalar) {
        compareIntegers(name(mnemonic, format, int(sign)), row, format, format,
                        [&](const Column &in) { return scalar(in[0], in[1], sign); });
      };
      check("shri", rows::shrI(format, sign), shrI);
      check("remi", rows::remI(format, sign), remI);
      check("maxi", rows::maxI(format, sign), maxI);
      check("mini", rows::minI(format, sign), minI);
      for (RoundingMode mode :
           {RoundingMode::Zero, RoundingMode::NegativeInf, RoundingMode::PositiveInf})
        compareIntegers(name("divi", format, int(sign), int(mode)), rows::divI(format, sign, mode),
                        format, format,
                        [&](const Column &in) { return divI(in[0], in[1], sign, mode); });
      for (int predicate = 0; predicate < 6; ++predicate)
        compareIntegers(
            name("cmpi", format, predicate, int(sign)),
            rows::cmpI(format, Predicate(predicate), sign), format, Format::I1,
            [&](const Column &in) { return cmpI(Predicate(predicate), in[0], in[1], sign); });
    }
}

TEST_P(Rows, SelectCopyOffset) {
  for (Format format : {Format::I1, Format::I4, Format::I8, Format::F16, Format::TF32, Format::F32,
                        Format::I64, Format::Pointer}) {
    compareOn(
        name("select", format), rows::select(format), {Format::I1, format, format}, format,
        [](const Column &in) { return select(in[0], in[1], in[2]); }, 10007);
    compareOn(
        name("copy", format), rows::copy(format), {format}, format,
        [](const Column &in) { return in[0]; }, 10007);
  }
  // The address in 128 bits, and whether it fits (operations, 4.9).
  for (Format index : integerFormats)
    for (unsigned bits : {8, 16, 32, 64}) {
      auto scalar = [&](const Column &in) {
        __int128 distance = __int128(in[1].asSigned()) * (bits / 8);
        __int128 address = __int128(in[0].bits) + distance;
        bool fits = distance == int64_t(distance) && address >= 0 && address >> 64 == 0;
        return fits ? Element::fromBits(Format::Pointer, uint64_t(address))
                    : Element::poisoned(Format::Pointer);
      };
      compareOn(name("offset", index, bits), rows::offset(index, bits), {Format::Pointer, index},
                Format::Pointer, scalar, 10007);
    }
  EXPECT_EQ(rows::offset(Format::I32, 4), nullptr);
}

//===-- Conversions -------------------------------------------------------------------===//

TEST_P(Rows, IntegerWidths) {
  for (Format narrow : integerFormats)
    for (Format wide : integerFormats) {
      if (info(narrow).bits >= info(wide).bits)
        continue;
      for (Signedness sign : signednesses)
        compareOn(
            name("exti", narrow, int(sign)), rows::extI(narrow, wide, sign), {narrow}, wide,
            [&](const Column &in) { return extI(in[0], wide, sign); }, 10007);
      compareOn(
          name("trunci", wide), rows::truncI(wide, narrow, Overflow::None), {wide}, narrow,
          [&](const Column &in) { return truncI(in[0], narrow); }, 10007);
    }
}

TEST_P(Rows, FloatWidths) {
  std::vector<Format> formats(std::begin(floatFormats), std::end(floatFormats));
  formats.push_back(Format::TF32);
  for (Format from : formats)
    for (Format to : formats)
      if (from != to)
        compareUnary(
            name("ftof", from) + info(to).spelling, rows::floatToFloat(from, to, nearestEven), from,
            to, [&](const Column &in) { return floatToFloat(in[0], to); }, 300007);
  for (Format from :
       {Format::F8E4M3FN, Format::F8E5M2, Format::F8E8M0FNU, Format::F4E2M1FN, Format::F8E5M3FNU})
    for (Format to : formats)
      compareUnary(name("ftof", from) + info(to).spelling,
                   rows::floatToFloat(from, to, nearestEven), from, to,
                   [&](const Column &in) { return floatToFloat(in[0], to); });
  EXPECT_EQ(rows::floatToFloat(Format::F32, Format::F8E4M3FN, nearestEven), nullptr);
  EXPECT_EQ(rows::floatToFloat(Format::F32, Format::F8E5M3FNU, nearestEven), nullptr);
}

TEST_P(Rows, FloatsToBool) {
  for (Format from :
       {Format::F16, Format::BF16, Format::F32, Format::F64, Format::TF32, Format::F8E4M3FN,
        Format::F8E5M2, Format::F8E8M0FNU, Format::F4E2M1FN, Format::F8E5M3FNU})
    compareUnary(name("ftoi", from) + "i1", rows::floatToBool(from), from, Format::I1,
                 [](const Column &in) { return floatToBool(in[0]); });
}

TEST_P(Rows, FloatsAndIntegers) {
  for (Format integer : integerFormats)
    for (Format number : floatFormats)
      for (Signedness sign : signednesses) {
        compareUnary(name("ftoi", number, int(sign)) + info(integer).spelling,
                     rows::floatToInt(number, integer, sign), number, integer,
                     [&](const Column &in) { return floatToInt(in[0], integer, sign); });
        RowFunction row = rows::intToFloat(integer, number, sign);
        if (integer == Format::I64 && info(number).bits == 16) {
          EXPECT_EQ(row, nullptr);
          continue;
        }
        compareUnary(name("itof", integer, int(sign)) + info(number).spelling, row, integer, number,
                     [&](const Column &in) { return intToFloat(in[0], number, sign); });
      }
}

} // namespace
