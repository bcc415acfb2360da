// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests argument binding and array printing. Expected bytes are computed by hand from the encodings
// (types, 2.1 to 2.3); those of `random` come from an independent mt19937_64.

#include "tools/tilewright/run/Arguments.h"

#include "tilewright/numerics/Convert.h"
#include "tilewright/runtime/Npy.h"
#include "tools/tilewright/arrays/ArrayValue.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::tools;
using numerics::Element;
using numerics::Format;
using runtime::Dtype;
namespace fs = std::filesystem;

namespace {

const ParameterType pointerToF32{true, Format::F32, "%x"};
const ParameterType scalarI32{false, Format::I32, "%n"};

ParameterType pointerTo(Format format) { return {true, format}; }
ParameterType scalar(Format format) { return {false, format}; }

/// The error message of binding; empty if it succeeds.
std::string refusal(const std::vector<ParameterType> &parameters,
                    const std::vector<std::string> &specs) {
  auto arguments = bindArguments(parameters, specs);
  return arguments ? "" : arguments.failure().message;
}

/// Binds one spec and returns its array.
std::optional<TypedArray> arrayOf(Format format, const std::string &spec) {
  auto arguments = bindArguments({pointerTo(format)}, {spec});
  EXPECT_TRUE(arguments) << spec << ": " << arguments.failure().message;
  if (!arguments)
    return std::nullopt;
  return std::move(arguments->arrays.front());
}

std::vector<uint8_t> bytesOf(Format format, const std::string &spec) {
  std::optional<TypedArray> array = arrayOf(format, spec);
  if (!array)
    return {};
  return {array->storage().bytes().begin(), array->storage().bytes().end()};
}

std::vector<int64_t> shapeOf(Format format, const std::string &spec) {
  std::optional<TypedArray> array = arrayOf(format, spec);
  return array ? array->shape().vec() : std::vector<int64_t>{-1};
}

using Bytes = std::vector<uint8_t>;
using Shape = std::vector<int64_t>;

/// Runs in a new, empty directory, so that specs can contain simple file names.
class ArgumentFiles : public testing::Test {
protected:
  void SetUp() override {
    home = fs::current_path();
    directory = fs::path(testing::TempDir()) / ("arguments-" + std::to_string(getpid()));
    fs::create_directories(directory);
    fs::current_path(directory);
  }
  void TearDown() override {
    fs::current_path(home);
    fs::remove_all(directory);
  }

