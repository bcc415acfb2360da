// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenMp.h"

void openMpLoop(void (*block)(), int64_t blocks, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < blocks; ++i)
    block();
}
