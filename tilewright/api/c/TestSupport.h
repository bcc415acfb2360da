/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Helpers for the tests of the C API. The tests are one C program, which uses only Tilewright.h,
 * TilewrightPtx.h and the library; TestSupport.c has its main function. */

#ifndef TILEWRIGHT_API_C_TESTSUPPORT_H
#define TILEWRIGHT_API_C_TESTSUPPORT_H

#include "tilewright/api/Tilewright.h"

#include <stdio.h>

extern int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

int contains(const char *text, const char *part);

/* Checks that these bytes are a module. The caller destroys it. */
twModule *readValid(twContext *context, const void *bytes, size_t size);

/* Compiles an entry of a module for a device. The caller destroys the kernel. */
twKernelHandle *compile(const twModule *module, const char *name, twDevice device);

/* An array of i32, whose shape lives as long as the program. */
twArray arrayOf(int32_t *data, int64_t count);

/* Creates a launch, which must succeed. The caller destroys it. */
twLaunchHandle *launchOf(const twKernelHandle *kernel, const twLaunchOptions *options,
                         const twArgument *arguments, size_t count);

/* A module of five entries. @add: block b computes x[b] += n. @race: all blocks write x[0].
 * @endless prints forever. @claim asserts that n is 1, and prints it. @list: block b adds 1 to
 * element `at` of the array whose address is in word 3b of the table. */
extern const char kernels[];

void testModules(twContext *context);
void testKernels(twContext *context);
void testLaunches(twContext *context);
void testMachines(twContext *context);
void testReports(twContext *context);
void testPtx(void);
/* The last one: its failing kernel makes the driver unusable. */
void testGpu(twContext *context);

#endif
