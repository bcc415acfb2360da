// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the table of the manual's instructions: supported forms have a test, others are rejected
// by name.

#include "tilewright/ptx/Testing.h"
#include "tilewright/ptx/instructions/Manual.h"

#include <algorithm>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

TEST(Manual, ListsAllOpcodes) {
  const std::vector<std::string_view> supported = supportedOpcodes();
  for (std::string_view opcode : supported)
    EXPECT_TRUE(std::any_of(manual().begin(), manual().end(), [&](const ManualRow &row) {
      return row.opcode == opcode && !row.forms.empty();
    })) << opcode;
  for (const ManualRow &row : manual())
    EXPECT_EQ(!row.forms.empty(),
              std::find(supported.begin(), supported.end(), row.opcode) != supported.end())
        << row.opcode;
}

TEST(Manual, RejectsUnsupportedOpcodesByName) {
  for (const ManualRow &row : manual())
    if (row.forms.empty())
      EXPECT_NE(refusalOf(std::string(row.opcode) + ".x %r1;")
                    .find("instruction '" + std::string(row.opcode) + ".x' is not supported"),
                std::string::npos)
          << row.opcode;
  for (const char *code :
       {"stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r3], {%r1};",
        "tcgen05.mma.cta_group::1.kind::f16.ashift [%r1], [%r4], %rd2, %r2, %p1;"})
    EXPECT_NE(refusalOf(code).find("not supported"), std::string::npos) << code << refusalOf(code);
}

/// The opcode and all modifiers, in any order.
static std::vector<std::string_view> wordsOf(std::string_view instruction) {
  std::vector<std::string_view> words;
  while (true) {
    size_t dot = instruction.find('.');
    words.push_back(instruction.substr(0, dot));
    if (dot == std::string_view::npos)
      break;
    instruction.remove_prefix(dot + 1);
  }
  std::sort(words.begin() + 1, words.end());
  return words;
}

static bool isForm(std::string_view form, std::string_view instruction) {
  const auto wanted = wordsOf(form), words = wordsOf(instruction);
  return wanted.front() == words.front() &&
         std::includes(words.begin() + 1, words.end(), wanted.begin() + 1, wanted.end());
}

namespace {
/// After a run of all tests, checks that each form was executed by one of them.
class Coverage : public ::testing::Environment {
  void TearDown() override {
    if (GTEST_FLAG_GET(filter) != "*")
      return;
    for (const ManualRow &row : manual())
      for (const std::string &form : formsOf(row))
        if (std::none_of(executedInstructions().begin(), executedInstructions().end(),
                         [&](const std::string &instruction) { return isForm(form, instruction); }))
          ADD_FAILURE() << "no test executes '" << form << "'";
  }
};
} // namespace

[[maybe_unused]] static const auto *coverage = ::testing::AddGlobalTestEnvironment(new Coverage);

/// Written by `TILEWRIGHT_PTX_PAGE=docs/ptx-instructions.md ptx_tests --gtest_filter=Manual.Page`.
TEST(Manual, Page) {
  EXPECT_EQ(
      formsOf({"", "mul", "{.lo,.hi}{.u16,.s16} ."}),
      (std::vector<std::string>{"mul.lo.u16", "mul.lo.s16", "mul.hi.u16", "mul.hi.s16", "mul"}));
  EXPECT_NE(manualPage().find("| `suq` |  | all of it |"), std::string::npos);
  if (const char *file = std::getenv("TILEWRIGHT_PTX_PAGE"))
    std::ofstream(file) << manualPage();
}
