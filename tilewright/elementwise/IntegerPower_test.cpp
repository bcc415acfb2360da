// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the error of compiled powers with integer exponents. Random pairs of base and exponent,
// whose powers are mostly in the range of the format, are compared with MPFR: f32 and f64 must be
// within 2 units in the last place, and f16 and bf16, which are rounded twice, within 1 (13.4,
// section 3; docs/cpu.md). TILEWRIGHT_POWER_PAIRS=N tests N pairs per format instead of a few.

#include "test/support/elementwise/TestSupport.h"
#include "test/support/numerics/TestSupport.h"
#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Parser/Parser.h"
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::elementwise;
using namespace tilewright::elementwise::testing;
using numerics::Element;
using numerics::Format;
using numerics::testing::decode;
using numerics::testing::Grid;
using numerics::testing::gridOf;
using numerics::testing::Patterns;
using numerics::testing::spelling;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A multiple of the number of lanes.
size_t pairCount() {
  const char *asked = std::getenv("TILEWRIGHT_POWER_PAIRS");
  const size_t count = asked ? std::strtoull(asked, nullptr, 10) : 20000;
  EXPECT_GT(count, 0u) << "TILEWRIGHT_POWER_PAIRS is '" << asked << "'";
  return (count + 15) / 16 * 16;
}

//===-- Pairs -------------------------------------------------------------------------------===//

struct Pairs {
  std::vector<Element> bases;
  std::vector<int32_t> exponents;
  std::vector<long double> powers;
};

/// Exponents of any size: a random number of the low bits, sign-extended.
int32_t anyExponent(Format format, std::mt19937_64 &random) {
  const unsigned width = numerics::info(format).bits;
  return int32_t(uint32_t(random()) << (32 - width)) >> (32 - width + random() % width);
}

/// For large exponents, bases near 1, whose powers are in the range of the format; and arbitrary
/// bases.
Element anyBase(Format format, int32_t n, Patterns &patterns, std::mt19937_64 &random) {
  if (random() % 4 == 0)
    return patterns.next();
  const double most = format == Format::F64 ? 1100 : format == Format::F16 ? 25 : 160;
  const double logarithm = std::uniform_real_distribution<double>(-most, most)(random) /
                           std::max(1.0, std::fabs(double(n)));
  const double base = std::copysign(std::exp2(logarithm), random() % 2 ? 1.0 : -1.0);
  return numerics::roundToFormat(base, format);
}

long double truePower(double base, int32_t n) {
  mpfr_t x;
  mpfr_init2(x, 64);
  mpfr_set_d(x, base, MPFR_RNDN);
  mpfr_pow_si(x, x, n, MPFR_RNDN);
  const long double power = mpfr_get_ld(x, MPFR_RNDN);
  mpfr_clear(x);
  return power;
}

Pairs pairsOf(Format format, Format exponentFormat, size_t count) {
  std::mt19937_64 random(13);
  Patterns patterns(format);
  Pairs pairs;
  for (size_t i = 0; i < count; ++i) {
    const int32_t n = anyExponent(exponentFormat, random);
    const Element base = anyBase(format, n, patterns, random);
    pairs.bases.push_back(base);
    pairs.exponents.push_back(n);
    pairs.powers.push_back(truePower(decode(format, base.bits), n));
  }
  return pairs;
}

//===-- Distances ---------------------------------------------------------------------------===//

/// The error in units of the last place. An infinity counts as the number after the largest; errors
/// that no rounding explains, such as a wrong sign, are infinite.
double distance(Format format, double got, long double exact) {
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) && std::isnan(exact) ? 0 : infinity;
  if (std::signbit(got) != std::signbit(exact))
    return infinity;
  const Grid grid = gridOf(format);
  const long double beyond = std::ldexp(1.0L, grid.largest);
  const long double wanted = std::min(std::fabs(exact), beyond);
  const long double found = std::min((long double)(std::fabs(got)), beyond);
  if (wanted == found)
    return 0;
  const int least = grid.smallest - 1; // exponent of the smallest number
  const int exponent = wanted == 0 ? least : std::ilogb(wanted);
  const int last =
      std::clamp(exponent - (grid.precision - 1), least, grid.largest - grid.precision);
  return double(std::fabs(wanted - found) / std::ldexp(1.0L, last));
}

