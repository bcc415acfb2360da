// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the reader refuses in functions, operations and attributes. Each file has one error;
// offsets are counted by hand. See StrictTables_test.cpp.

#include "test/support/bytecode/Assembler.h"

using namespace tilewright;
using namespace tilewright::bytecode;

using StrictBodies = BytecodeTest;

//===-- Functions (8) -----------------------------------------------------------------------===//

TEST_F(StrictBodies, FlagsOfFunctions) {
  for (auto [flags, unknown] :
       {std::pair(0x0A, "0x8"), std::pair(0x12, "0x10"), std::pair(0x82, "0x80")}) {
    Kernel kernel;
    kernel.flags = flags;
    expectRefused(kernel.file(), {"byte 0x13, function section", "flag", unknown});
  }
}

TEST_F(StrictBodies, Bodies) {
  expectRefused(kernelWithBody({}), {"byte 0x16, function section", "return"});
  // addi of 5 bytes, and then nothing
  expectRefused(kernelWithBody({0x03, tileI32, 0, 0, 0}),
                {"byte 0x1B, function section", "return"});
  expectRefused(kernelWithBody({0x6D, 0, 0}), {"byte 0x19, function section", "return"}); // yield
}

/// The module verifier rejects this, not the reader.
TEST_F(StrictBodies, OperationAfterATerminator) {
  auto module = read(kernelWithBody(returnOp + returnOp));
  ASSERT_TRUE(module);
  EXPECT_TRUE(failed(mlir::verify(*module)));
  EXPECT_NE(diagnostics.find("cuda_tile.return"), std::string::npos) << diagnostics;
}

//===-- Operations (9) ----------------------------------------------------------------------===//

TEST_F(StrictBodies, Opcodes) {
  // module, entry and global cannot be in a body.
  for (uint8_t opcode : {0x4B, 0x16, 0x31})
    expectRefused(kernelWithBody(RawBytes{opcode, 0, 0} + returnOp),
                  {"byte 0x16, function section", "opcode"});
  for (uint8_t opcode : {0x24, 0x34, 0x39, 0x76, 0x7F})
    expectRefused(kernelWithBody(RawBytes{opcode, 0, 0} + returnOp),
                  {"byte 0x16, function section", "opcode"});
  // Other readers truncate opcodes to 32 bits, which would leave absf.
  expectRefused(kernelWithBody(varint(uint64_t(1) << 32) + RawBytes{tileI32, 0} + returnOp),
                {"byte 0x16, function section", "opcode", "0x100000000"});
}

TEST_F(StrictBodies, Varints) {
  // cut off at the end of the body
  expectRefused(kernelWithBody({0x10, 0x82}), {"byte 0x17, function section", "cut off"});
  // 2 and bit 64
  const RawBytes wide = {0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02};
  expectRefused(kernelWithBody(RawBytes{0x10} + wide + RawBytes{0} + returnOp),
                {"byte 0x17, function section", "64 bits"});
}

TEST_F(StrictBodies, ResultCounts) {
  Kernel kernel;
  uint8_t token = kernel.addType({0x11}), text = kernel.add("done");
  // In 13.1 print_tko has no result; later it has one.
  kernel.body = RawBytes{0x55, 1, token, text, 0} + returnOp;
  expectRefused(kernel.file(), {"byte 0x17, function section", "print_tko", "0", "1"});
  for (uint8_t minorVersion : {2, 3}) {
    kernel.minorVersion = minorVersion;
    kernel.body = RawBytes{0x55, 0, 0, text, 0} + returnOp;
    expectRefused(kernel.file(), {"byte 0x17, function section", "print_tko", "1", "0"});
  }
  expectRefused(kernelWithBody({0x5C, 1, tileI32, 0}),
                {"byte 0x17, function section", "return", "0", "1"});
  // join_tokens has one result
  expectRefused(kernelWithBody(RawBytes{0x3C, 2, tileI32, tileI32, 0} + returnOp),
                {"byte 0x17, function section", "join_tokens", "1", "2"});
}

