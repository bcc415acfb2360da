// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that files of other producers are read. The files in test/bytecode/vectors come from other
// programs or were written by hand, and so were their listings in the README there, which this test
// parses. The errors of the bad files and their offsets were found by hand.

#include "test/support/bytecode/BytecodeTest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::bytecode;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;

static const std::filesystem::path folder = TILEWRIGHT_BYTECODE_VECTORS;

//===-- The README --------------------------------------------------------------------------===//

static std::string readText(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << "cannot open " << path;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

static RawBytes readVector(StringRef name) {
  std::string text = readText(folder / (name + ".tileirbc").str());
  return RawBytes(text.begin(), text.end());
}

/// The text between the fences below the heading `### name`.
static std::string listingInReadme(StringRef name) {
  static const std::string readme = readText(folder / "README.md");
  std::string heading = ("\n### " + name + "\n\n```\n").str();
  StringRef found = StringRef(readme).split(heading).second.split("\n```").first;
  EXPECT_FALSE(found.empty()) << "the README has no listing of " << name.str();
  return (found + "\n").str();
}

static void replaceOnce(std::string &text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << "the README no longer has: " << from;
  text.replace(at, from.size(), to);
}

/// The README leaves out most lines of 16_big_indices and describes them instead: addition k adds
/// parameter 129-k to the sum so far, starting from parameter 0; the constants count up from 1000.
static std::string spellOutBigIndices(std::string listing) {
  auto parameter = [](int i) { return formatv("%{0}: tile<i32>", i).str(); };
  replaceOnce(listing, "nnnnnnnn...(130 chars)(130 x tile<i32>)",
              std::string(130, 'n') + "(" +
                  llvm::join(llvm::map_range(llvm::seq(0, 130), parameter), ", ") + ")");
  std::string additions, constants;
  for (int k = 2; k < 68; ++k)
    additions += formatv("  %{0} = addi lhs=%{1} rhs=%{2} {{overflow=none} : tile<i32>\n", 130 + k,
                         129 + k, 129 - k);
  for (int k = 2; k < 39; ++k)
    constants += formatv("  %{0} = constant {{value={1}} : tile<i32>\n", 200 + k, 1000 + k);
  replaceOnce(listing, "  \u2026 66 further additions of the same form \u2026\n", additions);
  replaceOnce(listing, "  \u2026 37 further constants \u2026\n", constants);
  return listing;
}

static std::string describedListing(StringRef name) {
  std::string listing = listingInReadme(name);
  return name == "16_big_indices_v13_2" ? spellOutBigIndices(listing) : listing;
}

//===-- Good files --------------------------------------------------------------------------===//

namespace {
class GoodVector : public BytecodeTest, public testing::WithParamInterface<const char *> {};
} // namespace

static const char *const goodVectors[] = {
    "00_worked_example_v13_3",
    "01_empty_v13_1",
    "02_arith_v13_1",
    "03_arith_v13_2",
    "04_arith_v13_3",
    "05_ptr_memory_v13_1",
    "06_views_v13_1",
    "07_views_v13_3",
    "08_control_v13_1",
    "09_control_v13_2",
    "10_reduce_scan_v13_1",
    "11_globals_v13_2",
    "12_globals_v13_3",
    "13_debug_hints_v13_3",
    "14_assume_v13_1",
    "15_lowprec_v13_3",
    "16_big_indices_v13_2",
    "17_shape_math_v13_2",
    "18_v13_4_preview",
    "19_i1_packed_v13_1",
    "20_f64_negative_identity_v13_1",
    "min_ok_v13_1",
};

TEST_P(GoodVector, ListsAsDescribed) {
  EXPECT_EQ(list(readVector(GetParam())), describedListing(GetParam()));
}

/// The file of a preview rounds f32 to f16 in a mode that the released version does not support for
/// that conversion (13.4, section 7.3).
TEST_P(GoodVector, Verifies) {
  auto module = read(readVector(GetParam()));
  ASSERT_TRUE(module);
  bool isOfPreview = StringRef(GetParam()) == "18_v13_4_preview";
  EXPECT_EQ(succeeded(mlir::verify(*module)), !isOfPreview) << diagnostics;
  if (isOfPreview) {
    EXPECT_NE(diagnostics.find("rounding mode specified for conversion from f32 to f16"),
              std::string::npos)
        << diagnostics;
  }
}

TEST_P(GoodVector, KeepsItsProgramWhenWritten) {
  RawBytes bytes = readVector(GetParam());
  auto module = read(bytes);
  ASSERT_TRUE(module);
  tile::Version version = readFile(bytes)->version;
  RawBytes written = write(*module, version);
  auto again = read(written);
  ASSERT_TRUE(again);
  EXPECT_EQ(readFile(written)->version, version);
  EXPECT_EQ(listModule(*again, version), listModule(*module, version));
}

/// Numbering, order and padding depend only on the module, not on the file that it was read from.
TEST_P(GoodVector, IsWrittenTheSameTwice) {
  RawBytes bytes = readVector(GetParam());
  tile::Version version = readFile(bytes)->version;
  auto module = read(bytes);
  ASSERT_TRUE(module);
  RawBytes once = write(*module, version);
  auto again = read(once);
  ASSERT_TRUE(again);
  EXPECT_EQ(write(*again, version), once);
}

INSTANTIATE_TEST_SUITE_P(Files, GoodVector, testing::ValuesIn(goodVectors),
                         [](const auto &info) { return std::string(info.param); });

//===-- Bad files ---------------------------------------------------------------------------===//

namespace {
/// A bad file, and the words that the error must contain.
struct Defect {
  const char *name;
  std::vector<const char *> named;
};

class BadVector : public BytecodeTest, public testing::WithParamInterface<Defect> {};
} // namespace

// Most files put the function section first, so its payload starts at 0x10, the name of the
// one function at 0x11, its signature at 0x12, flags at 0x13, location row at 0x14, body
// length at 0x15 and body at 0x16.
static const Defect defects[] = {
    {"bad_01_magic", {"byte 0x0:", "magic"}},
    {"bad_02_version_12_9", {"byte 0x8:", "12.9", "13.1"}},
    {"bad_03_version_13_99", {"byte 0x8:", "13.99"}},
    {"bad_04_truncated_header", {"byte 0xA:", "version", "2 bytes", "1 remain"}},
    {"bad_05_truncated_section", {"byte 0xD, function section: claims 17 bytes, 16 remain"}},
    {"bad_06_missing_end", {"byte 0x69:", "end marker", "missing"}},
    {"bad_07_trailing_byte", {"byte 0x6A:", "end marker"}},
    {"bad_08_unknown_section", {"byte 0xC:", "section id", "9"}},
    {"bad_09_no_strings", {"no string section"}},
    {"bad_10_no_functions", {"no function section"}},
    {"bad_11_unaligned_func_section", {"byte 0xE", "alignment", "4", "8"}},
    // constant: opcode 0x16, type 0x17, value 0x18
    {"bad_12_type_index", {"byte 0x17, function section", "type 9", "4"}},
    {"bad_13_constant_index", {"byte 0x18, function section", "constant 7", "1"}},
    // addi: opcode 0x16, type 0x17, overflow 0x18, lhs 0x19, rhs 0x1A
    {"bad_14_operand_index", {"byte 0x1A, function section", "5", "1"}},
    {"bad_15_string_index", {"byte 0x11, function section", "string 3", "1"}},
    {"bad_16_location_index", {"byte 0x14, function section", "row", "1"}},
    {"bad_17_opcode_gap", {"byte 0x16, function section", "opcode", "0x19"}},
    {"bad_18_opcode_too_new", {"byte 0x16, function section", "atan2", "13.2", "13.1"}},
    // Type section: payload at 0x38, six offsets, so entry 4 at 0x38 + 28 + 9.
    {"bad_19_type_too_new", {"byte 0x5D, type section", "f4E2M1FN", "13.3", "13.1"}},
    // Five offsets, so entry 4 at 0x38 + 24 + 9; its element type is the second byte.
    {"bad_20_type_cycle", {"byte 0x5A, type section", "type 4", "itself"}},
    // The length takes two bytes; of the payload of 18 bytes, 11 are left then.
    {"bad_21_body_length", {"byte 0x15, function section", "claims 5000 bytes, 11 remain"}},
    {"bad_22_varint_too_long", {"byte 0x17, function section", "10 bytes"}},
    {"bad_23_enum_value", {"byte 0x18, function section", "overflow", "4"}},
    // Constant section: payload at 0x28, one offset, so entry 0 at 0x38.
    {"bad_24_constant_size", {"byte 0x38, constant section", "4 bytes", "3"}},
    // if: opcode 0x16, results 0x17, condition 0x18, regions 0x19, blocks 0x1A, arguments
    // 0x1B, operations 0x1C
    {"bad_25_empty_block", {"byte 0x1C, function section", "block", "empty"}},
    {"bad_26_region_count", {"byte 0x19, function section", "region", "1", "2"}},
    {"bad_27_not_entry", {"byte 0x13, function section", "entry"}},
    {"bad_28_signature_not_function", {"byte 0x12, function section", "tile<i32>", "function"}},
    {"bad_29_string_count", {"byte 0x3C, string section", "1000"}},
    // Behind the if of 14 bytes an addi: rhs at 0x16 + 14 + 4.
    {"bad_30_region_value_escapes", {"byte 0x28, function section", "2"}},
};

TEST_P(BadVector, IsRefusedForItsDefect) {
  expectRefused(readVector(GetParam().name), GetParam().named);
}

INSTANTIATE_TEST_SUITE_P(Files, BadVector, testing::ValuesIn(defects),
                         [](const auto &info) { return std::string(info.param.name); });

//===-- All files ---------------------------------------------------------------------------===//

TEST(Vectors, AreAllTested) {
  auto isListed = [](const std::string &name) {
    return llvm::is_contained(goodVectors, name) ||
           llvm::any_of(defects, [&](const Defect &defect) { return defect.name == name; });
  };
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tileirbc")
      EXPECT_TRUE(isListed(entry.path().stem())) << entry.path();
}

/// Every truncated file is refused.
TEST_P(GoodVector, IsRefusedWhenCutShort) {
  RawBytes bytes = readVector(GetParam());
  while (!bytes.empty()) {
    bytes.pop_back();
    expectRefused(bytes, {});
  }
}

class Version13_4 : public BytecodeTest, public testing::WithParamInterface<const char *> {};

/// These files contain no pointer, view or ftoi, whose layouts changed in 13.4 (bytecode format,
/// 14.2).
TEST_P(Version13_4, IsReadWhereItSaysNothingNew) {
  RawBytes bytes = readVector(GetParam());
  constexpr size_t minorVersion = 9;
  ASSERT_EQ(bytes[minorVersion], 3);
  bytes[minorVersion] = 4;
  std::string expected = describedListing(GetParam());
  replaceOnce(expected, "version 13.3", "version 13.4");
  EXPECT_EQ(list(bytes), expected);
}

INSTANTIATE_TEST_SUITE_P(Files, Version13_4,
                         testing::Values("00_worked_example_v13_3", "13_debug_hints_v13_3"),
                         [](const auto &info) { return std::string(info.param); });

//===-- RawBytes ----------------------------------------------------------------------------===//

using Written = BytecodeTest;

/// min_ok, written by hand as in bytecode format, 16: types in order of first use, the function
/// section padded to 8 bytes within its length.
TEST_F(Written, HasTheBytesOfTheReferenceWriter) {
  const RawBytes expected = {
      0x7F, 'T',  'i',  'l',  'e',  'I',  'R',  0x00, 13,   1, 0, 0, // magic, version
      0x82, 24,   8,    0xCB,                                        // function section
      1,    0,    2,    0x02, 0,    11, // one: name, type, flags, row, length
      0x10, 1,    0,    0x03, 1,    0,    0,    1,    0x5C, 0, 0,       // constant, addi, return
      0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB,                         //
      0x84, 21,   8,    0xCB, 0xCB, 0xCB, 0xCB, 0xCB,                   // constant section
      1,    0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB,                   //
      0,    0,    0,    0,    0,    0,    0,    0,    4,    5, 0, 0, 0, // one: i32 5
      0x85, 24,   4,                                                    // type section
      3,    0xCB, 0xCB, 0xCB, 0,    0,    0,    0,    1,    0, 0, 0, 4,   0, 0, 0, //
      0x03, 0x0D, 0,    0,    0x10, 1,    1,    0, // i32, tile<i32>, (tile<i32>) -> ()
      0x81, 9,    4,    0xCB, 1,    0xCB, 0xCB, 0xCB, 0,    0, 0, 0, 'k', // string section
      0,                                                                  // end marker
  };
  auto module = read(readVector("min_ok_v13_1"));
  ASSERT_TRUE(module);
  EXPECT_EQ(write(*module, {13, 1}), expected);
}

/// The head of a listing counts table entries and lists sections: Global, Func, Constant, Debug,
/// Type, Producer, String; empty ones are left out, except for types and strings. Counted by hand
/// by the rules of bytecode format, 16: no unused types, a constant per type and data, a row per
/// function with a location.
TEST_F(Written, HasTheTablesOfTheReferenceWriter) {
  const std::pair<const char *, const char *> heads[] = {
      {"00_worked_example_v13_3",
       "version 13.3; sections in file order [2, 4, 3, 5, 1]; 4 strings, 4 types, 1 constants, "
       "1 debug rows, 5 debug attributes"},
      {"01_empty_v13_1", "version 13.1; sections in file order [2, 5, 1]; 0 strings, 0 types, "
                         "0 constants, 0 debug rows, 0 debug attributes"},
      // Types: the signature; f32, tile<4xf32>; i32, tile<1xi32>; two pointers and tiles of
      // them; tile<i32>, token, tile<f32>. Zero is a constant of two types.
      {"11_globals_v13_2", "version 13.2; sections in file order [6, 2, 4, 5, 1]; 3 strings, "
                           "12 types, 4 constants, 0 debug rows, 0 debug attributes"},
      {"12_globals_v13_3", "version 13.3; sections in file order [6, 2, 4, 5, 1]; 3 strings, "
                           "12 types, 4 constants, 0 debug rows, 0 debug attributes"},
      // Only the first of three functions has a location.
      {"13_debug_hints_v13_3",
       "version 13.3; sections in file order [2, 3, 5, 7, 1]; 15 strings, 4 types, 0 constants, "
       "1 debug rows, 9 debug attributes; producer 'vector-maker 1.0'"},
  };
  for (auto [name, head] : heads) {
    RawBytes bytes = readVector(name);
    auto module = read(bytes);
    ASSERT_TRUE(module);
    RawBytes written = write(*module, readFile(bytes)->version);
    EXPECT_EQ(factsOf(*readFile(written)).header, head) << name;
  }
}
