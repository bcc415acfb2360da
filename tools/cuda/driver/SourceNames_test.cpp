// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that the parameter names of a function are found in its source.

#include "tools/cuda/driver/SourceNames.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright::cuda;
using Names = std::vector<std::string>;

TEST(SourceNames, ReadsParameterNames) {
  EXPECT_EQ(parameterNames("def k(x, y):\n  f(z)", "k"), (Names{"x", "y"}));
  EXPECT_EQ(parameterNames("    def  k \\\n (x,y,):", "k"), (Names{"x", "y"}));
  EXPECT_EQ(parameterNames("def k():", "k"), Names());
  EXPECT_EQ(parameterNames("def k(größe_2):", "k"), (Names{"größe_2"}));
}

TEST(SourceNames, IgnoresAnnotationsDefaultsAndComments) {
  EXPECT_EQ(parameterNames(R"(def k(
    x,  # the input, (not: z
    # y,
    y: Annotated[ct.Array, f(a, b)],
    n: "tuple[int, int]" = (1, 2),
    *, s: ')\'' = """a, (
"""
) -> None:)",
                           "k"),
            (Names{"x", "y", "n", "s"}));
  EXPECT_EQ(parameterNames("def k(x, /, y, *rest, **more):", "k"),
            (Names{"x", "y", "rest", "more"}));
}

TEST(SourceNames, EmptyIfSourceDiffers) {
  for (const char *text : {"", "k(x)", "def j(x):", "def k", "def k(x", "def k(x]",
                           "@ct.kernel\ndef k(x):", "def k(x='a)", "class k(x):"})
    EXPECT_EQ(parameterNames(text, "k"), Names()) << text;
}

TEST(SourceNames, ReadsDefinitionAtLine) {
  const std::string file = testing::TempDir() + "source_names.py";
  std::ofstream(file) << "import x\n@x.kernel\ndef k(a,\n      b):\n  pass\n";
  EXPECT_EQ(parameterNamesIn(file, 3, "k"), (Names{"a", "b"}));
  EXPECT_EQ(parameterNamesIn(file, 2, "k"), Names());
  EXPECT_EQ(parameterNamesIn(file, 30, "k"), Names());
  EXPECT_EQ(parameterNamesIn(file + ".none", 3, "k"), Names());
  std::remove(file.c_str());
}

TEST(SourceNames, NamesTupleItemsAndNumbersUnnamedArguments) {
  const Names names = {"x", "pair"};
  EXPECT_EQ(nameOf(std::vector<size_t>{0}, names), "x");
  EXPECT_EQ(nameOf(std::vector<size_t>{1, 0, 2}, names), "pair[0][2]");
  EXPECT_EQ(nameOf(std::vector<size_t>{2}, {}), "argument 3");
}
