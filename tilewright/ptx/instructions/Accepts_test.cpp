// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions are accepted? For comparisons with ptxas (test/ptx/forms.py).

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx::testing;

/// The refusal of one instruction among these declarations; empty if it is accepted.
static std::string judge(const std::string &declarations, const std::string &instruction) {
  return Kernel(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n" +
                declarations + "\n" + instruction + "\nret;\n}\n")
      .refused;
}

/// The first line of TILEWRIGHT_PTX_LINES has declarations, each further one an instruction; of
/// each, the refusal is written to TILEWRIGHT_PTX_ANSWERS.
TEST(Accepts, Lines) {
  EXPECT_EQ(judge(".reg .b32 %r<3>;", "add.u32 %r0, %r1, %r2;"), "");
  EXPECT_NE(judge(".reg .b32 %r<3>;", "add.foo.u32 %r0, %r1, %r2;").find("modifier '.foo'"),
            std::string::npos);
  const char *lines = std::getenv("TILEWRIGHT_PTX_LINES");
  const char *answers = std::getenv("TILEWRIGHT_PTX_ANSWERS");
  if (!lines || !answers)
    return;
  std::ifstream in(lines);
  std::ofstream out(answers);
  std::string declarations, instruction;
  std::getline(in, declarations);
  while (std::getline(in, instruction))
    out << judge(declarations, instruction) << "\n";
}
