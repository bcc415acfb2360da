/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What do the tests of the C API share? They are one C program, which sees only Tilewright.h and
 * the library; TestSupport.c has its main. */

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

/* The same for an entry of a module. */
twKernelHandle *compile(const twModule *module, const char *name, twDevice device);

/* A module of five entries. Block b of @add: x[b] += n. All blocks of @race write x[0]. @endless
 * prints for ever. @claim asserts that n is 1, and prints it. Block b of @list adds 1 to element
 * `at` of the array to which the word 3b of the table leads. */
extern const char kernels[];

void testModules(twContext *context);
void testKernels(twContext *context);
void testLaunches(twContext *context);
void testReports(twContext *context);
void testPtx(void);

#endif
