// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixture for this room's tests: reads, lists and writes files, and expects refusals.

#ifndef TILEWRIGHT_TEST_SUPPORT_BYTECODE_BYTECODETEST_H
#define TILEWRIGHT_TEST_SUPPORT_BYTECODE_BYTECODETEST_H

#include "test/support/bytecode/Listing.h"
#include "tilewright/bytecode/Reader.h"
#include "tilewright/bytecode/Writer.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

namespace tilewright::bytecode {

using RawBytes = std::vector<uint8_t>;

/// Has a context that records diagnostics, for tests to show.
class BytecodeTest : public testing::Test {
protected:
  BytecodeTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          diagnostics += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    context.loadDialect<tile::TileDialect>();
  }

  mlir::OwningOpRef<tile::ModuleOp> read(llvm::ArrayRef<uint8_t> bytes) {
    auto module = readModule(bytes, &context);
    EXPECT_TRUE(bool(module)) << (module ? "" : module.failure().message);
    return module ? std::move(*module) : nullptr;
  }

  /// The whole listing; empty, with a test failure, if the file is refused.
  std::string list(llvm::ArrayRef<uint8_t> bytes) {
    auto module = read(bytes);
    if (!module)
      return "";
    File file = *readFile(bytes);
    FileFacts facts = factsOf(file);
    return facts.header + "\n" + listModule(*module, file.version, facts.functions);
  }

  /// The same, without the parts that depend on the file's numbering.
  std::string listProgram(llvm::ArrayRef<uint8_t> bytes) {
    auto module = read(bytes);
    return module ? listModule(*module, readFile(bytes)->version) : "";
  }

  RawBytes write(tile::ModuleOp module, tile::Version version) {
    llvm::SmallVector<char> bytes;
    EXPECT_TRUE(succeeded(writeModule(module, version, bytes))) << diagnostics;
    return RawBytes(bytes.begin(), bytes.end());
  }

  /// The error message for a malformed file must contain all of these, beginning with the offset.
  void expectRefused(llvm::ArrayRef<uint8_t> bytes, const std::vector<const char *> &named) {
    auto module = readModule(bytes, &context);
    std::string failure = module ? "accepted" : module.failure().message;
    EXPECT_TRUE(llvm::StringRef(failure).starts_with("byte 0x")) << failure;
    for (const char *name : named)
      EXPECT_NE(failure.find(name), std::string::npos) << failure << "\ndoes not name: " << name;
    EXPECT_EQ(diagnostics, "") << "a failure is returned, not printed";
  }

  mlir::MLIRContext context;
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_TEST_SUPPORT_BYTECODE_BYTECODETEST_H
