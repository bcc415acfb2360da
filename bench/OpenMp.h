// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OpenMP loop to compare with. It is always compiled by g++.

#ifndef TILEWRIGHT_BENCH_OPENMP_H
#define TILEWRIGHT_BENCH_OPENMP_H

#include <stdint.h>

/// Calls `block` `blocks` times, in a static loop.
extern "C" void openMpLoop(void (*block)(), int64_t blocks, int threads);

#endif // TILEWRIGHT_BENCH_OPENMP_H
