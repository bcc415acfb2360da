// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/support/Shell.h"

#include <gtest/gtest.h>

using namespace tilewright::support;

TEST(Shell, QuotesWhatAShellWouldChange) {
  EXPECT_EQ(shellWord("a/b-1.mlir"), "a/b-1.mlir");
  EXPECT_EQ(shellWord("my file"), "'my file'");
  EXPECT_EQ(shellWord("it's"), R"('it'\''s')");
  EXPECT_EQ(shellWord("$HOME"), "'$HOME'");
  EXPECT_EQ(shellWord(""), "''");
  EXPECT_EQ(quotedShellWord("f32[1]"), "'f32[1]'");
}
