/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An application that ships a compiled kernel, and uses only the runtime: launches
 * examples/vector_add.mlir as a linked object, and as a loaded library, on several threads.
 *
 *   launch vector_add.so */

#include "vector_add.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 100000, tile = 1024 };

static float a[count], b[count], c[count];

static uint64_t bitsOf(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

/* The sums are exact: all numbers are integers below 2^24. */
static int sumsAreRight(void) {
  int i;
  for (i = 0; i < count; ++i)
    if (c[i] != 3.0f * (float)i)
      return 0;
  return 1;
}

static void expectSums(const char *what, int threads, int status) {
  if (status != 0 || !sumsAreRight()) {
    fprintf(stderr, "%s on %d threads: status %d, the sums are %s\n", what, threads, status,
            sumsAreRight() ? "right" : "wrong");
    exit(1);
  }
  printf("%s on %d threads: right\n", what, threads);
}

static void forgetSums(void) {
  int i;
  for (i = 0; i < count; ++i)
    c[i] = -1;
}

int main(int argc, char **argv) {
  const uint32_t grid[3] = {(count + tile - 1) / tile, 1, 1};
  const uint64_t parameters[] = {bitsOf(a), count, 1, bitsOf(b), count, 1, bitsOf(c), count, 1};
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  const twKernel *loaded = library ? (const twKernel *)dlsym(library, "vector_add_kernel") : NULL;
  int i, threads;
  if (!loaded) {
    fprintf(stderr, "launch: no kernel: %s\n", argc == 2 ? dlerror() : "expected a library");
    return 2;
  }
  for (i = 0; i < count; ++i) {
    a[i] = (float)i;
    b[i] = 2.0f * (float)i;
  }
  for (threads = 1; threads <= 8; threads *= 2) {
    forgetSums();
    expectSums("linked", threads,
               vector_add_launch(grid, a, count, 1, b, count, 1, c, count, 1, threads));
    forgetSums();
    expectSums("loaded", threads, tw_launch(loaded, grid, parameters, threads));
  }
  return 0;
}
