// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `tileiras`.

#include "tools/cuda/tileiras/Tileiras.h"

int main(int argc, char **argv) { return tilewright::cuda::runTileiras(argc, argv); }
