// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Program.h.

#include "tilewright/ptx/code/Program.h"

using namespace tilewright::ptx;

const Code &Program::code() const { return codes[size_t(entry - module->functions.data())]; }
