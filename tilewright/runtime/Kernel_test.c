/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel in C, which shows that Kernel.h is valid C, too. It has the form of generated code, and
 * Launch_test.cpp launches it. */

#include "tilewright/runtime/Kernel.h"

/* Adds the number of each block to an element of an array; the parameters are the array's address
 * and the element's index. */
static void addNumbers(const twLaunch *launch, int64_t first, int64_t end, void *arena) {
  int64_t *array = (int64_t *)launch->parameters[0];
  int64_t block;
  for (block = first; block < end; ++block)
    __atomic_fetch_add(&array[launch->parameters[1]], block, __ATOMIC_RELAXED);
}

const twKernel twTestKernelInC = {"add_numbers", addNumbers, 0, 2, 0};
