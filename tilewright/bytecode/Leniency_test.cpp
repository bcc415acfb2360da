// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the reader accepts although the writer would not produce it. Producers differ, and
// unambiguous files are read (bytecode format, 15 and 17). Every file is assembled by hand.

#include "test/support/bytecode/Assembler.h"

#include <algorithm>
#include <numeric>

using namespace tilewright;
using namespace tilewright::bytecode;

namespace {
class Leniency : public BytecodeTest {
protected:
  /// Expects that the file contains the kernel that the assembler starts from.
  void expectPlainKernel(const RawBytes &file) {
    EXPECT_EQ(listProgram(file), "entry k(%0: tile<i32>)\n"
                                 "  %1 = constant {value=5} : tile<i32>\n"
                                 "  %2 = addi lhs=%0 rhs=%1 {overflow=none} : tile<i32>\n"
                                 "  return\n");
  }
};
} // namespace

//===-- Frame and tables --------------------------------------------------------------------===//

TEST_F(Leniency, StartsFromAPlainKernel) { expectPlainKernel(Kernel().file()); }

TEST_F(Leniency, SectionsStandInAnyOrder) {
  std::vector<Frame> frames = Kernel().frames();
  std::vector<size_t> order(frames.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    std::vector<Frame> permuted;
    for (size_t i : order)
      permuted.push_back(frames[i]);
    expectPlainKernel(assemble(1, permuted));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Leniency, AlignmentsMayBeLarger) {
  for (uint64_t alignment : {16, 64, 4096}) {
    std::vector<Frame> frames = Kernel().frames();
    for (Frame &frame : frames)
      frame.alignment = alignment;
    frames.push_back({0x86, alignment, {0}}); // a global section needs none
    expectPlainKernel(assemble(1, frames));
  }
}

TEST_F(Leniency, PaddingMayBeAnything) {
  for (uint8_t padding : {0x00, 0x5A, 0xFF}) {
    RawBytes file = Kernel().file();
    std::replace(file.begin(), file.end(), uint8_t(0xCB), padding);
    expectPlainKernel(file);
  }
}

TEST_F(Leniency, ThirdPartOfTheVersionMeansNothing) {
  RawBytes file = Kernel().file();
  file[10] = 0x05;
  file[11] = 0xFF;
  expectPlainKernel(file);
}

TEST_F(Leniency, BytesMayFollowTheLastFunction) {
  Kernel kernel;
  for (const RawBytes &rest : {RawBytes{0xCB}, RawBytes{1, 2, 3, 4, 5, 6, 7, 8, 9}})
    expectPlainKernel(kernel.fileWith(SectionId::Function, kernel.functions() + rest));
}

TEST_F(Leniency, SectionsMayBeEmpty) {
  Kernel kernel;
  kernel.globals = {0};
  kernel.debug = debugSection({}, {}, {});
  expectPlainKernel(kernel.file());
  kernel.debug = {0, 0xCB, 0xCB, 0xCB, 0, 0xCB, 0xCB, 0xCB, 0}; // nothing behind the last count
  expectPlainKernel(kernel.file());
}

TEST_F(Leniency, EmptyTablesNeedNoPadding) {
  for (const RawBytes &empty : {RawBytes{0}, RawBytes{0, 0xCB, 0xCB, 0xCB},
                                RawBytes{0, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB}}) {
    RawBytes file =
        assemble(1, {{0x82, 8, {0}}, {0x84, 8, empty}, {0x85, 4, empty}, {0x81, 4, empty}});
    EXPECT_EQ(listProgram(file), "");
  }
}

TEST_F(Leniency, DebugAttributesMayBeNoneOrADummy) {
  Kernel kernel;
  kernel.row = 1;
  const std::vector<uint64_t> unknown = {0, 0, 0, 0};
  kernel.debug = debugSection({0}, unknown, {{0x00}});
  expectPlainKernel(kernel.file());
  kernel.debug = debugSection({0}, unknown, {});
  expectPlainKernel(kernel.file());
  while (kernel.debug.back() == 0xCB) // the padding behind the last count
    kernel.debug.pop_back();
  expectPlainKernel(kernel.file());
}

TEST_F(Leniency, RowsMayBeLongerThanTheirFunction) {
  Kernel kernel;
  kernel.row = 1;
  kernel.debug = debugSection({0}, {0, 0, 0, 0, 0, 0}, {{0x00}});
  expectPlainKernel(kernel.file());
}

TEST_F(Leniency, OldFilesMayHaveAProducer) {
  Kernel kernel;
  kernel.producer = {kernel.add("someone 1.0")};
  expectPlainKernel(kernel.file());
  EXPECT_EQ(read(kernel.file())->getProducer(), "someone 1.0");
}

TEST_F(Leniency, TypesMayReferToLaterOnes) {
  Kernel kernel;
  kernel.types = {{0x10, 1, 1, 0}, {0x0D, 2, 0}, {0x03}}; // function, tile<i32>, i32
  kernel.signature = 0;
  kernel.body = {0x10, 1, 0, 0x03, 1, 0, 0, 1, 0x5C, 0, 0};
  expectPlainKernel(kernel.file());
}

TEST_F(Leniency, UnusedEntriesMayBeBad) {
  Kernel kernel;
  kernel.addType({99});                    // no such tag
  kernel.addType({0x13});                  // f4E2M1FN, which 13.1 did not have
  kernel.addType({0x0D});                  // cut off
  kernel.constants.push_back({100, 1, 2}); // more bytes than there are
  expectPlainKernel(kernel.file());
}

//===-- Primitives --------------------------------------------------------------------------===//

TEST_F(Leniency, VarintsMayBePadded) {
  const RawBytes addAndReturn = {0x03, tileI32, 0, 0, 1, 0x5C, 0, 0};
  const RawBytes two = {0x82, 0x00};
  const RawBytes twoInTenBytes = {0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
  for (const RawBytes &type : {two, twoInTenBytes}) {
    Kernel kernel;
    kernel.body = RawBytes{0x10} + type + RawBytes{0} + addAndReturn;
    expectPlainKernel(kernel.file());
  }
}

/// Both layouts of bytecode format, 5.1, by its rules 1 to 3.
TEST_F(Leniency, BooleanConstantsAreBitsOrBytes) {
  struct Case {
    uint64_t elements;
    RawBytes raw;
    std::string value;
  };
  const Case cases[] = {
      {1, {0x00}, "splat false"},
      {1, {0x01}, "splat true"},
      {1, {0xFF}, "splat true"},
      {1, {0x02}, "splat true"},
      {2, {0x02}, "[0, 1]"},
      {2, {0x01}, "[1, 0]"}, // read as bits, although it could be a byte for both
      {2, {0x00, 0x01}, "[0, 1]"},
      {2, {0x05, 0x00}, "[1, 0]"},
      {8, {0xFF}, "splat true"},
      {8, {0x4D}, "[1, 0, 1, 1, 0, 0, 1, 0]"},
      {8, {1, 0, 1, 1, 0, 0, 1, 0}, "[1, 0, 1, 1, 0, 0, 1, 0]"},
      {16, {0x00}, "splat false"},
      {16, {0x01}, "splat true"}, // too short for bits
      {16, {0xFF}, "splat true"},
      {16, {0x0D, 0x80}, "[1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]"},
      {16,
       {1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
       "[1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]"},
  };
  for (const Case &test : cases) {
    Kernel kernel;
    uint8_t tile = kernel.addType(RawBytes{0x0D, i1, 1} + fixed(test.elements, 8));
    kernel.body = RawBytes{0x10, tile, kernel.addConstant(test.raw)} + returnOp;
    EXPECT_EQ(listProgram(kernel.file()),
              "entry k(%0: tile<i32>)\n  %1 = constant {value=" + test.value + "} : tile<" +
                  std::to_string(test.elements) + "xi1>\n  return\n");
  }
}

/// -1.0 is 0xBFF0 and 48 zero bits: zig-zag 0x801FFFFFFFFFFFFF, or, as one writer encodes it, the
/// 65 bits of twice the pattern (bytecode format, 1.3 and 17, item 4).
TEST_F(Leniency, NegativeF64MayHave65Bits) {
  const RawBytes zigZag = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x8F, 0x80, 0x01};
  const RawBytes twice = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xF0, 0xFF, 0x02};
  for (const RawBytes &pattern : {zigZag, twice}) {
    Kernel kernel;
    uint8_t f64 = kernel.addType({0x09}), scalar = kernel.addType({0x0D, f64, 0});
    uint8_t row = kernel.addType(RawBytes{0x0D, f64, 1} + fixed(4, 8));
    kernel.body = RawBytes{0x10, row, kernel.addConstant(fixed(0, 8))} +
                  RawBytes{0x58, 1, scalar, 0, 1, 0x02, f64} + pattern + // one identity
                  RawBytes{1, 1, 1, 1, 2, scalar, scalar, 2} +           // operand %1, region
                  RawBytes{0x45, scalar, 0, 2, 3} + RawBytes{0x6D, 0, 1, 4} + returnOp;
    EXPECT_NE(listProgram(kernel.file()).find("('Float', 'f64', '0xbff0000000000000')"),
              std::string::npos);
  }
}

//===-- Functions and bodies ----------------------------------------------------------------===//

TEST_F(Leniency, FunctionsMaySayThatTheyArePrivate) {
  Kernel kernel;
  kernel.flags = 0x03;
  expectPlainKernel(kernel.file());
}

TEST_F(Leniency, HintsMayBeEmpty) {
  Kernel kernel;
  kernel.flags = 0x06;
  kernel.hints = {0x0B, 0};
  EXPECT_EQ(listProgram(kernel.file()).substr(0, 31), "entry k(%0: tile<i32>) hints {}");
}

/// Booleans of tag 1 and 3, integers of any width, keys in any order (bytecode format, 10.3).
TEST_F(Leniency, HintsHaveTwoSpellings) {
  Kernel kernel;
  kernel.flags = 0x06;
  uint8_t i64 = kernel.addType({0x04});
  uint8_t target = kernel.add("sm_100"), tma = kernel.add("allow_tma"), lat = kernel.add("latency");
  auto hintsOf = [&](const RawBytes &hints) {
    kernel.hints = RawBytes{0x0B, 1, target, 0x0A, 2} + hints;
    std::string line = listProgram(kernel.file());
    return line.substr(0, line.find('\n')).substr(std::string("entry k(%0: tile<i32>) ").size());
  };
  const std::string narrow = "hints {'sm_100': ('Dictionary', {'allow_tma': ('Bool', True), "
                             "'latency': ('Integer', 'i32', 3)})}";
  const std::string wide = "hints {'sm_100': ('Dictionary', {'allow_tma': ('Bool', False), "
                           "'latency': ('Integer', 'i64', 3)})}";
  EXPECT_EQ(hintsOf({tma, 0x03, 1, lat, 0x01, i32, 3}), narrow);
  EXPECT_EQ(hintsOf({tma, 0x03, 7, lat, 0x01, i32, 3}), narrow);
  EXPECT_EQ(hintsOf({tma, 0x01, i1, 1, lat, 0x01, i32, 3}), narrow);
  EXPECT_EQ(hintsOf({lat, 0x01, i32, 3, tma, 0x01, i1, 1}), narrow);
  EXPECT_EQ(hintsOf({lat, 0x01, i64, 3, tma, 0x01, i1, 0}), wide);
  EXPECT_EQ(hintsOf({tma, 0x03, 0, lat, 0x01, i64, 3}), wide);
}

TEST_F(Leniency, IfNeedsNoElse) {
  Kernel kernel;
  uint8_t boolean = kernel.addType({0x0D, i1, 0});
  kernel.body = RawBytes{0x10, boolean, kernel.addConstant({0xFF})} +
                RawBytes{0x32, 0, 1, 2, 1, 0, 1, 0x6D, 0, 0, 0} + returnOp;
  EXPECT_EQ(listProgram(kernel.file()), "entry k(%0: tile<i32>)\n"
                                        "  %1 = constant {value=splat true} : tile<i1>\n"
                                        "  if condition=%1\n"
                                        "    region 0 block 0 args ()\n"
                                        "      yield\n"
                                        "  return\n");
}

TEST_F(Leniency, StringsAreAnyBytes) {
  for (const std::string &text : {std::string(), std::string("\xFF\xFE\0z", 4)}) {
    Kernel kernel;
    uint8_t boolean = kernel.addType({0x0D, i1, 0});
    kernel.body = RawBytes{0x10, boolean, kernel.addConstant({0xFF})} +
                  RawBytes{0x05, kernel.add(text), 1} + returnOp;
    EXPECT_NE(listProgram(kernel.file()).find("message='" + text + "'"), std::string::npos);
  }
}

//===-- Limits ------------------------------------------------------------------------------===//

/// A kernel with this many nested ifs.
static RawBytes nestedIfs(unsigned levels) {
  Kernel kernel;
  uint8_t boolean = kernel.addType({0x0D, i1, 0});
  uint8_t yes = kernel.addConstant({0xFF});
  RawBytes ifs;
  for (unsigned level = 1; level <= levels; ++level) {
    uint8_t operations = level == levels ? 1 : 2; // the next if, and a yield
    llvm::append_values(ifs, 0x32, 0, 1, 2, 1, 0, operations);
  }
  for (unsigned level = 1; level <= levels; ++level)
    llvm::append_values(ifs, 0x6D, 0, 0, 0); // yield, and an else without blocks
  kernel.body = RawBytes{0x10, boolean, yes} + ifs + returnOp;
  return kernel.file();
}

TEST_F(Leniency, RegionsNest256Deep) {
  EXPECT_TRUE(read(nestedIfs(256)));
  expectRefused(nestedIfs(257), {"function section", "256"});
  expectRefused(nestedIfs(100'000), {"function section", "256"});
}

// 'negative_inf' (2) is only for signed division; for unsigned numbers, 'zero' (1) is equivalent.
TEST_F(Leniency, UnsignedDivisionMayRoundDown) {
  constexpr uint8_t isUnsigned = 0, isSigned = 1, down = 2;
  auto rounding = [&](uint8_t signedness) {
    return listProgram(kernelWithBody({0x15, tileI32, signedness, down, 0, 0, 0x5C, 0, 0}));
  };
  EXPECT_EQ(rounding(isUnsigned),
            "entry k(%0: tile<i32>)\n"
            "  %1 = divi lhs=%0 rhs=%0 {signedness=unsigned; rounding=zero} : tile<i32>\n"
            "  return\n");
  EXPECT_EQ(rounding(isSigned),
            "entry k(%0: tile<i32>)\n"
            "  %1 = divi lhs=%0 rhs=%0 {signedness=signed; rounding=negative_inf} : tile<i32>\n"
            "  return\n");
}
