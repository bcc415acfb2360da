// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `tilewright`.

#include "Commands.h"

int main(int argc, char **argv) { return tilewright::tools::runCommandLine(argc, argv); }
