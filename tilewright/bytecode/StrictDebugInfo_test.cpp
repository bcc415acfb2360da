// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the reader refuses in the debug section (bytecode format, 13). Each file has one
// error. See StrictTables_test.cpp.

#include "test/support/bytecode/Assembler.h"

using namespace tilewright;
using namespace tilewright::bytecode;

using StrictDebugInfo = BytecodeTest;

/// Debug information for the plain kernel: row 1 holds the locations of the function and of three
/// operations. Ids 1 to 4 are a file, its compile unit, subprogram k, and a location in it.
static Kernel kernelWithDebugInfo() {
  Kernel kernel;
  kernel.row = 1;
  kernel.strings = {"k", "k.py", "/s"};
  return kernel;
}

static std::vector<RawBytes> debugAttributes() {
  return {{2, 1, 2}, {1, 1}, {5, 1, 3, 0, 0, 2, 3}, {4, 3, 1, 3, 1}};
}

TEST_F(StrictDebugInfo, StartsFromGoodDebugInfo) {
  Kernel kernel = kernelWithDebugInfo();
  kernel.debug = debugSection({0}, {4, 0, 4, 0}, debugAttributes());
  EXPECT_NE(listProgram(kernel.file())
                .find("entry k(%0: tile<i32>)  @loc(sub(file(k.py,/s),line 3,k,k,cu(file(k.py,/s)),"
                      "scope_line 3),k.py:3:1)\n"),
            std::string::npos);
}

TEST_F(StrictDebugInfo, LocationRows) {
  auto refuse = [&](uint8_t row, const std::vector<uint32_t> &rows,
                    const std::vector<uint64_t> &references,
                    const std::vector<const char *> &named) {
    Kernel kernel = kernelWithDebugInfo();
    kernel.row = row;
    kernel.debug = debugSection(rows, references, debugAttributes());
    expectRefused(kernel.file(), named);
  };
  refuse(2, {0}, {4, 0, 0, 0}, {"byte 0x14, function section", "row", "2", "1"});
  refuse(1, {9}, {4, 0, 0, 0}, {"debug section", "row"});       // starts beyond the references
  refuse(1, {0}, {4, 0, 0}, {"debug section", "row"});          // one reference is missing
  refuse(1, {0, 2}, {4, 0, 0, 0, 0}, {"debug section", "row"}); // two belong to the next row
  refuse(2, {2, 0}, {4, 0, 0, 0, 0}, {"debug section", "row"}); // in any order
  refuse(1, {0}, {99, 0, 0, 0}, {"debug section", "99", "4"});
  refuse(1, {0}, {0, 0, 0, 3}, {"debug section", "3", "location"}); // a subprogram
}

TEST_F(StrictDebugInfo, DebugAttributes) {
  // Attribute 5 is wrong, and an operation refers to it.
  auto refuse = [&](const RawBytes &wrong, const std::vector<const char *> &named) {
    Kernel kernel = kernelWithDebugInfo();
    std::vector<RawBytes> attributes = debugAttributes();
    attributes.push_back(wrong);
    kernel.debug = debugSection({0}, {4, 5, 0, 0}, attributes);
    expectRefused(kernel.file(), named);
  };
  refuse({7}, {"debug section", "tag 7"});
  // tag 0x104 is no location
  refuse(varint(0x104) + RawBytes{3, 1, 3, 1}, {"debug section", "tag 260"});
  refuse({4, 3, 1, 3, 1, 0}, {"debug section", "1 byte left over"});
  refuse({4, 3, 1, 3}, {"debug section", "column"}); // cut off
  refuse({4, 3, 9, 3, 1}, {"debug section", "string 9", "3"});
  refuse(RawBytes{4, 3, 1} + varint(uint64_t(1) << 32) + RawBytes{1}, {"debug section", "line"});

  refuse({4, 0, 1, 3, 1}, {"debug section", "scope", "0"});
  refuse({4, 1, 1, 3, 1}, {"debug section", "scope", "1"}); // a file
  refuse({4, 9, 1, 3, 1}, {"debug section", "scope", "9", "5"});
  refuse({6, 3, 4}, {"debug section", "callee", "3", "location"});
  refuse({6, 4, 2}, {"debug section", "caller", "2", "location"});
  refuse({3, 3, 1, 1, 1}, {"debug section", "5", "location"}); // a lexical block by itself
  refuse({6, 4, 5}, {"debug section", "5", "itself"});
}

TEST_F(StrictDebugInfo, DebugAttributesWithinOthers) {
  // A location in attribute 5, which is wrong.
  auto refuse = [&](const RawBytes &scope, const std::vector<const char *> &named) {
    Kernel kernel = kernelWithDebugInfo();
    std::vector<RawBytes> attributes = debugAttributes();
    attributes.push_back(scope);
    attributes.push_back({4, 5, 1, 3, 1});
    kernel.debug = debugSection({0}, {4, 6, 0, 0}, attributes);
    expectRefused(kernel.file(), named);
  };
  refuse({3, 5, 1, 1, 1}, {"debug section", "5", "itself"}); // a block in itself
  refuse({3, 4, 1, 1, 1}, {"debug section", "scope", "4"});  // ... in a location
  refuse({3, 3, 2, 1, 1}, {"debug section", "file", "2"});   // ... in a compile unit
  refuse({5, 3, 3, 0, 0, 2, 3}, {"debug section", "file", "3"});
  refuse({5, 1, 3, 0, 0, 1, 3}, {"debug section", "compile unit", "1"});
  refuse({5, 0, 3, 0, 0, 2, 3}, {"debug section", "file", "0"});
  refuse({1, 3}, {"debug section", "file", "3"}); // a compile unit of a subprogram
}

TEST_F(StrictDebugInfo, ScopesNestedDeeply) {
  Kernel kernel = kernelWithDebugInfo();
  std::vector<RawBytes> attributes = debugAttributes();
  attributes[3] = {3, 3, 1, 1, 1};
  for (unsigned outer = 4; outer < 304; ++outer)
    attributes.push_back(RawBytes{3} + varint(outer) + RawBytes{1, 1, 1});
  attributes.push_back(RawBytes{4} + varint(304) + RawBytes{1, 3, 1});
  kernel.debug = debugSection({0}, {305, 0, 0, 0}, attributes);
  expectRefused(kernel.file(), {"debug section", "256"});
}
