// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests modules: diagnostics as data, entries, and writing as text and bytecode.

#include "tilewright/api/Module.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::api;

static const char twoEntries[] = "cuda_tile.module @m {\n"
                                 "  entry @first(%x: tile<ptr<f32>>, %n: tile<i32>) {\n"
                                 "  }\n"
                                 "  entry @second() {\n"
                                 "    %one = constant <f32: 1.0> : tile<f32>\n"
                                 "    %y = atan2 %one, %one : tile<f32>\n"
                                 "  }\n"
                                 "}\n";

static Module read(std::string_view bytes) {
  Diagnostics diagnostics;
  auto module = Module::read({}, bytes, "k.mlir", &diagnostics);
  EXPECT_TRUE(module) << diagnostics.text;
  EXPECT_TRUE(diagnostics.list.empty());
  return *module;
}

TEST(Module, KnowsItsEntriesAndTheirParameters) {
  const Module module = read(twoEntries);
  EXPECT_EQ(module.name(), "k.mlir");
  const std::vector<Entry> entries = module.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name(), "first");
  const std::vector<Parameter> &parameters = entries[0].parameters();
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_TRUE(parameters[0].isPointer);
  EXPECT_EQ(parameters[0].format, numerics::Format::F32);
  EXPECT_NE(parameters[0].type.find("ptr<f32>"), std::string::npos);
  EXPECT_FALSE(parameters[1].isPointer);
  EXPECT_EQ(parameters[1].format, numerics::Format::I32);
  EXPECT_TRUE(entries[1].parameters().empty());
}

TEST(Module, FindsAnEntryByItsName) {
  const Module module = read(twoEntries);
  EXPECT_EQ(module.entry("second")->name(), "second");
  EXPECT_EQ(module.entry("@first")->name(), "first");
  EXPECT_EQ(module.entry("third").failure().message,
            "k.mlir: there is no entry 'third'; there is @first, @second");
  EXPECT_EQ(module.entry("").failure().message,
            "k.mlir: there are several entries: @first, @second");
  EXPECT_EQ(read("cuda_tile.module @m { entry @only() {} }").entry("")->name(), "only");
  EXPECT_EQ(read("cuda_tile.module @m {}").entry("k").failure().message,
            "k.mlir: there is no entry");
}

TEST(Module, ReportsABrokenRuleWithItsPlace) {
  Diagnostics diagnostics;
  auto module =
      Module::read({},
                   "cuda_tile.module @m {\n"
                   "  entry @k() {\n"
                   "    %x = constant <f32: 1.0> : tile<4xf32>\n"
                   "    %y = cat %x, %x dim = 0 : tile<4xf32>, tile<4xf32> -> tile<4xf32>\n"
                   "  }\n"
                   "}\n",
                   "k.mlir", &diagnostics);
  ASSERT_FALSE(module);
  ASSERT_EQ(diagnostics.list.size(), 1u) << diagnostics.text;
  const Diagnostic &error = diagnostics.list[0];
  EXPECT_EQ(error.severity, Severity::Error);
  EXPECT_EQ(error.place.file, "k.mlir");
  EXPECT_EQ(error.place.line, 4);
  EXPECT_EQ(error.place.column, 10);
  EXPECT_FALSE(error.place.byte);
  EXPECT_NE(error.message.find("expected: 8 but got: 4"), std::string::npos) << error.message;
  EXPECT_NE(diagnostics.text.find("k.mlir:4:10: error: "), std::string::npos) << diagnostics.text;
  EXPECT_EQ(module.failure().message + "\n", diagnostics.text);
}

// Places in text without a module are positions in the original text, not in the text with full
// names.
TEST(Module, ReportsPlacesInBareTexts) {
  Diagnostics diagnostics;
  auto module = Module::read({},
                             "entry @a() {}  entry @k(%x: tile<4xf32>) {\n"
                             "}  entry @b(%x: tile<3xf32>) {}\n",
                             "k.mlir", &diagnostics);
  ASSERT_FALSE(module);
  ASSERT_FALSE(diagnostics.list.empty());
  EXPECT_EQ(diagnostics.list[0].place.line, 2);
  EXPECT_NE(diagnostics.text.find("k.mlir:2:" + std::to_string(diagnostics.list[0].place.column)),
            std::string::npos)
      << diagnostics.text;
}