//===-- Compiled code -----------------------------------------------------------------------===//

/// Appends a value as a word in memory: i1 takes a byte.
template <typename Value> void append(std::vector<uint8_t> &bytes, Value value, size_t size) {
  const auto *first = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), first, first + size);
}

class IntegerPower : public ::testing::TestWithParam<Format> {
protected:
  IntegerPower() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<tile::TileDialect>();
    codegen::loadLoopDialects(context);
  }

  void measure(Format exponentFormat, size_t count, const std::string &target, int64_t lanes) {
    const Format format = GetParam();
    const Pairs pairs = pairsOf(format, exponentFormat, count);
    const std::vector<double> got = run(pairs, exponentFormat, target, lanes);
    double worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < count; ++i)
      if (double d = distance(format, got[i], pairs.powers[i]); d > worst) {
        worst = d;
        at = i;
      }
    std::printf("fpowi %5s %4s %-10s %2d lanes, %zu pairs: at most %.3f ulp\n",
                spelling(format).c_str(), spelling(exponentFormat).c_str(), target.c_str(),
                int(lanes), count, worst);
    EXPECT_LE(worst, numerics::info(format).bits == 16 ? 1 : 2)
        << numerics::testing::describe(pairs.bases[at]) << " to the power of "
        << pairs.exponents[at] << " is " << double(pairs.powers[at]) << ", not " << got[at];
  }

private:
  std::vector<double> run(const Pairs &pairs, Format exponentFormat, const std::string &target,
                          int64_t lanes) {
    const Format format = GetParam();
    const std::string base = "tile<" + spelling(format) + ">",
                      exponent = "tile<" + spelling(exponentFormat) + ">";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m { entry @k(%x: " + base + ", %n: " + exponent +
            ") { %r = fpowi %x, %n : " + base + ", " + exponent + " } }",
        &context);
    EXPECT_TRUE(module);
    tile::FPowIOp op;
    module->walk([&](tile::FPowIOp found) { op = found; });
    const auto elementOf = [&](unsigned operand) {
      return llvm::cast<tile::TileType>(op->getOperand(operand).getType()).getElementType();
    };
    const codegen::TargetMachine machine = targetNamed(target);
    const mlir::Type word = wordType(elementOf(0));
    const CompiledMap map(
        machine, {word, wordType(elementOf(1))}, word, lanes,
        [&](mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::Value> in) {
          llvm::SmallVector<mlir::Value> operands;
          for (auto [k, loaded] : llvm::enumerate(in))
            operands.push_back(fromWord(builder, loc, loaded, elementOf(k)));
          return toWord(builder, loc, emitElementwise(builder, machine, op, operands));
        });

    const size_t size = numerics::info(format).bits / 8,
                 exponentSize = (numerics::info(exponentFormat).bits + 7) / 8;
    std::vector<uint8_t> bases, exponents, results(pairs.bases.size() * size);
    for (auto [x, n] : llvm::zip(pairs.bases, pairs.exponents)) {
      append(bases, x.bits, size);
      append(exponents, n & numerics::info(exponentFormat).mask(), exponentSize);
    }
    map(bases.data(), exponents.data(), nullptr, results.data(), pairs.bases.size());
    std::vector<double> values;
    for (size_t i = 0; i < pairs.bases.size(); ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, &results[i * size], size);
      values.push_back(decode(format, bits));
    }
    return values;
  }

  mlir::MLIRContext context;
};

TEST_P(IntegerPower, isNearTheTruePower) {
  for (const std::string &target : runnableTargets())
    measure(Format::I32, pairCount(), target, 16);
}

TEST_P(IntegerPower, isNearItForScalars) { measure(Format::I32, 4000, "native", 0); }

TEST_P(IntegerPower, readsExponentsOfAllWidthsSigned) {
  for (Format exponent : {Format::I1, Format::I8, Format::I16})
    measure(exponent, 4000, "native", 16);
}

INSTANTIATE_TEST_SUITE_P(Math, IntegerPower,
                         ::testing::Values(Format::F16, Format::BF16, Format::F32, Format::F64),
                         [](const auto &row) { return spelling(row.param); });

} // namespace
