// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the reader refuses: the rules of bytecode format, 15, that no vector violates, and
// inputs that other readers tolerate. Every file is assembled by hand and has one error; offsets
// are counted by hand. This file covers everything except bodies and locations.

#include "test/support/bytecode/Assembler.h"

using namespace tilewright;
using namespace tilewright::bytecode;

using StrictTables = BytecodeTest;

//===-- Frame (2) ---------------------------------------------------------------------------===//

TEST_F(StrictTables, Alignments) {
  auto refuse = [&](Frame function, const std::vector<const char *> &named) {
    std::vector<Frame> frames = Kernel().frames();
    frames[0].id = function.id;
    frames[0].alignment = function.alignment;
    expectRefused(assemble(1, frames), named);
  };
  refuse({0x02, 0, {}}, {"byte 0xD", "alignment", "8"}); // none is stated
  refuse({0x82, 4, {}}, {"byte 0xE", "alignment", "4", "8"});

  // The alignment of the function section is byte 0xE.
  for (auto [alignment, name] : {std::pair(0, "is 0"), std::pair(24, "is 24")}) {
    RawBytes file = Kernel().file();
    file[0xE] = alignment;
    expectRefused(file, {"byte 0xE", name, "power of two"});
  }
}

TEST_F(StrictTables, AlignmentsOfTheOtherSections) {
  for (uint8_t id : {0x81, 0x83, 0x84, 0x85}) {
    Kernel kernel;
    kernel.debug = debugSection({}, {}, {{0}});
    std::vector<Frame> frames = kernel.frames();
    for (Frame &frame : frames)
      if (frame.id == id)
        frame.alignment = 2;
    expectRefused(assemble(1, frames), {"alignment", "2"});
  }
}

TEST_F(StrictTables, EndMarkerWithAlignmentFlag) {
  RawBytes file = Kernel().file();
  file.back() = 0x80;
  expectRefused(file, {"end marker", "flag"});
}

TEST_F(StrictTables, SecondSection) {
  for (size_t again = 0; again < 4; ++again) {
    std::vector<Frame> frames = Kernel().frames();
    frames.push_back(frames[again]);
    expectRefused(assemble(1, frames), {"second", "section"});
  }
}

TEST_F(StrictTables, SectionBeyondTheFile) {
  RawBytes file = Kernel().file();
  // Lengths take one byte here; the section starts at 0x10, three bytes behind its length.
  size_t left = file.size() - 0x10;
  file[0xD] = left + 1;
  expectRefused(file, {"byte 0xD, function section: claims", "remain"});
}

//===-- Tables (3 to 5) ---------------------------------------------------------------------===//

TEST_F(StrictTables, CountsBeyondThePayload) {
  Kernel kernel;
  kernel.row = 1;
  kernel.globals = {0};
  kernel.debug = debugSection({0}, {0, 0, 0, 0}, {{0}});
  const RawBytes thousand = varint(1000) + RawBytes(6, 0xCB);
  const RawBytes most = varint(~uint64_t(0)) + RawBytes(6, 0xCB);
  struct Case {
    SectionId id;
    const char *name;
  };
  for (Case test :
       {Case{SectionId::String, "string section"}, Case{SectionId::Function, "function section"},
        Case{SectionId::Debug, "debug section"}, Case{SectionId::Constant, "constant section"},
        Case{SectionId::Type, "type section"}, Case{SectionId::Global, "global section"}}) {
    expectRefused(kernel.fileWith(test.id, thousand), {test.name, "1000"});
    expectRefused(kernel.fileWith(test.id, most), {test.name, "18446744073709551615"});
  }
  // References and attributes of the debug section, behind a row each.
  const RawBytes row = {1, 0xCB, 0xCB, 0xCB, 0, 0, 0, 0};
  expectRefused(kernel.fileWith(SectionId::Debug, row + thousand), {"debug section", "1000"});
  expectRefused(
      kernel.fileWith(SectionId::Debug,
                      row + RawBytes{0, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB} + thousand),
      {"debug section", "1000"});
}