TEST_F(StrictBodies, FlagsOfOperations) {
  expectRefused(kernelWithBody(RawBytes{0x02, tileI32, 2, 0, 0, 0} + returnOp), // addf
                {"byte 0x18, function section", "addf", "flags", "0x2"});
  // for: no results; one flag since 13.2
  Kernel kernel;
  kernel.minorVersion = 2;
  kernel.body = RawBytes{0x29, 0, 2, 3, 0, 0, 0, 1, 1, 1, tileI32, 1, 0x11, 0, 0} + returnOp;
  expectRefused(kernel.file(), {"byte 0x18, function section", "for", "flags", "0x2"});
}

TEST_F(StrictBodies, Blocks) {
  // for in 13.1, whose body is an addi without a terminator: 4 bytes and 3 operands to 0x1B,
  // region count, block count, one argument, one operation, an addi of 5 bytes.
  expectRefused(
      kernelWithBody(RawBytes{0x29, 0, 3, 0, 0, 0, 1, 1, 1, tileI32, 1, 0x03, tileI32, 0, 0, 1} +
                     returnOp),
      {"function section", "terminator"});
}

//===-- Attributes (10) ---------------------------------------------------------------------===//

TEST_F(StrictBodies, Enumerants) {
  // Other readers truncate enumerators to 32 bits, which would leave none.
  expectRefused(kernelWithBody(RawBytes{0x03, tileI32} + varint(uint64_t(1) << 32) +
                               RawBytes{0, 0} + returnOp),
                {"byte 0x18, function section", "4294967296"});
  expectRefused(kernelWithBody(RawBytes{0x61, tileI32, 2, 0, 0} + returnOp), // shri: signedness
                {"byte 0x18, function section", "2"});
}

TEST_F(StrictBodies, Arrays) {
  for (auto [value, name] :
       {std::pair(0x80000000, "-2147483648"), std::pair(0x7FFFFFFFu, "2147483647")}) {
    RawBytes permute = RawBytes{0x53, tileI32, 1} + fixed(value, 4) + RawBytes{0};
    expectRefused(kernelWithBody(permute + returnOp), {"function section", "forbidden", name});
  }
  for (auto [value, name] : {std::pair(uint64_t(1) << 63, "-9223372036854775808"),
                             std::pair(~uint64_t(0) >> 1, "9223372036854775807")}) {
    RawBytes same = RawBytes{0x06, tileI32, 9, 1} + fixed(value, 8) + RawBytes{0};
    expectRefused(kernelWithBody(same + returnOp), {"function section", "forbidden", name});
  }
  // A rank that does not fit the payload.
  expectRefused(kernelWithBody(RawBytes{0x53, tileI32} + varint(1000) + returnOp),
                {"byte 0x18, function section", "1000"});
}

TEST_F(StrictBodies, WideNumbers) {
  // reduce: dim is a uint32
  expectRefused(kernelWithBody(RawBytes{0x58, 1, tileI32} + varint(uint64_t(1) << 32) + returnOp),
                {"byte 0x19, function section", "32"});
}

TEST_F(StrictBodies, Predicates) {
  auto refuse = [&](const RawBytes &predicate, const std::vector<const char *> &named) {
    expectRefused(kernelWithBody(RawBytes{0x06, tileI32} + predicate + RawBytes{0} + returnOp),
                  named);
  };
  refuse({0x01, i32, 1}, {"byte 0x18, function section", "predicate"}); // an integer
  refuse({0x0A, 0}, {"byte 0x18, function section", "predicate"});      // a dictionary
  refuse({0x08, 4, 4}, {"byte 0x1A, function section", "flags"});       // div_by
  refuse({0x0C, 4}, {"byte 0x19, function section", "flags"});          // bounded
  refuse({0x00}, {"byte 0x18, function section", "tag 0"});
  refuse({0x0D}, {"byte 0x18, function section", "tag 13"});
}

/// Identity values must be numbers or strings.
TEST_F(StrictBodies, Identities) {
  for (const RawBytes &identity : {RawBytes{0x0A, 0}, RawBytes{0x06, 0}, RawBytes{0x0C, 0}})
    expectRefused(kernelWithBody(RawBytes{0x58, 1, tileI32, 0, 1} + identity +
                                 RawBytes{1, 0, 1, 1, 2, tileI32, tileI32, 1, 0x6D, 0, 1, 1} +
                                 returnOp),
                  {"function section", "array"});
}

