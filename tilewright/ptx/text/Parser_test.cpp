// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar: texts as compilers write them, and rejected texts with the reported position.

#include "tilewright/ptx/text/Parser.h"

#include <gtest/gtest.h>

using namespace tilewright::ptx;

static std::string header() { return ".version 8.6\n.target sm_90\n.address_size 64\n"; }

static Module accepted(const std::string &text) {
  auto result = parse(text);
  if (const auto *refusal = std::get_if<Refusal>(&result)) {
    ADD_FAILURE() << toString(*refusal);
    return {};
  }
  return std::get<Module>(std::move(result));
}

static std::string refused(const std::string &text) {
  auto result = parse(text);
  const auto *refusal = std::get_if<Refusal>(&result);
  return refusal ? toString(*refusal) : "accepted";
}

TEST(Parser, ReadsModuleDirectives) {
  const Module module = accepted("//\n.version 7.4\n.target sm_80, debug\n.address_size 64\n"
                                 ".file 1 \"a b.cu\", 1234, 56\n"
                                 ".section .debug_str { $L_x: .b8 1,2\n.b64 .debug_info+4 }\n");
  EXPECT_EQ(module.version, 74u);
  EXPECT_EQ(module.target, "sm_80");
  EXPECT_EQ(module.fileName(1), "a b.cu");
  EXPECT_EQ(module.fileName(2), "");
}

/// The bytes of a variable up to the last one with an initial value.
static std::vector<uint8_t> initialBytes(const Variable &variable) {
  std::vector<uint8_t> bytes;
  for (const InitialValue &value : variable.initial) {
    bytes.resize(std::max<size_t>(bytes.size(), value.offset + value.bytes));
    for (unsigned byte = 0; byte < value.bytes; ++byte)
      bytes[value.offset + byte] = uint8_t(value.bits >> (8 * byte));
  }
  return bytes;
}

TEST(Parser, ReadsVariablesWithInitialValues) {
  const Module module = accepted(header() + R"(
.global .align 8 .b8 bytes[5] = {1, 2, -1};
.const .f32 pi = 0f40490FDB;
.global .f64 half = 0.5;
.visible .global .s32 matrix[2][3] = {{1, 2}, {4}};
.global .u64 pointers[2] = {bytes, generic(matrix)+8};
.global .v2 .u32 pair = {7, 8};
.extern .shared .align 16 .b8 dynamic[];
.shared .v4 .f32 tile[8];
.global .u16 unsized[] = {1, 2, 3};
)");
  ASSERT_EQ(module.variables.size(), 9u);
  const auto &all = module.variables;
  EXPECT_EQ(all[0].bytes, 5u);
  EXPECT_EQ(all[0].alignment, 8u);
  EXPECT_EQ(initialBytes(all[0]), (std::vector<uint8_t>{1, 2, 255}));
  EXPECT_EQ(all[1].space, Space::Const);
  EXPECT_EQ(initialBytes(all[1]), (std::vector<uint8_t>{0xDB, 0x0F, 0x49, 0x40}));
  EXPECT_EQ(initialBytes(all[2]), (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0xE0, 0x3F}));
  EXPECT_EQ(all[3].bytes, 24u);
  EXPECT_EQ(initialBytes(all[3]),
            (std::vector<uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0}));
  ASSERT_EQ(all[4].relocations.size(), 2u);
  EXPECT_EQ(all[4].relocations[0].target, 0u);
  EXPECT_EQ(all[4].relocations[1].offset, 8u);
  EXPECT_EQ(all[4].relocations[1].addend, 8);
  EXPECT_EQ(all[5].bytes, 8u);
  EXPECT_TRUE(all[6].isExtern);
  EXPECT_EQ(all[7].bytes, 128u);
  EXPECT_EQ(all[7].alignment, 16u);
  EXPECT_EQ(all[8].bytes, 6u);
}