  void put(const std::string &name, Dtype dtype, Shape shape, const std::string &bytes) {
    std::ofstream(name, std::ios::binary) << runtime::npyPrologue(dtype, shape) << bytes;
  }
  std::string contents(const std::string &name) {
    std::ifstream stream(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator("."))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  fs::path home, directory;
};

} // namespace

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

TEST(Arguments, ScalarsBecomeBitPatterns) {
  const std::tuple<Format, const char *, uint64_t> cases[] = {
      {Format::I32, "7", 7},
      {Format::I32, "-1", 0xFFFFFFFF},
      {Format::I32, "0xFF", 255},
      {Format::I8, "255", 0xFF},
      {Format::I8, "-128", 0x80},
      {Format::I64, "18446744073709551615", ~uint64_t(0)},
      {Format::I1, "true", 1},
      {Format::I1, "0", 0},
      {Format::F32, "-0.5", 0xBF000000},
      {Format::F32, "0.1", 0x3DCCCCCD}, // Rounded to nearest even.
      {Format::F32, "inf", 0x7F800000},
      {Format::F32, "-inf", 0xFF800000},
      {Format::F32, "0x7FC00001", 0x7FC00001},
      {Format::F64, "1e308", 0x7FE1CCF385EBC8A0},
      {Format::F16, "65504", 0x7BFF},
      {Format::BF16, "1", 0x3F80},
      {Format::F8E4M3FN, "448", 0x7E},
      {Format::F8E8M0FNU, "2", 0x80},
      {Format::F8E5M3FNU, "1.125", 0x79},
      {Format::F8E5M3FNU, "114688", 0xFE},
      {Format::F4E2M1FN, "-6", 0xF},
      {Format::F32, " 1 ", 0x3F800000},
  };
  for (const auto &[format, text, bits] : cases) {
    auto arguments = bindArguments({scalar(format)}, {text});
    ASSERT_TRUE(arguments) << text << ": " << arguments.failure().message;
    EXPECT_FALSE(arguments->values[0].array);
    EXPECT_EQ(arguments->values[0].scalar.format, format);
    EXPECT_EQ(arguments->values[0].scalar.bits, bits) << text;
  }
  auto nan = bindArguments({scalar(Format::F16)}, {"nan"});
  ASSERT_TRUE(nan);
  EXPECT_TRUE(nan->values[0].scalar.isNan());
}

TEST(Arguments, ScalarsMustBeValuesOfTheirFormat) {
  const auto valueRefusal = [](Format format, const std::string &text) {
    return refusal({scalar(format)}, {text});
  };
  EXPECT_EQ(valueRefusal(Format::I8, "300"),
            "--arg 1 (i8): expected a value of i8 (an integer from -128 to 255), but found '300'");
  EXPECT_EQ(valueRefusal(Format::I32, "1.5"),
            "--arg 1 (i32): expected a value of i32 (an integer from -2147483648 to 4294967295), "
            "but found '1.5'");
  EXPECT_EQ(valueRefusal(Format::I1, "yes"),
            "--arg 1 (i1): expected a value of i1 (true, false, 0 or 1), but found 'yes'");
  EXPECT_EQ(valueRefusal(Format::F16, "70000"),
            "--arg 1 (f16): expected a value of f16 (a number of magnitude up to 65504, inf, nan "
            "or 0x with the bit pattern), but found '70000'");
  EXPECT_EQ(valueRefusal(Format::F8E4M3FN, "inf"),
            "--arg 1 (f8E4M3FN): expected a value of f8E4M3FN (a number of magnitude up to 448, "
            "nan or 0x with the bit pattern), but found 'inf'");
  EXPECT_EQ(valueRefusal(Format::F8E5M3FNU, "-1"),
            "--arg 1 (f8E5M3FNU): expected a value of f8E5M3FNU (a number from 0 to 114688, nan or "
            "0x with the bit pattern), but found '-1'");
  for (const auto &[format, text] :
       std::initializer_list<std::pair<Format, const char *>>{{Format::I64, "18446744073709551616"},
                                                              {Format::I8, "-129"},
                                                              {Format::I32, "nan"},
                                                              {Format::I32, "7 8"},
                                                              {Format::F32, "1e39"},
                                                              {Format::F32, "x"},
                                                              {Format::F32, "--1"},
                                                              {Format::F32, "0x100000000"},
                                                              {Format::F8E4M3FN, "465"},
                                                              {Format::F4E2M1FN, "6.5"},
                                                              {Format::F4E2M1FN, "nan"},
                                                              {Format::F8E8M0FNU, "0"},
                                                              {Format::F8E8M0FNU, "-1"},
                                                              {Format::F8E5M3FNU, "-1"},
                                                              {Format::F8E5M3FNU, "inf"},
                                                              {Format::F8E5M3FNU, "122880"}})
    EXPECT_NE(valueRefusal(format, text).find("expected a value of"), std::string::npos) << text;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

TEST(Arguments, LiteralsLieInMemoryAsTheirFormatSays) {
  EXPECT_EQ(bytesOf(Format::F32, "f32[1, -2]"), (Bytes{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}));
  EXPECT_EQ(bytesOf(Format::I16, "i16[1,-2,0xABCD]"), (Bytes{1, 0, 0xFE, 0xFF, 0xCD, 0xAB}));
  EXPECT_EQ(bytesOf(Format::I1, "i1[true, false, 1]"), (Bytes{1, 0, 1}));
  EXPECT_EQ(bytesOf(Format::BF16, "bf16[1]"), (Bytes{0x80, 0x3F}));
  // tf32 is stored in the upper bits of a 32-bit float.
  EXPECT_EQ(bytesOf(Format::TF32, "tf32[1.5]"), (Bytes{0, 0, 0xC0, 0x3F}));
  // 0.5 is code 1 and 1.5 code 3; the first element is the low half of the byte.
  EXPECT_EQ(bytesOf(Format::F4E2M1FN, "f4E2M1FN[0.5, 1.5]"), Bytes{0x31});
}

TEST(Arguments, LiteralsNestAsTheirDimensions) {
  EXPECT_EQ(shapeOf(Format::I8, "i8[1]"), Shape{1});
  EXPECT_EQ(shapeOf(Format::I8, "i8[]"), Shape{0});
  EXPECT_EQ(shapeOf(Format::I8, "i8[[], []]"), (Shape{2, 0}));
  EXPECT_EQ(shapeOf(Format::I8, " i8[[1,2,3] ,[ 4,5,6]] "), (Shape{2, 3}));
  EXPECT_EQ(bytesOf(Format::I8, "i8[[[1],[2]],[[3],[4]]]"), (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(shapeOf(Format::I8, "i8[[[1],[2]],[[3],[4]]]"), (Shape{2, 2, 1}));
  EXPECT_EQ(shapeOf(Format::F4E2M1FN, "f4E2M1FN[[1,2],[3,4]]"), (Shape{2, 2}));
}

TEST(Arguments, RefusesMalformedLiterals) {
  const auto literalRefusal = [](const std::string &text, Format format = Format::I8) {
    return refusal({pointerTo(format)}, {text});
  };
  const std::string prefix = "--arg 1 (ptr<i8>): ";
  EXPECT_EQ(literalRefusal("i8[1, 300]"),
            prefix + "element 1: expected a value of i8 (an integer from -128 to 255), but found "
                     "'300'");
  EXPECT_EQ(literalRefusal("i8[[1,2],[3]]"),
            prefix + "list [1] has extent 1, but the ones before it have 2");
  EXPECT_EQ(literalRefusal("i8[[1],2]"),
            prefix + "element [1] is at depth 1, but the ones before it at depth 2");
  EXPECT_EQ(literalRefusal("i8[1,[2]]"),
            prefix + "element [1, 0] is at depth 2, but the ones before it at depth 1");
  EXPECT_EQ(literalRefusal("i8[1,,2]"), prefix + "element [1] is missing");
  EXPECT_EQ(literalRefusal("i8[1,]"), prefix + "element [1] is missing");
  EXPECT_EQ(literalRefusal("i8[1"),
            prefix + "expected ',' or ']' behind element [0], but found the end");
  EXPECT_EQ(literalRefusal("i8[[1][2]]"),
            prefix + "expected ',' or ']' behind element [0], but found '[2]]'");
  EXPECT_EQ(literalRefusal("i8[1]2"),
            prefix + "expected the list to end the value, but found '2' behind it");
  EXPECT_EQ(literalRefusal("i8" + std::string(65, '[')),
            prefix + "lists nest deeper than the 64 dimensions an array may have");
  EXPECT_EQ(literalRefusal("i16[1]"), prefix + "expected an array of i8, but found one of i16");
  EXPECT_EQ(literalRefusal("int8[1]"), prefix + "expected element type i8, but found 'int8'");
  EXPECT_EQ(literalRefusal("[1]"), prefix + "expected element type i8, but found ''");
  EXPECT_EQ(literalRefusal("f4E2M1FN[1,2,3]", Format::F4E2M1FN),
            "--arg 1 (ptr<f4E2M1FN>): an array of f4E2M1FN holds two elements per byte: its last "
            "extent must be even, but its shape is (3,)");
  EXPECT_EQ(literalRefusal("i4[1]", Format::I4), "--arg 1 (ptr<i4>): i4 has no form in memory");
}

TEST(Arguments, GeneratorsFill) {
  EXPECT_EQ(bytesOf(Format::F16, "zeros(2x1xf16)"), (Bytes{0, 0, 0, 0}));
  EXPECT_EQ(shapeOf(Format::F16, "zeros(2x1xf16)"), (Shape{2, 1}));
  EXPECT_EQ(shapeOf(Format::F16, "zeros(f16)"), Shape{});
  EXPECT_EQ(shapeOf(Format::F16, "zeros(3x0xf16)"), (Shape{3, 0}));
  EXPECT_EQ(bytesOf(Format::I16, "empty(2xi16)"), (Bytes{0xAA, 0xAA, 0xAA, 0xAA}));
  EXPECT_EQ(bytesOf(Format::I8, "iota(2x3xi8)"), (Bytes{0, 1, 2, 3, 4, 5}));
  // 1.0 is 0x3C00 and 2.0 is 0x4000.
  EXPECT_EQ(bytesOf(Format::F16, "iota(3xf16)"), (Bytes{0, 0, 0, 0x3C, 0, 0x40}));
  EXPECT_EQ(shapeOf(Format::F4E2M1FN, "zeros(3x4xf4E2M1FN)"), (Shape{3, 4}));
  EXPECT_EQ(bytesOf(Format::F4E2M1FN, "zeros(3x4xf4E2M1FN)").size(), 6u);
}

// f16 has 11 significant bits: 2048 is its last integer before the first gap.
TEST(Arguments, IotaCountsOnlyAsFarAsTheFormat) {
  EXPECT_EQ(refusal({pointerTo(Format::F16)}, {"iota(2049xf16)"}), "");
  EXPECT_EQ(refusal({pointerTo(Format::F16)}, {"iota(3000xf16)"}),
            "--arg 1 (ptr<f16>): iota counts to 2999, but f16 has no 2049");
  EXPECT_EQ(refusal({pointerTo(Format::I8)}, {"iota(256xi8)"}), "");
  EXPECT_EQ(refusal({pointerTo(Format::I8)}, {"iota(257xi8)"}),
            "--arg 1 (ptr<i8>): iota counts to 256, but i8 has no 256");
  EXPECT_EQ(refusal({pointerTo(Format::F8E5M3FNU)}, {"iota(18xf8E5M3FNU)"}),
            "--arg 1 (ptr<f8E5M3FNU>): iota counts to 17, but f8E5M3FNU has no 17");
  EXPECT_EQ(refusal({pointerTo(Format::F8E8M0FNU)}, {"iota(2xf8E8M0FNU)"}),
            "--arg 1 (ptr<f8E8M0FNU>): iota counts to 1, but f8E8M0FNU has no 0");
}

// mt19937_64 seeded with 3 draws 0x8F0B49B38C72FBAB, 0x321D92CC70FC99E7, 0x971A0D4E1AF555D3.
TEST(Arguments, RandomIsTheDocumentedSequence) {
  const auto values = [](Format format, const std::string &type) {
    std::vector<double> values;
    if (auto array = arrayOf(format, "random(3x" + type + ";seed=3)"))
      for (int64_t index = 0; index < 3; ++index) {
        const Element element = array->load(index);
        values.push_back(numerics::info(format).isFloat() ? element.asDouble()
                                                          : double(element.asSigned()));
      }
    return values;
  };
  using Values = std::vector<double>;
  EXPECT_EQ(values(Format::I8, "i8"), (Values{71, 25, 75}));
  EXPECT_EQ(values(Format::I32, "i32"), (Values{1199940825, 420399462, 1267533479}));
  EXPECT_EQ(values(Format::I1, "i1"), (Values{-1, 0, -1}));
  EXPECT_EQ(values(Format::F32, "f32"),
            (Values{9374537 / 16777216.0, 3284370 / 16777216.0, 9902605 / 16777216.0}));
  EXPECT_EQ(values(Format::F16, "f16"), (Values{1144 / 2048.0, 400 / 2048.0, 1208 / 2048.0}));
  EXPECT_EQ(values(Format::F8E4M3FN, "f8E4M3FN"), (Values{8 / 16.0, 3 / 16.0, 9 / 16.0}));
  EXPECT_EQ(values(Format::F8E8M0FNU, "f8E8M0FNU"), (Values{1 / 16.0, 1 / 128.0, 1 / 16.0}));
  EXPECT_EQ(values(Format::F8E5M3FNU, "f8E5M3FNU"), (Values{8 / 16.0, 3 / 16.0, 9 / 16.0}));
  EXPECT_EQ(bytesOf(Format::F4E2M1FN, "random(2xf4E2M1FN;seed=3)"), Bytes{0x01}); // 0.5, 0
  EXPECT_EQ(bytesOf(Format::F32, "random(9xf32)"), bytesOf(Format::F32, "random(9xf32;seed=0)"));
}

TEST(Arguments, RandomStaysInItsRange) {
  for (const numerics::FormatInfo &f : numerics::allFormats()) {
    if (f.isPointer())
      continue;
    const Element largest = randomElement(f.format, ~uint64_t(0));
    const Element smallest = randomElement(f.format, 0);
    if (f.isFloat()) {
      EXPECT_LT(largest.asDouble(), 1) << f.spelling;
      EXPECT_EQ(smallest.asDouble(), f.hasZero ? 0 : 1 / 256.0) << f.spelling;
    } else {
      EXPECT_EQ(largest.asUnsigned(), f.bits == 1 ? 1 : f.mask() >> 1) << f.spelling;
      EXPECT_EQ(smallest.asUnsigned(), 0u) << f.spelling;
    }
  }
}

TEST(Arguments, RefusesMalformedGenerators) {
  const auto generatorRefusal = [](const std::string &text) {
    return refusal({pointerToF32}, {text});
  };
  const std::string prefix = "--arg 1 (%x: ptr<f32>): ";
  EXPECT_EQ(generatorRefusal("ones(4xf32)"),
            prefix + "expected zeros(...), random(...), iota(...) or empty(...), but found "
                     "'ones(...)'");
  EXPECT_EQ(generatorRefusal("zeros(4xf32"), prefix + "expected zeros(...) to end with ')'");
  EXPECT_EQ(generatorRefusal("zeros(4xf16)"),
            prefix + "expected an array of f32, but found one of f16");
  EXPECT_EQ(generatorRefusal("zeros(4)"), prefix + "expected element type f32, but found '4'");
  EXPECT_EQ(generatorRefusal("zeros(4xxf32)"),
            prefix + "expected a shape like 128x64xf32, but found '4xxf32'");
  EXPECT_EQ(generatorRefusal("zeros(-4xf32)"),
            prefix + "expected a shape like 128x64xf32, but found '-4xf32'");
  EXPECT_EQ(generatorRefusal("zeros(99999999999999999999xf32)"),
            prefix + "expected a shape like 128x64xf32, but found '99999999999999999999xf32'");
  EXPECT_EQ(generatorRefusal("zeros(4xf32;seed=3)"),
            prefix + "zeros takes a shape only, but found ';seed=3'");
  for (const char *seed : {"", "3", "seed=", "seed=-1", "seed=x", "seed=18446744073709551616"})
    EXPECT_EQ(generatorRefusal("random(4xf32;" + std::string(seed) + ")"),
              prefix + "expected seed=NUMBER below 2^64, but found '" + seed + "'");
  EXPECT_EQ(generatorRefusal("zeros(4294967296x4294967296xf32)"),
            prefix + "shape (4294967296, 4294967296) has more than 2^63 - 1 elements");
  EXPECT_NE(generatorRefusal("zeros(1099511627776xf32)").find("needs 4398046511104 bytes, but"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Binding arguments to parameters
//===----------------------------------------------------------------------===//

TEST(Arguments, ArraysExpandToPointerExtentsAndStrides) {
  const ParameterType i64 = scalar(Format::I64), i32 = scalar(Format::I32);
  auto arguments = bindArguments({i32, pointerToF32, i32, i64, i32, i64, i32},
                                 {"5", "array:zeros(3x4xf32)", "6"});
  ASSERT_TRUE(arguments) << arguments.failure().message;
  ASSERT_EQ(arguments->values.size(), 7u);
  EXPECT_EQ(arguments->values[1].array, 0u);
  const int64_t expected[] = {5, -1, 3, 4, 4, 1, 6};
  for (size_t at : {0, 2, 3, 4, 5, 6})
    EXPECT_EQ(arguments->values[at].scalar.asSigned(), expected[at]) << at;
  EXPECT_EQ(arguments->values[3].scalar.format, Format::I64);
}

TEST(Arguments, BindsCopiesToAMulticastAddress) {
  auto arguments = bindArguments({pointerToF32, pointerToF32},
                                 {"multicast:f32[[1, 2, 3], [4, 5, 6]]", "f32[1]"});
  ASSERT_TRUE(arguments) << arguments.failure().message;
  EXPECT_TRUE(arguments->values[0].isMulticast);
  EXPECT_EQ(arguments->arrays[0].shape().vec(), (std::vector<int64_t>{2, 3}));
  EXPECT_FALSE(arguments->values[1].isMulticast);
}

TEST(Arguments, RefusesCopiesOfNothing) {
  EXPECT_EQ(refusal({scalarI32}, {"multicast:zeros(2x3xf32)"}),
            "--arg 1 (%n: i32): 'multicast:' binds a pointer, but the parameter is a scalar");
  EXPECT_EQ(refusal({pointerToF32}, {"multicast:zeros(0x3xf32)"}),
            "--arg 1 (%x: ptr<f32>): 'multicast:' takes an array whose first extent is the number "
            "of copies, at least one, but its shape is (0, 3)");
  EXPECT_EQ(refusal({pointerTo(Format::F4E2M1FN)}, {"multicast:zeros(2x4xf4E2M1FN)"}),
            "--arg 1 (ptr<f4E2M1FN>): multicast memory of f4E2M1FN is not supported: two elements "
            "share a byte");
}

TEST(Arguments, RefusesArraysThatDoNotExpand) {
  const ParameterType i32 = scalarI32;
  EXPECT_EQ(refusal({i32}, {"array:zeros(3xf32)"}),
            "--arg 1 (%n: i32): 'array:' binds a pointer first, but the parameter is a scalar");
  EXPECT_EQ(refusal({pointerToF32, i32, i32}, {"array:zeros(3x4xf32)"}),
            "--arg 1 (%x: ptr<f32>): an array of rank 2 binds 5 parameters (pointer, extents, "
            "strides), but only 3 of (%x: ptr<f32>, %n: i32, %n: i32) are left");
  EXPECT_EQ(refusal({pointerToF32, scalar(Format::F32), i32}, {"array:zeros(3xf32)"}),
            "--arg 1 (%x: ptr<f32>): parameter 2 (f32) takes extent 0 of the array and must be "
            "i32 or i64");
  EXPECT_EQ(refusal({pointerToF32, i32, pointerToF32}, {"array:zeros(3xf32)"}),
            "--arg 1 (%x: ptr<f32>): parameter 3 (%x: ptr<f32>) takes stride 0 of the array and "
            "must be i32 or i64");
  // The largest i32 is 2147483647. The array has no elements, so it needs no memory.
  EXPECT_EQ(refusal({pointerToF32, i32, i32, i32, i32}, {"array:zeros(0x2147483648xf32)"}),
            "--arg 1 (%x: ptr<f32>): parameter 3 (%n: i32) takes extent 1 of the array, but "
            "2147483648 does not fit");
}

TEST(Arguments, CountsArguments) {
  EXPECT_EQ(refusal({}, {}), "");
  EXPECT_EQ(refusal({pointerToF32, scalarI32}, {"zeros(3xf32)"}),
            "--arg 2 is missing: the entry takes 2 parameters (%x: ptr<f32>, %n: i32), but 1 "
            "argument bound only 1");
  EXPECT_EQ(refusal({scalarI32}, {"1", "2"}),
            "--arg 2: the entry takes 1 parameter (%n: i32), which 1 argument bound already, but "
            "found '2'");
  EXPECT_EQ(refusal({}, {"2"}), "--arg 1: the entry takes 0 parameters (), which 0 arguments "
                                "bound already, but found '2'");
}

TEST(Arguments, TellsPointersFromScalars) {
  EXPECT_EQ(refusal({pointerToF32}, {"7"}),
            "--arg 1 (%x: ptr<f32>): expected an array of f32 (TYPE[...], zeros(...), "
            "random(...), iota(...), empty(...) or FILE.npy), but found '7'");
  EXPECT_EQ(refusal({scalarI32}, {"i32[7]"}),
            "--arg 1 (%n: i32): expected one value of i32, but found the array 'i32[7]'");
  EXPECT_EQ(refusal({scalarI32}, {"a.npy"}),
            "--arg 1 (%n: i32): expected one value of i32, but found the array 'a.npy'");
  EXPECT_EQ(refusal({scalarI32}, {"7,print"}),
            "--arg 1 (%n: i32): options out= and print need an array, but the parameter is a "
            "scalar");
}

TEST(Arguments, RefusesUnknownOptions) {
  const auto optionRefusal = [](const std::string &text) {
    return refusal({pointerToF32}, {text});
  };
  const std::string prefix = "--arg 1 (%x: ptr<f32>): ";
  EXPECT_EQ(optionRefusal("f32[1],show"),
            prefix + "expected option out=FILE.npy, print or print=bits, but found 'show'");
  EXPECT_EQ(optionRefusal("f32[1],out=a.txt"),
            prefix + "expected option out=FILE.npy, print or print=bits, but found 'out=a.txt'");
  EXPECT_EQ(optionRefusal("f32[1],"),
            prefix + "expected option out=FILE.npy, print or print=bits, but found ''");
  EXPECT_EQ(optionRefusal("f32[1],print,print"), prefix + "option 'print' is given twice");
  EXPECT_EQ(optionRefusal("f32[1],out=a.npy,out=b.npy"),
            prefix + "option 'out=b.npy' is given twice");
  EXPECT_EQ(optionRefusal(""), prefix + "expected a value, but found ''");
  EXPECT_EQ(optionRefusal(",print"), prefix + "expected a value, but found ',print'");
  EXPECT_EQ(optionRefusal("array:"), prefix + "expected a value, but found 'array:'");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST_F(ArgumentFiles, EveryFormatComesInItsDtypes) {
  const std::pair<Format, std::vector<Dtype>> rows[] = {
      {Format::I1, {{'b', 1}, {'u', 1}, {'i', 1}}},
      {Format::I8, {{'i', 1}, {'u', 1}}},
      {Format::I16, {{'i', 2}, {'u', 2}}},
      {Format::I32, {{'i', 4}, {'u', 4}}},
      {Format::I64, {{'i', 8}, {'u', 8}}},
      {Format::F16, {{'f', 2}}},
      {Format::F32, {{'f', 4}}},
      {Format::F64, {{'f', 8}}},
      {Format::BF16, {{'V', 2}, {'u', 2}}},
      {Format::TF32, {{'f', 4}, {'V', 4}, {'u', 4}}},
      {Format::F8E4M3FN, {{'V', 1}, {'u', 1}}},
      {Format::F8E5M2, {{'V', 1}, {'u', 1}, {'f', 1}}},
      {Format::F8E8M0FNU, {{'V', 1}, {'u', 1}}},
      {Format::F8E5M3FNU, {{'V', 1}, {'u', 1}}},
      {Format::F4E2M1FN, {{'V', 1}, {'u', 1}}},
  };
  std::vector<Dtype> all;
  for (char kind : {'b', 'i', 'u', 'f', 'V'})
    for (int64_t size : {1, 2, 4, 8})
      if (kind != 'b' || size == 1)
        all.push_back({kind, size});
  for (const auto &[format, accepted] : rows)
    for (Dtype dtype : all) {
      put("a.npy", dtype, {2}, std::string(2 * dtype.itemsize, '\1'));
      const bool isAccepted = std::ranges::find(accepted, dtype) != accepted.end();
      EXPECT_EQ(refusal({pointerTo(format)}, {"a.npy"}).empty(), isAccepted)
          << numerics::info(format).spelling << " from " << runtime::toString(dtype);
    }
}

TEST_F(ArgumentFiles, GiveTheirBytesAndShape) {
  put("a.npy", {'f', 4}, {1, 2}, std::string("\0\0\x80\x3F\0\0\0\xC0", 8));
  EXPECT_EQ(shapeOf(Format::F32, "a.npy"), (Shape{1, 2}));
  std::optional<TypedArray> array = arrayOf(Format::F32, "a.npy");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->load(0).asFloat(), 1.0f);
  EXPECT_EQ(array->load(1).asFloat(), -2.0f);
  // Two elements per byte, the low half first: codes 1, 3, 2 and 0xA.
  put("f4.npy", {'V', 1}, {2, 1}, "\x31\xA2");
  EXPECT_EQ(shapeOf(Format::F4E2M1FN, "f4.npy"), (Shape{2, 2}));
  std::optional<TypedArray> packed = arrayOf(Format::F4E2M1FN, "f4.npy");
  ASSERT_TRUE(packed);
  for (const auto &[index, value] : {std::pair(0, 0.5), {1, 1.5}, {2, 1.0}, {3, -1.0}})
    EXPECT_EQ(packed->load(index).asDouble(), value) << index;
}

TEST_F(ArgumentFiles, RefusesFilesByName) {
  const std::string prefix = "--arg 2 (%x: ptr<f32>): ";
  const auto fileRefusal = [&](const std::string &spec) {
    return refusal({scalarI32, pointerToF32}, {"1", spec});
  };
  EXPECT_EQ(fileRefusal("no.npy"), prefix + "no.npy: no such file");
  put("wide.npy", {'f', 8}, {1}, "12345678");
  EXPECT_EQ(fileRefusal("wide.npy"),
            prefix + "wide.npy: expected dtype <f4 for f32, but found <f8");
  put("short.npy", {'f', 4}, {3}, "12345678");
  EXPECT_EQ(fileRefusal("short.npy"), prefix + "short.npy: truncated file: shape (3,) of dtype "
                                               "<f4 takes 12 bytes, 8 follow the header");
  put("bytes.npy", {'u', 2}, {1}, "ab");
  EXPECT_EQ(refusal({pointerTo(Format::F8E5M2)}, {"bytes.npy"}),
            "--arg 1 (ptr<f8E5M2>): bytes.npy: expected dtype |V1 or |u1 or |f1 for f8E5M2, but "
            "found <u2");
  put("scalar.npy", {'u', 1}, {}, "a");
  EXPECT_EQ(refusal({pointerTo(Format::F4E2M1FN)}, {"scalar.npy"}),
            "--arg 1 (ptr<f4E2M1FN>): scalar.npy: expected at least one dimension for packed "
            "f4E2M1FN, but found none");
  put("vast.npy", {'u', 1}, {0, int64_t(1) << 62}, "");
  EXPECT_EQ(refusal({pointerTo(Format::F4E2M1FN)}, {"vast.npy"}),
            "--arg 1 (ptr<f4E2M1FN>): vast.npy: shape (0, 4611686018427387904) of packed f4E2M1FN "
            "has more than 2^63 - 1 elements");
}

TEST_F(ArgumentFiles, OutputsAreWrittenAfterTheLaunch) {
  auto arguments = bindArguments(
      {pointerTo(Format::BF16), pointerTo(Format::I1), pointerTo(Format::F4E2M1FN)},
      {"bf16[1],out=a.npy", "empty(2xi1),out=b.npy", "zeros(2x4xf4E2M1FN),out=c.npy"});
  ASSERT_TRUE(arguments) << arguments.failure().message;
  EXPECT_TRUE(names().empty());
  arguments->arrays[0].store(0, Element::fromBits(Format::BF16, 0x4000)); // The launch.
  arguments->arrays[2].store(5, Element::fromBits(Format::F4E2M1FN, 0x7));

  std::string printed;
  llvm::raw_string_ostream os(printed);
  auto written = writeOutputs(*arguments, os);
  ASSERT_TRUE(written) << written.failure().message;
  EXPECT_EQ(names(), (std::vector<std::string>{"a.npy", "b.npy", "c.npy"}));
  EXPECT_EQ(contents("a.npy"), runtime::npyPrologue({'V', 2}, Shape{1}) + std::string("\0\x40", 2));
  // Every byte but 0 is true (types, 2.3); NumPy requires 1.
  EXPECT_EQ(contents("b.npy"), runtime::npyPrologue({'b', 1}, Shape{2}) + "\1\1");
  EXPECT_EQ(contents("c.npy"),
            runtime::npyPrologue({'V', 1}, Shape{2, 2}) + std::string("\0\0\x70\0", 4));
  EXPECT_EQ(printed, "");
}

TEST_F(ArgumentFiles, AnArrayKeepsTheDtypeItCameWith) {
  put("a.npy", {'u', 4}, {1}, "abcd");
  auto arguments = bindArguments({pointerTo(Format::I32)}, {"a.npy,out=a.npy"});
  ASSERT_TRUE(arguments);
  ASSERT_TRUE(writeOutputs(*arguments, llvm::nulls()));
  EXPECT_EQ(contents("a.npy"), runtime::npyPrologue({'u', 4}, Shape{1}) + "abcd");
}

// With ml_dtypes, NumPy saves `<f1` but cannot load it.
TEST_F(ArgumentFiles, OneByteFloatsAreWrittenAsRawBytes) {
  put("a.npy", {'f', 1}, {2}, "ab");
  auto arguments = bindArguments({pointerTo(Format::F8E5M2)}, {"a.npy,out=b.npy"});
  ASSERT_TRUE(arguments);
  ASSERT_TRUE(writeOutputs(*arguments, llvm::nulls()));
  EXPECT_EQ(contents("b.npy"), runtime::npyPrologue({'V', 1}, Shape{2}) + "ab");
}

TEST_F(ArgumentFiles, RefusesOutputsBeforeTheLaunch) {
  const std::string prefix = "--arg 1 (%x: ptr<f32>): ";
  EXPECT_EQ(refusal({pointerToF32}, {"f32[1],out=no/a.npy"}),
            prefix + "no/a.npy: cannot write the file: 'no' is not a directory");
  fs::create_directory("dir.npy");
  EXPECT_EQ(refusal({pointerToF32}, {"f32[1],out=dir.npy"}),
            prefix + "dir.npy: cannot write the file: it exists and is not a regular file");
  EXPECT_EQ(refusal({pointerToF32, pointerToF32}, {"f32[1],out=a.npy", "f32[1],out=./a.npy"}),
            "--arg 2 (%x: ptr<f32>): out=./a.npy is already the output of --arg 1");
}

TEST_F(ArgumentFiles, OneFailureReplacesNoFile) {
  fs::create_directory("dir");
  std::ofstream("a.npy") << "old";
  auto arguments = bindArguments({pointerToF32, pointerToF32},
                                 {"f32[1],out=a.npy,print", "f32[2],out=dir/b.npy"});
  ASSERT_TRUE(arguments) << arguments.failure().message;
  fs::remove("dir"); // While the kernel runs.
  std::string printed;
  llvm::raw_string_ostream os(printed);
  auto written = writeOutputs(*arguments, os);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.failure().message, "--arg 2 (%x: ptr<f32>): dir/b.npy: cannot write the file: "
                                       "'dir' is not a directory");
  EXPECT_EQ(contents("a.npy"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a.npy"});
  EXPECT_EQ(printed, "");
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string printed(Format format, const std::string &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto array = arrayOf(format, value))
    print(os, *array);
  return text;
}

TEST(Arguments, PrintIsLabelled) {
  auto arguments = bindArguments({pointerToF32}, {"f32[[1,-2.5],[nan,4]],print"});
  ASSERT_TRUE(arguments);
  std::string text;
  llvm::raw_string_ostream os(text);
  ASSERT_TRUE(writeOutputs(*arguments, os));
  EXPECT_EQ(text, "--arg 1 (%x: ptr<f32>), shape (2, 2)\n"
                  "[[   1 -2.5]\n"
                  " [ nan    4]]\n");
}

TEST(PrintArray, LooksAsInNumPy) {
  EXPECT_EQ(printed(Format::I8, "i8[1,-2,3]"), "[ 1 -2  3]\n");
  EXPECT_EQ(printed(Format::I8, "i8[]"), "[]\n");
  EXPECT_EQ(printed(Format::I8, "zeros(i8)"), "0\n");
  EXPECT_EQ(printed(Format::I1, "i1[1,0]"), "[ true false]\n");
  EXPECT_EQ(printed(Format::I8, "iota(2x2x2xi8)"), "[[[0 1]\n"
                                                   "  [2 3]]\n"
                                                   "\n"
                                                   " [[4 5]\n"
                                                   "  [6 7]]]\n");
}

TEST(PrintArray, EveryQuietNanIsNan) {
  // The NaN of NumPy, one with a sign and a payload, and the one that operations return. The last
  // one is signaling: no operation returns it.
  EXPECT_EQ(printed(Format::F32, "f32[0x7FC00000,0xFFC00001,0x7FFFFFFF,0x7F800001]"),
            "[       nan        nan        nan 0x7F800001]\n");
  EXPECT_EQ(printed(Format::BF16, "bf16[0x7FC0,0xFFC0,0x7F81]"), "[   nan    nan 0x7F81]\n");
  // Two NaNs that differ in their sign, and the only NaN of a format without a sign.
  EXPECT_EQ(printed(Format::F8E4M3FN, "f8E4M3FN[0x7F,0xFF,1]"), "[nan nan   1]\n");
  EXPECT_EQ(printed(Format::F8E8M0FNU, "f8E8M0FNU[0xFF]"), "[nan]\n");
}

TEST(PrintArray, ShowsBits) {
  auto arguments = bindArguments({pointerToF32}, {"f32[1,0x7FC00000],print=bits"});
  ASSERT_TRUE(arguments);
  std::string text;
  llvm::raw_string_ostream os(text);
  ASSERT_TRUE(writeOutputs(*arguments, os));
  EXPECT_EQ(text, "--arg 1 (%x: ptr<f32>), shape (2,)\n[0x3F800000 0x7FC00000]\n");
}

TEST(PrintArray, BreaksLongRows) {
  // 26 two-digit columns and their blanks fill a line of 75: 1 + 24 * 3 + 2.
  EXPECT_EQ(printed(Format::I8, "iota(30xi8)"),
            "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n"
            " 25 26 27 28 29]\n");
}

TEST(PrintArray, ShowsOnlyTheEndsOfLongArrays) {
  EXPECT_EQ(printed(Format::I32, "iota(1001xi32)"), "[   0    1    2 ...  998  999 1000]\n");
  EXPECT_EQ(printed(Format::I32, "iota(8x200xi32)"), "[[   0    1    2 ...  197  198  199]\n"
                                                     " [ 200  201  202 ...  397  398  399]\n"
                                                     " [ 400  401  402 ...  597  598  599]\n"
                                                     " ...\n"
                                                     " [1000 1001 1002 ... 1197 1198 1199]\n"
                                                     " [1200 1201 1202 ... 1397 1398 1399]\n"
                                                     " [1400 1401 1402 ... 1597 1598 1599]]\n");
}
