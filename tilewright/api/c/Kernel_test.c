/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests entries and their parameters, and compiling them to kernels. */

#include "tilewright/api/c/TestSupport.h"

#include <stddef.h>
#include <string.h>

static void knowsEntriesAndParameters(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  CHECK(twModuleEntryCount(module) == 5);
  CHECK(!twModuleEntry(module, 5));
  const twEntry *entry = twModuleEntry(module, 0);
  CHECK(entry == twModuleFindEntry(module, "@add"));
  CHECK(!twModuleFindEntry(module, "subtract"));
  CHECK(strcmp(twEntryName(entry), "add") == 0);
  CHECK(twEntryParameterCount(entry) == 2);
  twParameter parameter = {.size = sizeof parameter};
  CHECK(twEntryParameter(entry, 0, &parameter) == TW_SUCCESS);
  CHECK(parameter.isPointer && parameter.element == TW_I32 && parameter.isWritten);
  CHECK(contains(parameter.type, "ptr<i32>"));
  CHECK(twEntryParameter(entry, 1, &parameter) == TW_SUCCESS);
  CHECK(!parameter.isPointer && parameter.element == TW_I32);
  CHECK(twEntryParameter(entry, 2, &parameter) == TW_USAGE);
  twPlace place;
  CHECK(twEntryPlace(entry, &place) == TW_SUCCESS);
  CHECK(strcmp(place.file, "k") == 0 && place.line == 2 && place.byte == -1);
  CHECK(twEntryPlace(NULL, &place) == TW_USAGE && twEntryPlace(entry, NULL) == TW_USAGE);

  /* For a caller that was compiled with a shorter struct, only its members are filled in. */
  struct {
    size_t size;
    int isPointer;
    int guard;
  } shorter = {offsetof(twParameter, element), 7, 42};
  CHECK(twEntryParameter(entry, 0, (twParameter *)(void *)&shorter) == TW_SUCCESS);
  CHECK(shorter.isPointer == 1 && shorter.guard == 42);
  twModuleDestroy(module);
}

static void refusesWrongOptions(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  const twEntry *entry = twModuleFindEntry(module, "add");
  const struct {
    twCompileOptions options;
    const char *why;
  } cases[] = {
      {{.size = 0}, "the size of the options is not set"},
      {{.size = sizeof(twCompileOptions), .device = (twDevice)7}, "there is no device 7"},
      {{.size = sizeof(twCompileOptions), .target = "abacus"}, "abacus"},
      {{.size = sizeof(twCompileOptions), .optimization = (twOptimization)9}, "optimization"},
      {{.size = sizeof(twCompileOptions), .device = TW_REFERENCE, .checks = "luck"}, "luck"},
      {{.size = sizeof(twCompileOptions), .device = TW_REFERENCE, .maxSteps = -1}, "step limit"},
      {{.size = sizeof(twCompileOptions), .device = TW_PTX, .exactMma = 1},
       "only the reference machine sums matrix products exactly"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    twKernelHandle *kernel;
    twDiagnostics *why;
    CHECK(twKernelCompile(entry, &cases[i].options, &kernel, &why) == TW_USAGE);
    CHECK(!kernel && contains(twDiagnosticsText(why), cases[i].why));
    twDiagnosticsDestroy(why);
  }
  twKernelHandle *kernel;
  CHECK(twKernelCompile(NULL, NULL, &kernel, NULL) == TW_USAGE);
  CHECK(twKernelCompile(entry, NULL, NULL, NULL) == TW_USAGE);
  twModuleDestroy(module);
}

void testKernels(twContext *context) {
  knowsEntriesAndParameters(context);
  refusesWrongOptions(context);
}