/// Hints may contain any attribute, so they can violate all of bytecode format, 10.2. They start at
/// 0x15.
TEST_F(StrictBodies, TaggedAttributes) {
  auto refuse = [&](const RawBytes &hints, const std::vector<const char *> &named) {
    Kernel kernel;
    kernel.minorVersion = 3;
    kernel.flags = 0x06;
    kernel.add("a");        // 1
    kernel.addType({0x07}); // 4: f32
    kernel.addType({0x05}); // 5: f16
    kernel.addType({0x13}); // 6: f4E2M1FN
    kernel.addType({0x01}); // 7: i8
    kernel.addType({0x09}); // 8: f64
    kernel.hints = hints;
    expectRefused(kernel.file(), named);
  };
  // {a = {a = value}}, the value at 0x1B
  auto refuseValue = [&](const RawBytes &value, const std::vector<const char *> &named) {
    refuse(RawBytes{0x0B, 1, 1, 0x0A, 1, 1} + value, named);
  };
  refuse({0x0A, 0}, {"byte 0x15, function section", "tag 10", "11"});
  refuse({0x0B, 1, 1, 0x03, 1}, {"function section", "'a'", "dictionary"});
  refuse({0x0B, 2, 1, 0x0A, 0, 1, 0x0A, 0}, {"function section", "'a'"});
  refuse(RawBytes{0x0B} + varint(1000), {"byte 0x16, function section", "1000"});

  refuseValue({0x00}, {"byte 0x1B, function section", "tag 0"});
  refuseValue({0x0D}, {"byte 0x1B, function section", "tag 13"});
  refuseValue({0x07, tileI32, 0}, {"byte 0x1B, function section", "tag 7"});
  // tag 0x101 is no integer
  refuseValue(varint(0x101) + RawBytes{i32, 0}, {"byte 0x1B, function section", "257"});
  refuseValue({0x0A, 2, 1, 0x03, 0, 1, 0x03, 0}, {"function section", "'a'", "more than once"});
  refuseValue(RawBytes{0x06} + varint(1000), {"byte 0x1C, function section", "1000"});

  refuseValue({0x01, 4, 0}, {"byte 0x1C, function section", "f32", "integer"});
  refuseValue({0x01, tileI32, 0}, {"byte 0x1C, function section", "tile<i32>", "integer"});
  refuseValue({0x01, 20, 0}, {"byte 0x1C, function section", "type 20"});
  refuseValue(RawBytes{0x01, i32} + varint(uint64_t(1) << 32),
              {"byte 0x1D, function section", "4294967296", "32 bits"});
  refuseValue(RawBytes{0x01, 7} + varint(256), {"byte 0x1D, function section", "256", "8 bits"});

  refuseValue({0x02, i32, 0}, {"byte 0x1C, function section", "i32", "float"});
  // Zig-zag doubles patterns; the highest bits of a negative one are set.
  refuseValue(RawBytes{0x02, 4} + varint(uint64_t(1) << 33),
              {"byte 0x1D, function section", "32 bits"});
  refuseValue({0x02, 4, 1}, {"byte 0x1D, function section", "32 bits"});
  refuseValue(RawBytes{0x02, 5} + varint(1 << 17), {"byte 0x1D, function section", "16 bits"});
  refuseValue({0x02, 6, 0x10}, {"byte 0x1D, function section", "4 bits"});
  // More than 64 bits are accepted if they are twice the pattern of an f64.
  const RawBytes zeros(8, 0x80);
  refuseValue(RawBytes{0x02, 8, 0x80} + zeros + RawBytes{0x04},
              {"byte 0x1D, function section", "64 bits"});
  refuseValue(RawBytes{0x02, 8, 0x81} + zeros + RawBytes{0x02},
              {"byte 0x1D, function section", "64 bits"});
  refuseValue(RawBytes{0x02, 4, 0x80} + zeros + RawBytes{0x02},
              {"byte 0x1D, function section", "64 bits"});

  RawBytes nested = {0x03, 1};
  for (unsigned level = 0; level < 300; ++level)
    nested = RawBytes{0x0A, 1, 1} + nested;
  refuseValue(nested, {"function section", "256"});
}
