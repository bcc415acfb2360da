/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches an entry of a library that `tilewright compile` has created. Compiled for the target
 * machine:
 *
 *     launcher LIBRARY TABLE X,Y,Z THREADS SLOT...
 *
 * TABLE is the symbol of the entry's twKernel. Each SLOT is a parameter: 0x and its bits, or a file
 * with the bytes of an array, which is written back. The exit status is that of tw_launch. */

#include "tilewright/runtime/Kernel.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mostSlots = 64 };

static void *mustHave(void *thing, const char *what) {
  if (!thing) {
    fprintf(stderr, "launcher: %s\n", what);
    exit(3);
  }
  return thing;
}

/* The bytes of a file, at a multiple of 64; its size becomes `size`. */
static void *readFile(const char *name, long *size) {
  FILE *file = mustHave(fopen(name, "rb"), name);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  void *bytes = mustHave(aligned_alloc(64, (size_t)(*size + 64) / 64 * 64), "no memory");
  mustHave(fread(bytes, 1, (size_t)*size, file) == (size_t)*size ? bytes : NULL, name);
  fclose(file);
  return bytes;
}

static void writeFile(const char *name, const void *bytes, long size) {
  FILE *file = mustHave(fopen(name, "wb"), name);
  mustHave(fwrite(bytes, 1, (size_t)size, file) == (size_t)size ? file : NULL, name);
  fclose(file);
}

int main(int count, char **words) {
  int slots = count - 5;
  mustHave(slots >= 0 && slots <= mostSlots ? words : NULL, "wrong usage");
  void *library = mustHave(dlopen(words[1], RTLD_NOW), words[1]);
  const twKernel *kernel = mustHave(dlsym(library, words[2]), words[2]);
  uint32_t grid[3] = {1, 1, 1};
  sscanf(words[3], "%u,%u,%u", &grid[0], &grid[1], &grid[2]);

  uint64_t parameters[mostSlots];
  long sizes[mostSlots];
  for (int i = 0; i < slots; ++i) {
    const char *slot = words[5 + i];
    sizes[i] = -1;
    parameters[i] = strncmp(slot, "0x", 2) == 0 ? strtoull(slot, NULL, 16)
                                                : (uintptr_t)readFile(slot, &sizes[i]);
  }
  int status = tw_launch(kernel, grid, parameters, atoi(words[4]));
  for (int i = 0; i < slots; ++i)
    if (sizes[i] >= 0)
      writeFile(words[5 + i], (const void *)(uintptr_t)parameters[i], sizes[i]);
  return status;
}
