// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which combiners are order-free. For integers, the answer is compared with brute force:
// whether the operation is commutative and associative on all triples of some values.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/numerics/Element.h"

using namespace tilewright;
using namespace tilewright::analysis;
using numerics::Element;
using numerics::Format;

namespace {

/// A reduction of 8 elements of the type by the body, which yields `%r`.
std::string reduction(const std::string &type, const std::string &identity,
                      const std::string &body) {
  return "%c = constant <" + type + ": " + identity + "> : tile<" + type + ">\n" +
         "%c1 = reshape %c : tile<" + type + "> -> tile<1x" + type + ">\n" +
         "%t = broadcast %c1 : tile<1x" + type + "> -> tile<8x" + type + ">\n" +
         "%out = reduce %t dim=0 identities=[" + identity + " : " + type + "] : tile<8x" + type +
         "> -> tile<" + type + "> (%e: tile<" + type + ">, %acc: tile<" + type + ">) {\n" + body +
         "\nyield %r : tile<" + type + "> }";
}

mlir::Block &bodyOf(ParsedKernel &kernel) {
  return kernel.first<tile::ReduceOp>().getBody().front();
}

/// Whether the operation is commutative, associative and never undefined on these values (bit
/// patterns).
bool isOrderFreeByForce(tile::ElementwiseOpInterface op, Format format,
                        llvm::ArrayRef<uint64_t> values) {
  auto at = [&](uint64_t value) { return Element::fromBits(format, value); };
  auto combine = [&](Element a, Element b) { return op.evalElement({a, b}); };
  auto areSame = [](Element a, Element b) { return !a.poison && !b.poison && a.bits == b.bits; };
  for (uint64_t a : values)
    for (uint64_t b : values) {
      if (!areSame(combine(at(a), at(b)), combine(at(b), at(a))))
        return false;
      for (uint64_t c : values)
        if (!areSame(combine(combine(at(a), at(b)), at(c)), combine(at(a), combine(at(b), at(c)))))
          return false;
    }
  return true;
}

TEST(Combiners, OfIntegersAreFreeWhereBruteForceSaysSo) {
  const uint64_t bytes[] = {0x80, 0x81, 0xBF, 0xFD, 0xFE, 0xFF, 0, 1, 2, 3, 5, 63, 64, 126, 127};
  unsigned freeOnes = 0;
  for (const char *op : {"addi %e, %acc", "subi %e, %acc", "muli %e, %acc", "remi %e, %acc signed",
                         "maxi %e, %acc signed", "maxi %acc, %e unsigned", "mini %e, %acc signed",
                         "mini %e, %acc unsigned", "andi %acc, %e", "ori %e, %acc", "xori %e, %acc",
                         "mulhii %e, %acc", "shli %e, %acc", "shri %e, %acc signed"}) {
    ParsedKernel kernel(reduction("i8", "0", std::string("%r = ") + op + " : tile<i8>"));
    mlir::Operation &combiner = bodyOf(kernel).front();
    bool expected =
        isOrderFreeByForce(llvm::cast<tile::ElementwiseOpInterface>(combiner), Format::I8, bytes);
    EXPECT_EQ(isOrderFree(bodyOf(kernel)), expected) << op;
    EXPECT_TRUE(isElementwiseBody(bodyOf(kernel))) << op;
    freeOnes += expected;
  }
  EXPECT_EQ(freeOnes, 9u);
}

/// f32 sums may be regrouped within the documented bound; f16 sums may not, and differences are not
/// order-free.
TEST(Combiners, OfFloats) {
  auto isFree = [](const char *type, const char *op) {
    ParsedKernel kernel(
        reduction(type, "0.0", std::string("%r = ") + op + " : tile<" + type + ">"));
    return isOrderFree(bodyOf(kernel));
  };
  EXPECT_TRUE(isFree("f32", "addf %e, %acc rounding<nearest_even>"));
  EXPECT_TRUE(isFree("f64", "addf %acc, %e rounding<nearest_even>"));
  EXPECT_FALSE(isFree("f16", "addf %e, %acc rounding<nearest_even>"));
  EXPECT_FALSE(isFree("f32", "subf %e, %acc rounding<nearest_even>"));
  EXPECT_FALSE(isFree("f32", "mulf %e, %acc rounding<nearest_even>"));
  EXPECT_TRUE(isFree("f16", "maxf %e, %acc"));
}

/// Zeros of both signs, subnormals, infinities and the canonical NaN, in any order.
TEST(Combiners, MaximaAndMinimaOfFloatsAreFree) {
  const uint64_t halves[] = {
      0x0000, 0x8000, 0x0001, 0x8001, 0x3C00,
      0xBC00, 0x7BFF, 0x7C00, 0xFC00, Element::canonicalNan(Format::F16).bits};
  for (const char *op : {"maxf %e, %acc", "minf %e, %acc", "maxf %e, %acc propagate_nan",
                         "minf %acc, %e propagate_nan"}) {
    ParsedKernel kernel(reduction("f16", "0.0", std::string("%r = ") + op + " : tile<f16>"));
    EXPECT_TRUE(isOrderFreeByForce(llvm::cast<tile::ElementwiseOpInterface>(bodyOf(kernel).front()),
                                   Format::F16, halves))
        << op;
    EXPECT_TRUE(isOrderFree(bodyOf(kernel))) << op;
  }
}

/// An element that is used twice, or an accumulator that is not used, makes a body no plain
/// combination.
TEST(Combiners, NeedElementAndAccumulator) {
  ParsedKernel twice(reduction("i8", "0", "%r = addi %e, %e : tile<i8>"));
  EXPECT_FALSE(isOrderFree(bodyOf(twice)));
  ParsedKernel more(reduction("i8", "0",
                              "%s = addi %e, %acc : tile<i8>\n"
                              "%r = addi %s, %e : tile<i8>"));
  EXPECT_FALSE(isOrderFree(bodyOf(more)));
  EXPECT_TRUE(isElementwiseBody(bodyOf(more)));
  EXPECT_EQ(onlyCombiner(bodyOf(twice)), nullptr);
  EXPECT_EQ(onlyCombiner(bodyOf(more)), nullptr);
  ParsedKernel plain(reduction("i8", "0", "%r = subi %acc, %e : tile<i8>"));
  EXPECT_EQ(onlyCombiner(bodyOf(plain)), &bodyOf(plain).front());
}

TEST(Combiners, WithTilesOfTheirOwnAreNotElementwise) {
  ParsedKernel kernel(reduction("i32", "0",
                                "%i = iota : tile<4xi32>\n"
                                "%f = extract %i[%e] : tile<4xi32> -> tile<1xi32>\n"
                                "%g = reshape %f : tile<1xi32> -> tile<i32>\n"
                                "%r = addi %g, %acc : tile<i32>"));
  EXPECT_FALSE(isElementwiseBody(bodyOf(kernel)));
}

} // namespace
