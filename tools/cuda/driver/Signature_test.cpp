// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that symbols of cuTile kernels are parsed.

#include "tools/cuda/driver/Signature.h"

#include <gtest/gtest.h>
#include <string>

using namespace tilewright::cuda;

/// `A2:9 S:4`: kind, rank, element type.
static std::string textOf(std::string_view symbol) {
  auto signature = signatureOf(symbol);
  if (!signature)
    return "none";
  std::string text;
  for (const ArgumentType &type : signature->arguments) {
    text += text.empty() ? "" : " ";
    text += type.kind == ArgumentType::Scalar ? "S" : type.kind == ArgumentType::Array ? "A" : "L";
    text += (type.kind == ArgumentType::Scalar ? "" : std::to_string(type.rank)) + ":" +
            std::to_string(int(type.element));
  }
  return text;
}

TEST(Signature, ReadsArraysListsAndScalars) {
  EXPECT_EQ(textOf("k_Kt1_LA2f32_1l0_2t1_A2f32_3l0_Si32"), "L2:9 A2:9 S:4");
  EXPECT_EQ(textOf("k_Kt1_LA2f32_1l0_2t1_w_A2f32_3l0_Si32"), "L2:9 A2:9 S:4");
  EXPECT_EQ(textOf("add_Kt1_A1bf16_1i16t1_p16_A0f8m3fn_A1b8_1l0_p16g0g1iw_Sf64"),
            "A1:7 A0:11 A1:1 S:10");
  EXPECT_EQ(textOf("f_K_name_Kt2"), "");
}

// Constants are compiled in: they are not parameters.
TEST(Signature, SkipsConstants) {
  EXPECT_EQ(textOf("k_Kt1_I128_I_5_B1_F3ff0000000000000_Si64"), "S:5");
  EXPECT_EQ(textOf("k_Kt1_I123456789012345678901234567890_Si64"), "S:5");
}

TEST(Signature, FlattensTuples) {
  EXPECT_EQ(textOf("k_Kt2_T3Si32A1f16_1t1I7_Sf32"), "S:4 A1:6 S:9");
  EXPECT_EQ(textOf("k_Kt2_T2T1Si8Lg0iA1f32_1s16i16v4l0_p16"), "S:2 L1:9");
}

// Constants count as arguments.
TEST(Signature, NumbersArguments) {
  using Paths = std::vector<std::vector<size_t>>;
  const auto paths = [](const Signature &signature) {
    Paths all;
    for (const ArgumentType &type : signature.arguments)
      all.push_back(type.path);
    return all;
  };
  const auto plain = signatureOf("my_k_Kt1_I128_Si32_B1_A1f32_1l0_I5");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->function, "my_k");
  EXPECT_EQ(plain->argumentCount, 5u);
  EXPECT_EQ(paths(*plain), (Paths{{1}, {3}}));
  const auto tuples = signatureOf("k_Kt2_T2T2I1Si8Lg0iA1f32_Sf32");
  ASSERT_TRUE(tuples);
  EXPECT_EQ(tuples->argumentCount, 2u);
  EXPECT_EQ(paths(*tuples), (Paths{{0, 0, 1}, {0, 1}, {1}}));
}

TEST(Signature, CountsParameters) {
  EXPECT_EQ((ArgumentType{ArgumentType::Array, 3, TW_F32}).parameterCount(), 7u);
  EXPECT_EQ((ArgumentType{ArgumentType::List, 3, TW_F32}).parameterCount(), 2u);
  EXPECT_EQ((ArgumentType{ArgumentType::Scalar, 0, TW_F32}).parameterCount(), 1u);
}

TEST(Signature, RejectsUnknownTypes) {
  for (const char *symbol :
       {"add", "k_K", "k_Kt1_", "k_Kt1_X", "k_Kt1_A1", "k_Kt1_A1f33", "k_Kt1_LSi32", "k_Kt1_Si32x",
        "k_Kt1_T2Si32", "k_Kt1_F3ff", "k_Kt1_A99f32", "k_Kt3_D3abc_z1Si32", "k_Kt3_Cn_"})
    EXPECT_EQ(textOf(symbol), "none") << symbol;
}
