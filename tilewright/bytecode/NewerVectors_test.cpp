// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that files of newer front ends are read, and that files are refused which the vendor's
// assembler refuses. The files in test/bytecode/vectors-13.4 come from another encoder, and so do
// the verdicts in the README there. A listing must contain the parts that the README names, in
// their order.

#include "test/support/bytecode/BytecodeTest.h"

#include "llvm/ADT/STLExtras.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::bytecode;
using llvm::StringRef;

static const std::filesystem::path folder = TILEWRIGHT_NEWER_VECTORS;

static RawBytes readVector(const std::string &name) {
  std::ifstream stream(folder / (name + ".bc"), std::ios::binary);
  EXPECT_TRUE(stream) << "cannot open " << name;
  return RawBytes(std::istreambuf_iterator<char>(stream), {});
}

namespace {
struct Vector {
  const char *name;
  /// Parts of the listing or of the error, in order.
  std::vector<const char *> parts;
};

class Accepted : public BytecodeTest, public testing::WithParamInterface<Vector> {};
class Refused : public BytecodeTest, public testing::WithParamInterface<Vector> {};
class Invalid : public BytecodeTest, public testing::WithParamInterface<Vector> {};
} // namespace

static std::string testNameOf(const testing::TestParamInfo<Vector> &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

//===-- Accepted ----------------------------------------------------------------------------===//

static const char *const atomicRed = "atomic_red_view_tko";
static const char *const powers = " = pow ";

static const Vector accepted[] = {
    {"atomic_red_view.13.4", {atomicRed, "relaxed", "device", "mode=addf}"}},
    {"atomic_red_view_inbounds.13.5", {atomicRed, "inbounds=[1, 1]"}},
    {"e5m3_conv.13.4",
     {"ftof", "rounding_mode=nearest_even} : tile<64xf8E5M3FNU>", "ftof", "} : tile<64xf32>"}},
    {"e5m3_conv.13.5",
     {"ftof", "rounding_mode=nearest_even} : tile<64xf8E5M3FNU>", "ftof", "} : tile<64xf32>"}},
    {"entry_hints.13.5", {"entry k()", "sm_100", "num_worker_warps_per_cta", "16", "return"}},
    {"entry_plain.13.4", {"entry k()", "return"}},
    {"entry_plain.13.5", {"entry k()", "return"}},
    {"fence_alias.13.4",
     {"= store_ptr_tko", "memory_fence_alias_tko token=", "load_ptr_tko",
      "token=", "store_ptr_tko"}},
    {"fpowi_const.13.3", {powers, powers, "addf"}},
    {"fpowi_const.13.4", {"splat 3", "fpowi", "splat -2", "fpowi", "addf"}},
    {"fpowi_const.13.5", {"splat 3", "fpowi", "splat -2", "fpowi", "addf"}},
    {"fpowi_f16_i8.13.3", {"itof", powers, ": tile<64xf16>"}},
    {"fpowi_f16_i8.13.4", {"tile<64xi8>", "fpowi", ": tile<64xf16>"}},
    {"fpowi_f16_i8.13.5", {"tile<64xi8>", "fpowi", ": tile<64xf16>"}},
    {"fpowi_f32_i32.13.3", {"itof", powers, ": tile<64xf32>"}},
    {"fpowi_f32_i32.13.4", {"tile<64xi32>", "fpowi", ": tile<64xf32>"}},
    {"fpowi_f32_i32.13.5", {"tile<64xi32>", "fpowi", ": tile<64xf32>"}},
    {"fpowi_f64_i16.13.3", {"itof", powers, ": tile<64xf64>"}},
    {"fpowi_f64_i16.13.4", {"tile<64xi16>", "fpowi", ": tile<64xf64>"}},
    {"fpowi_f64_i16.13.5", {"tile<64xi16>", "fpowi", ": tile<64xf64>"}},
    {"ftof_modes.13.4",
     {"rounding_mode=negative_inf", "rounding_mode=positive_inf", "addf", "rounding_mode=zero",
      "addf", "rounding_mode=nearest_away} : tile<64xtf32>",
      "rounding_mode=nearest_even} : tile<64xf32>"}},
    {"ftof_modes.13.5",
     {"rounding_mode=negative_inf", "rounding_mode=positive_inf", "rounding_mode=zero",
      "rounding_mode=nearest_away} : tile<64xtf32>"}},
    {"ftof_nearest_away.13.4", {"ftof", "nearest_away", "tf32", "ftof", "nearest_even", "f32"}},
    {"ftoi_plain.13.3", {"ftoi", "{signedness=signed"}},
    {"ftoi_plain.13.4", {"ftoi", "{signedness=signed"}},
    {"ftoi_sat_signed.13.4", {"ftoi", "saturating", "signedness=signed", ": tile<16xi8>"}},
    {"ftoi_sat_unsigned.13.4", {"ftoi", "saturating", "signedness=unsigned", ": tile<16xi8>"}},
    {"gdc_pair.13.4",
     {"gdc_wait_tko", "load_view_tko", ": tile<32xf32>", "store_view_tko",
      "gdc_launch_dependents_tko"}},
    {"gdc_pair.13.5",
     {"gdc_wait_tko", "load_view_tko", ": tile<32xf32>", "store_view_tko",
      "gdc_launch_dependents_tko"}},
    {"inbounds_mixed.13.4",
     {"load_view_tko", "inbounds=[1, 1]", "store_view_tko", "inbounds=[0, 0]"}},
    {"inbounds_mixed.13.5",
     {"load_view_tko", "inbounds=[1, 1]", "store_view_tko", "inbounds=[0, 0]"}},
    {"inbounds_nonbool_byte.13.4", {"inbounds=[1"}},
    {"inbounds_part.13.4",
     {"load_view_tko", "inbounds=[1, 1]", "store_view_tko", "inbounds=[1, 1]"}},
    {"inbounds_part.13.5",
     {"load_view_tko", "inbounds=[1, 1]", "store_view_tko", "inbounds=[1, 1]"}},
    {"insert_1d.13.4",
     {": tile<16xf32>, token", ": tile<4xf32>, token", "value=2", "insert", ": tile<16xf32>",
      "store_view_tko"}},
    {"insert_1d.13.5", {": tile<16xf32>, token", ": tile<4xf32>, token", "insert"}},
    {"insert_2d_dyn.13.4", {"tile<16x8xf32>", "get_tile_block_id", "insert", ": tile<16x8xf32>"}},
    {"insert_2d_dyn.13.5", {"tile<16x8xf32>", "get_tile_block_id", "insert", ": tile<16x8xf32>"}},
    {"insert_extract.13.4", {"extract", ": tile<4x4xf16>", "addf", "insert", ": tile<8x8xf16>"}},
    {"insert_extract.13.5", {"extract", ": tile<4x4xf16>", "addf", "insert", ": tile<8x8xf16>"}},
    {"min_fpowi.13.4", {"tile<4xf32>", "tile<4xi32>", "fpowi", "return"}},
    {"min_gdc_wait.13.4", {"%0 = make_token", "gdc_wait_tko %0", "return"}},
    {"min_insert.13.4", {"tile<4xf32>", "tile<8xf32>", "insert", ": tile<8xf32>", "return"}},
    {"mmaf_scaled_e5m3.13.4",
     {"tile<128x8xf8E5M3FNU>", "tile<8x128xf8E5M3FNU>", "mmaf_scaled", ": tile<128x128xf32>"}},
    {"multimem_load_reduce.13.5",
     {"tile<ptr<bf16, multicast>>", "multicast>", "multimem_load_reduce_view_tko",
      "token=", "memory_ordering_semantics=acquire", "memory_scope=sys", "reduction=max",
      "inbounds=[1, 1]", ": tile<16x16xbf16>, token"}},
    {"multimem_reduce.13.5",
     {"multimem_reduce_view_tko", "memory_ordering_semantics=relaxed", "memory_scope=device",
      "reduction=umax", "inbounds=[0, 0]"}},
    {"multimem_store.13.5",
     {"multimem_store_view_tko", "{memory_ordering_semantics=weak; inbounds=[0, 0]}"}},
    {"ptr_attr_default.13.4",
     {"tile<ptr<f32, none>>", "make_tensor_view", "none>", "inbounds=[1, 0]"}},
    {"ptr_attr_missing.13.4", {"tile<ptr<f32>>", "store_view_tko", "inbounds=[1, 0]"}},
    {"ptr_attr_unicast.13.5", {"tile<ptr<f32, unicast>>", "make_tensor_view", "unicast>"}},
};

TEST_P(Accepted, ShowsItsProgram) {
  auto module = read(readVector(GetParam().name));
  ASSERT_TRUE(module);
  EXPECT_TRUE(succeeded(mlir::verify(*module))) << diagnostics;
  std::string listing = listProgram(readVector(GetParam().name));
  size_t from = 0;
  for (const char *part : GetParam().parts) {
    size_t at = listing.find(part, from);
    ASSERT_NE(at, std::string::npos)
        << "nothing like this behind byte " << from << ": " << part << "\n"
        << listing;
    from = at + StringRef(part).size();
  }
}

/// Table indexes may change, but not the program; the second time, the bytes are the same.
TEST_P(Accepted, IsWrittenInItsVersion) {
  RawBytes bytes = readVector(GetParam().name);
  tile::Version version = readFile(bytes)->version;
  auto module = read(bytes);
  ASSERT_TRUE(module);
  RawBytes once = write(*module, version);
  EXPECT_EQ(readFile(once)->version, version);
  EXPECT_EQ(listProgram(once), listProgram(bytes));
  auto again = read(once);
  ASSERT_TRUE(again);
  EXPECT_EQ(write(*again, version), once);
}

/// Files that need 13.4 or 13.5 are refused in older versions; the others are written as before.
TEST_P(Accepted, NeedsTheVersionOfItsParts) {
  auto module = read(readVector(GetParam().name));
  ASSERT_TRUE(module);
  StringRef name = GetParam().name;
  bool isOf13_5 = name.starts_with("multimem") || name.starts_with("ptr_attr_unicast") ||
                  name.starts_with("atomic_red_view_inbounds");
  bool saysNothingNew = name.ends_with("13.3") || name.starts_with("entry") ||
                        name.starts_with("ftoi_plain") || name == "atomic_red_view.13.4";
  tile::Version lowest = lowestVersion(*module);
  if (isOf13_5)
    EXPECT_EQ(lowest, (tile::Version{13, 5}));
  else if (saysNothingNew)
    EXPECT_LE(lowest, (tile::Version{13, 3}));
  else
    EXPECT_EQ(lowest, (tile::Version{13, 4}));
}

INSTANTIATE_TEST_SUITE_P(Files, Accepted, testing::ValuesIn(accepted), testNameOf);

//===-- Refused -----------------------------------------------------------------------------===//

static const Vector refused[] = {
    {"bad_entry_flag_04.13.5", {"byte 0x13, function section", "0x6"}},
    // The operands are read as the array, and the next opcode as a count.
    {"bad_inbounds_missing.13.4", {"function section", "operands"}},
    {"bad_insert_in_13.3", {"insert", "opcode 0x76", "13.4", "version 13.3"}},
    {"bad_ptr_attr_1.13.4", {"type section", "unicast", "13.5", "version 13.4"}},
    {"bad_tag_1_without_preview.13.5", {"byte 0xA", "preview features"}},
    // The vendor's tool ignores the bit.
    {"ftoi_unknown_flag_bit.13.4", {"ftoi", "unknown flags 0x2"}},
};

TEST_P(Refused, ForItsDefect) { expectRefused(readVector(GetParam().name), GetParam().parts); }

INSTANTIATE_TEST_SUITE_P(Files, Refused, testing::ValuesIn(refused), testNameOf);

/// These are read, and then refused by the verifier.
static const Vector invalid[] = {
    {"bad_fpowi_i64_exponent.13.4", {"operand #1 must be tile of i1 or i8 or i16 or i32 values"}},
    {"bad_gdc_two_operands.13.4", {"gdc_wait_tko", "0 or 1 element"}},
    {"bad_inbounds_short.13.4", {"'inbounds'", "2 indices, got 1"}},
    {"bad_load_multicast.13.5", {"load_view_tko", "multicast address"}},
    {"bad_multimem_unicast.13.5", {"multimem_load_reduce_view_tko", "'multicast'", "'unicast'"}},
};

TEST_P(Invalid, ForItsDefect) {
  auto module = read(readVector(GetParam().name));
  ASSERT_TRUE(module);
  EXPECT_TRUE(failed(mlir::verify(*module)));
  for (const char *part : GetParam().parts)
    EXPECT_NE(diagnostics.find(part), std::string::npos) << diagnostics;
}

INSTANTIATE_TEST_SUITE_P(Files, Invalid, testing::ValuesIn(invalid), testNameOf);

TEST(NewerVectors, AreAllTested) {
  auto isListed = [](llvm::ArrayRef<Vector> vectors, const std::string &name) {
    return llvm::any_of(vectors, [&](const Vector &vector) { return vector.name == name; });
  };
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    std::string name = entry.path().stem();
    if (entry.path().extension() == ".bc")
      EXPECT_TRUE(isListed(accepted, name) || isListed(refused, name) || isListed(invalid, name))
          << entry.path();
  }
}
