/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The host of sanitized libraries: does the same as host.py, but can itself be compiled with a
 * sanitizer. It launches kernels through their tables, which have no types.
 *
 *     sanitized LIBRARY PLAN
 *
 * The plan is text: "grid X Y Z", "threads N", and for each entry "entry NAME COUNT" and a line for each
 * of its parameters, "scalar BITS" or "array IN.npy OUT.npy", where - means no file. */

#include "tilewright/runtime/Kernel.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

typedef struct Array {
  char *file; /* a header, then the elements */
  long header, size;
  char *elements; /* on their own, so that both ends are watched */
  char result[512];
} Array;

static Array arrays[MOST];
static uint64_t slots[MOST];

static void fail(const char *what, const char *which) {
  fprintf(stderr, "%s %s\n", what, which);
  exit(2);
}

static void readArray(Array *array, const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file)
    fail("cannot open", name);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  array->file = malloc(size);
  if (fread(array->file, 1, size, file) != (size_t)size)
    fail("cannot read", name);
  fclose(file);
  const unsigned char *bytes = (const unsigned char *)array->file;
  array->header = 10 + bytes[8] + 256 * bytes[9];
  array->size = size - array->header;
  array->elements = malloc(array->size);
  memcpy(array->elements, array->file + array->header, array->size);
}

static void finishArray(Array *array) {
  if (strcmp(array->result, "-") != 0) {
    FILE *file = fopen(array->result, "wb");
    if (!file || fwrite(array->file, 1, array->header, file) != (size_t)array->header ||
        fwrite(array->elements, 1, array->size, file) != (size_t)array->size || fclose(file) != 0)
      fail("cannot write", array->result);
  }
  free(array->file);
  free(array->elements);
}

int main(int argc, char **argv) {
  if (argc != 3)
    fail("usage:", "sanitized LIBRARY PLAN");
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    fail("cannot load", dlerror());
  FILE *plan = fopen(argv[2], "r");
  uint32_t grid[3];
  int threads, count, status = 0;
  char name[512], kernelName[520];
  if (!plan ||
      fscanf(plan, " grid %u %u %u threads %d", &grid[0], &grid[1], &grid[2], &threads) != 4)
    fail("no plan in", argv[2]);
  while (fscanf(plan, " entry %511s %d", name, &count) == 2 && count <= MOST) {
    int used = 0;
    for (int i = 0; i < count; ++i) {
      char kind[16], what[512];
      if (fscanf(plan, " %15s %511s", kind, what) != 2)
        fail("too few parameters of", name);
      if (strcmp(kind, "scalar") == 0) {
        slots[i] = strtoull(what, NULL, 0);
        continue;
      }
      if (fscanf(plan, " %511s", arrays[used].result) != 1)
        fail("no result of", what);
      readArray(&arrays[used], what);
      slots[i] = (uint64_t)(uintptr_t)arrays[used++].elements;
    }
    snprintf(kernelName, sizeof kernelName, "%s_kernel", name);
    const twKernel *kernel = dlsym(library, kernelName);
    if (!kernel)
      fail("no kernel", name);
    if (tw_launch(kernel, grid, slots, threads) != 0)
      status = 1;
    while (used > 0)
      finishArray(&arrays[--used]);
  }
  fclose(plan);
  return status;
}