TEST(Module, ReportsTheByteOfMalformedBytecode) {
  Diagnostics diagnostics;
  EXPECT_FALSE(Module::read({}, std::string_view("\x7FTileIR\0\x0D\x03", 10), "k", &diagnostics));
  ASSERT_EQ(diagnostics.list.size(), 1u);
  EXPECT_EQ(diagnostics.list[0].place.file, "k");
  EXPECT_EQ(diagnostics.list[0].place.byte, 10);
  EXPECT_EQ(diagnostics.text, "k: " + diagnostics.list[0].message + "\n");
}

TEST(Module, TellsAFileThatCannotBeReadFromOneThatIsInvalid) {
  Diagnostics diagnostics;
  auto missing = Module::readFile({}, "/nonexistent/k.mlir", &diagnostics);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(diagnostics.list.empty());
  EXPECT_EQ(missing.failure().message,
            "/nonexistent/k.mlir: cannot read: No such file or directory");

  const std::string path = testing::TempDir() + "/module_test.mlir";
  std::ofstream(path) << "cuda_tile.modul @m {}";
  EXPECT_FALSE(Module::readFile({}, path, &diagnostics));
  ASSERT_EQ(diagnostics.list.size(), 1u);
  EXPECT_EQ(diagnostics.list[0].place.file, path);
  std::ofstream(path) << twoEntries;
  EXPECT_TRUE(Module::readFile({}, path, &diagnostics));
  EXPECT_TRUE(diagnostics.list.empty());
}

TEST(Module, GoesToBytecodeAndBack) {
  const Module module = read(twoEntries);
  EXPECT_FALSE(module.fileVersion());
  const tile::Version since{13, 2}; // atan2 (12)
  EXPECT_EQ(module.lowestVersion(), since);
  const std::string bytes = *module.bytecode();
  const Module again = read(bytes);
  EXPECT_EQ(again.fileVersion(), since);
  EXPECT_EQ(again.entries()[1].name(), "second");
  EXPECT_EQ(*again.bytecode(), bytes);
  EXPECT_NE(again.text().find("atan2"), std::string::npos);
  EXPECT_NE(again.text({.generic = true}).find("\"cuda_tile.atan2\""), std::string::npos);

  Diagnostics diagnostics;
  EXPECT_FALSE(module.bytecode(tile::Version{13, 1}, &diagnostics));
  ASSERT_EQ(diagnostics.list.size(), 1u);
  EXPECT_EQ(diagnostics.list[0].place.line, 6);
}

TEST(Module, VerifiesMoreWhenAsked) {
  const Module module = read(twoEntries);
  EXPECT_TRUE(module.verify({.version = tile::Version{13, 2}}));
  Diagnostics diagnostics;
  EXPECT_FALSE(module.verify({.version = tile::Version{13, 1}}, &diagnostics));
  ASSERT_EQ(diagnostics.list.size(), 1u);
  EXPECT_EQ(diagnostics.list[0].place.line, 6);

  const Module empty = read("cuda_tile.module @m {}"); // textual format, 11.1
  EXPECT_TRUE(empty.verify({}));
  EXPECT_FALSE(empty.verify({.strict = true}));
  EXPECT_FALSE(Module::read({.strict = true}, "cuda_tile.module @m {}", "k"));

  // Diagnostics about bytecode have a byte offset.
  const Module binary = read(*module.bytecode());
  EXPECT_FALSE(binary.verify({.version = tile::Version{13, 1}}, &diagnostics));
  ASSERT_EQ(diagnostics.list.size(), 1u);
  EXPECT_TRUE(diagnostics.list[0].place.byte);
}
