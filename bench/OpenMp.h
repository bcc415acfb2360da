// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of OpenMP to compare with. It is compiled by g++, whatever compiles the rest.

#ifndef TILEWRIGHT_BENCH_OPENMP_H
#define TILEWRIGHT_BENCH_OPENMP_H

#include <stdint.h>

/// Calls `block` so many times, in a static loop.
extern "C" void openMpLoop(void (*block)(), int64_t blocks, int threads);

#endif // TILEWRIGHT_BENCH_OPENMP_H