TEST(Parser, ReadsInstructionsAndScopes) {
  const Module module = accepted(header() + R"(
.func (.param .b32 r) f(.param .align 4 .b8 p[8]) .noreturn;
.visible .entry k(.param .u64 .ptr .global .align 16 a) .reqntid 32, 2 .minnctapersm 1
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>, x;
  .loc 1 7 3
$L_top:
  @!%p1 bra $L_end;
  { .reg .b32 x; mov.u32 x, 0x10; $inner: bra $inner; }
  { $inner: bra.uni $inner; bra $L_top; }
  .loc 2 9 1, function_name $name, inlined_at 1 8 5
  setp.lt.s32 %p1|%p2, x, -3;
  ld.global.v2.f32 {%r1, _}, [x+-8];
$L_end:
}
)");
  const Function &function = *module.find("k");
  EXPECT_TRUE(function.isEntry);
  EXPECT_EQ(*function.requiredThreads, (std::array<uint32_t, 3>{32, 2, 1}));
  ASSERT_EQ(function.body.size(), 7u);
  EXPECT_TRUE(function.body[0].guard->isNegated);
  EXPECT_EQ(function.body[0].operands[0].index, 7u); // the end of the body
  EXPECT_EQ(spell(function.body[1]), "mov.u32");
  EXPECT_EQ(function.body[1].operands[1].bits, 16u);
  EXPECT_NE(function.body[1].operands[0].index, function.body[5].operands[1].index);
  EXPECT_EQ(function.body[2].operands[0].index, 2u);
  EXPECT_EQ(function.body[3].operands[0].index, 3u);
  EXPECT_EQ(function.body[4].operands[0].index, 0u);
  EXPECT_EQ(function.body[5].operands[0].kind, OperandKind::Pair);
  EXPECT_EQ(int64_t(function.body[5].operands[2].bits), -3);
  EXPECT_EQ(int64_t(function.body[6].operands[1].bits), -8);
  EXPECT_EQ(function.body[6].operands[0].parts[1].kind, OperandKind::Sink);
  EXPECT_EQ(function.body[1].source, 1u);
  const SourceLine &line = module.lines[function.body[5].source - 1];
  EXPECT_EQ(line.line, 9u);
  EXPECT_EQ(module.lines[line.inlinedAt - 1].line, 8u);
  EXPECT_FALSE(module.find("f")->hasBody);
}

TEST(Parser, ReportsPositionAndReason) {
  const auto expect = [](const std::string &text, const std::string &message) {
    EXPECT_EQ(refused(text), message) << text;
  };
  const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
  expect("", "1:1: expected '.version': a PTX text begins with it, found the end of the text");
  expect(".version 2.2\n", "1:1: expected a version of PTX from 2.3 on, found '2.2'");
  expect(head + ".alias f, g;", "4:8: 'g' is no function");
  expect(head + ".global .u64 x; .global .b8 y[1] = {0xFFF(x)};",
         "4:37: expected a mask of one byte of an address, found '0xFFF'");
  expect(head + ".global .u64 x; .global .u16 y[1] = {0xFF(x)};",
         "4:38: a byte of an address is for a variable of bytes, but the type is .u16");
  expect(".version 8.0\n.target sm_80\n.address_size 32\n",
         "3:1: only modules with .address_size 64 are supported");
  expect(head + ".global .b32 x[", "4:16: expected an integer, found the end of the text");
  expect(head + ".global .b32 x[1000000000000];",
         "4:16: expected an extent of at most 268435456, found 1000000000000");
  expect(head + ".global .b8 x[200000000], y[200000000];",
         "4:27: the variables of this module are larger than 256 MiB");
  expect(head + ".global .b8 x[1] = {1, 2};", "4:24: there are more values than elements");
  expect(head + ".global .b64 x[0] = 5;", "4:21: there are more values than elements");
  expect(head + ".global .b32 x[4][0] = {1};", "4:25: there are more values than elements");
  expect(head + ".global .b32 y;\n.global .b128 x = y;",
         "5:19: a variable of type .b128 holds no address");
  expect(head + ".global .b32 x, x;", "4:17: 'x' is declared twice");
  expect(head + ".entry k() { .reg .b32 a; .reg .b16 a<2>; mov.b32 {a0, a1}, a; }", "accepted");
  expect(head + ".entry k() { .reg .b32 a<2>, a<3>; }", "4:30: 'a' is declared twice");
  expect(head + ".surfref s;", "4:1: '.surfref' is not supported outside of a function");
  expect(head + "/* no end", "4:1: this comment does not end");
  expect(head + ".entry k() { .reg .b32 a; add.s32 a, a, 1e999; }",
         "4:41: '1e999' is no number that an f64 can hold");
  expect(head + ".entry k() { bra x; }", "4:18: 'x' is not declared");
  expect(head + ".entry k() { { x: ret; } bra x; }", "4:30: 'x' is not declared");
  expect(head + ".entry k() { @x ret; }", "4:15: expected a predicate after '@'");
  expect(head + ".entry k() { foo.bar [%r1, {%r2}]; }",
         "4:23: 'foo.bar': expected a register or a variable as address, found '%r1'");
  expect(head + ".entry k() { ret; ", "4:19: expected '}', found the end of the text");
  expect(head + ".entry k() { mov.u32 %r1, \x01; }", "4:27: a byte is no part of PTX");
  expect(head + ".entry k() { .reg .b32 %r<2>; mov.u32 %r2, 1; }",
         "accepted"); // %r2 may be a special register: the decoder rejects it
}