TEST_F(StrictTables, Offsets) {
  Kernel kernel;
  auto twoOf = [](uint64_t first, uint64_t second, unsigned width) {
    RawBytes table = varint(2) + RawBytes(width - 1, 0xCB);
    return table + fixed(first, width) + fixed(second, width) + RawBytes{'k', 0, 0, 0};
  };
  for (auto [id, width] : {std::pair(SectionId::String, 4), std::pair(SectionId::Type, 4),
                           std::pair(SectionId::Constant, 8)}) {
    expectRefused(kernel.fileWith(id, twoOf(1, 0, width)), {"offset"}); // decreasing
    expectRefused(kernel.fileWith(id, twoOf(0, 5, width)), {"offset 1 is 5"});
    expectRefused(kernel.fileWith(id, twoOf(0, (uint64_t(1) << (8 * width - 1)), width)),
                  {"offset 1 is"});
  }
}

TEST_F(StrictTables, BytesLeftOverInEntries) {
  Kernel kernel;
  kernel.types[tileI32].push_back(0);
  expectRefused(kernel.file(), {"type section", "1 byte left over"});
  kernel = Kernel();
  kernel.constants[0].push_back(0);
  expectRefused(kernel.file(), {"constant section", "1 byte left over"});
}

TEST_F(StrictTables, ConstantBeyondItsEntry) {
  Kernel kernel;
  kernel.constants = {{5, 1, 2, 3, 4}};
  expectRefused(kernel.file(), {"constant section", "5", "4"});
}

/// Rule 4 of bytecode format, 5.1; and one byte for more than 8 elements that are not equal.
TEST_F(StrictTables, BooleanConstants) {
  for (auto [elements, raw] :
       {std::pair(16, RawBytes{0x02}), std::pair(16, RawBytes(3)), std::pair(16, RawBytes(17)),
        std::pair(8, RawBytes(2)), std::pair(2, RawBytes(0)), std::pair(1, RawBytes(2))}) {
    Kernel kernel;
    uint8_t tile = kernel.addType(RawBytes{0x0D, i1, 1} + fixed(elements, 8));
    kernel.body = RawBytes{0x10, tile, kernel.addConstant(raw)} + returnOp;
    expectRefused(kernel.file(), {"constant section", std::to_string(elements).c_str()});
  }
}

TEST_F(StrictTables, ConstantsWithoutNumbers) {
  Kernel kernel;
  uint8_t ptr = kernel.addType({0x0C, i32}), tile = kernel.addType({0x0D, ptr, 0});
  kernel.body = RawBytes{0x10, tile, kernel.addConstant(fixed(0, 8))} + returnOp;
  expectRefused(kernel.file(), {"constant section", "ptr"});

  kernel = Kernel();
  kernel.minorVersion = 3;
  uint8_t i4 = kernel.addType({0x16}), row = kernel.addType(RawBytes{0x0D, i4, 0});
  kernel.body = RawBytes{0x10, row, kernel.addConstant({1})} + returnOp;
  expectRefused(kernel.file(), {"constant section", "i4"});
}

//===-- Types (4) ---------------------------------------------------------------------------===//

TEST_F(StrictTables, UnknownTypes) {
  expectRefused(kernelWithType(3, {23}), {"type section", "tag 23"});
  // Other readers truncate the tag to 8 bits, which would leave a function type.
  expectRefused(kernelWithType(3, varint(256 + 16) + RawBytes{0, 0}), {"type section", "272"});
}

TEST_F(StrictTables, TypesOfTheWrongClass) {
  // A partition view over a tile, in the layouts of 13.1 and 13.3.
  const RawBytes shape = RawBytes{1} + fixed(4, 4), dimMap = RawBytes{1} + fixed(0, 4);
  expectRefused(
      kernelWithType(1, RawBytes{0x0F} + shape + RawBytes{tileI32} + dimMap + RawBytes{0}),
      {"type section", "tile<i32>", "tensor_view"});
  expectRefused(kernelWithType(3, RawBytes{0x0F, 0} + shape + RawBytes{tileI32} + dimMap),
                {"type section", "tile<i32>", "tensor_view"});
  // Types that the type system rejects.
  expectRefused(kernelWithType(1, RawBytes{0x0D, i32, 1} + fixed(3, 8)), {"type section", "power"});
  expectRefused(kernelWithType(1, {0x0D, tileI32, 0}), {"byte 0x61, type section", "elementType"});
}

TEST_F(StrictTables, FlagsOfTypes) {
  Kernel kernel;
  kernel.minorVersion = 3;
  uint8_t tensor = kernel.addType(RawBytes{0x0E, i32, 1} + fixed(8, 8) + RawBytes{1} + fixed(1, 8));
  for (uint8_t flags : {2, 4, 0x7F}) {
    Kernel other = kernel;
    other.signature = other.addType(RawBytes{0x0F, flags, 1} + fixed(4, 4) + RawBytes{tensor, 1} +
                                    fixed(0, 4) + RawBytes{0});
    expectRefused(other.file(), {"type section", "flags"});
  }
  // There are five padding values.
  kernel.signature = kernel.addType(RawBytes{0x0F, 1, 1} + fixed(4, 4) + RawBytes{tensor, 1} +
                                    fixed(0, 4) + RawBytes{5});
  expectRefused(kernel.file(), {"type section", "padding", "5"});
}

TEST_F(StrictTables, TypesNestedDeeply) {
  Kernel kernel;
  kernel.types = {{0x10, 0, 0}};
  for (unsigned inner = 0; inner < 300; ++inner)
    kernel.types.push_back(RawBytes{0x10, 1} + varint(inner) + RawBytes{0});
  // The last type is requested first; it contains 300 others, none of which is decoded yet.
  kernel.body = RawBytes{0x10} + varint(300) + RawBytes{0} + returnOp;
  kernel.signature = 0;
  expectRefused(kernel.file(), {"type section", "256"});
}

//===-- Names (3, 6, 8) ---------------------------------------------------------------------===//

TEST_F(StrictTables, StringsOutOfRange) {
  Kernel kernel;
  kernel.producer = {9};
  expectRefused(kernel.file(), {"producer section", "string 9", "1"});
  kernel = Kernel();
  kernel.flags = 0x06;
  kernel.hints = {0x0B, 1, 9, 0x0A, 0};
  expectRefused(kernel.file(), {"byte 0x17, function section", "string 9", "1"});
  expectRefused(kernelWithBody(RawBytes{0x05, 9, 0} + returnOp),
                {"byte 0x17, function section", "string 9", "1"});
}

TEST_F(StrictTables, EmptyNames) {
  Kernel kernel;
  kernel.name = kernel.add("");
  expectRefused(kernel.file(), {"byte 0x11, function section", "empty"});

  kernel = Kernel();
  kernel.body = RawBytes{0x2C, tileI32, kernel.add("")} + returnOp; // get_global
  expectRefused(kernel.file(), {"byte 0x18, function section", "empty"});

  kernel = Kernel();
  kernel.flags = 0x06;
  kernel.hints = {0x0B, 1, kernel.add(""), 0x0A, 0};
  expectRefused(kernel.file(), {"byte 0x17, function section", "empty"});

  kernel = Kernel();
  uint8_t row = kernel.addType(RawBytes{0x0D, i32, 1} + fixed(1, 8));
  kernel.globals = {1, kernel.add(""), row, 0, 0};
  expectRefused(kernel.file(), {"global section", "empty"});
}

TEST_F(StrictTables, DuplicateSymbols) {
  Kernel kernel;
  RawBytes twice = kernel.functions(), second(twice.begin() + 1, twice.end());
  twice[0] = 2;
  // The first function takes 16 bytes from 0x11 on.
  expectRefused(kernel.fileWith(SectionId::Function, twice + second),
                {"byte 0x21, function section", "second", "'k'"});

  uint8_t row = kernel.addType(RawBytes{0x0D, i32, 1} + fixed(1, 8));
  kernel.globals = {1, 0, row, 0, 0};
  expectRefused(kernel.file(), {"byte 0x11, function section", "second", "'k'"});
}

//===-- Globals (6) -------------------------------------------------------------------------===//

TEST_F(StrictTables, Globals) {
  auto refuse = [&](uint8_t minorVersion, const RawBytes &rest,
                    const std::vector<const char *> &named) {
    Kernel kernel;
    kernel.minorVersion = minorVersion;
    kernel.addType(RawBytes{0x0D, i32, 1} + fixed(1, 8));
    kernel.globals = RawBytes{1, kernel.add("g")} + rest;
    expectRefused(kernel.file(), named);
  };
  constexpr uint8_t row = 4;
  refuse(1, {i32, 0, 0}, {"global section", "i32", "tile"});
  refuse(1, {9, 0, 0}, {"global section", "type 9", "5"});
  refuse(1, {row, 7, 0}, {"global section", "constant 7", "1"});
  refuse(1, {row, 0, 0, 0}, {"global section", "1 byte left over"});
  refuse(3, {row, 0, 0, 2, 0}, {"global section", "visibility", "2"});
  refuse(3, {row, 0, 0, 1, 1, 0}, {"global section", "1 byte left over"});
}
