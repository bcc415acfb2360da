/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests launches: results, output, findings, rejected calls and cancelling. */

#include "tilewright/api/c/TestSupport.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { blocks = 64 };

static void launchesOnAllDevices(twContext *context) {
  for (int device = TW_CPU; device <= TW_PTX; ++device) {
    twModule *module = readValid(context, kernels, strlen(kernels));
    twKernelHandle *kernel = compile(module, "add", (twDevice)device);
    twModuleDestroy(module); /* the kernel keeps the module alive */
    int32_t x[blocks] = {0};
    twArray array = arrayOf(x, blocks);
    twArgument arguments[] = {twArrayArgument(&array), twI32Argument(-7)};
    twLaunchOptions options = {.size = sizeof options, .grid = {blocks}, .threads = 8};
    twLaunchHandle *launch = launchOf(kernel, &options, arguments, 2);
    twKernelDestroy(kernel);
    twDiagnostics *diagnostics;
    CHECK(twLaunchRun(launch, &diagnostics) == TW_SUCCESS);
    CHECK(!diagnostics && twLaunchFindingCount(launch) == 0);
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    CHECK(twLaunchBlocksDone(launch) == (device == TW_REFERENCE ? blocks : -1));
    CHECK(twLaunchBlocksDone(NULL) == -1);
    for (int i = 0; i < blocks; ++i)
      CHECK(x[i] == -14);
    twLaunchDestroy(launch);
  }
}

static void countsOnThePtxMachine(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twCompileOptions options = {
      .size = sizeof options, .device = TW_PTX, .target = "sm_80", .isReverse = 1, .counters = 1};
  twKernelHandle *kernel = NULL;
  CHECK(twKernelCompile(twModuleFindEntry(module, "add"), &options, &kernel, NULL) == TW_SUCCESS);
  int32_t x[4] = {0};
  twArray array = arrayOf(x, 4);
  twArgument arguments[] = {twArrayArgument(&array), twI32Argument(5)};
  twLaunchOptions launchOptions = {.size = sizeof launchOptions, .grid = {4}};
  twLaunchHandle *launch = launchOf(kernel, &launchOptions, arguments, 2);
  CHECK(!twLaunchCounters(launch) && !twLaunchCounters(NULL));
  CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
  CHECK(x[0] == 5 && x[3] == 5);
  CHECK(contains(twLaunchCounters(launch), "\"source_lines\""));
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  options.isRandom = 1;
  twDiagnostics *why;
  CHECK(twKernelCompile(twModuleFindEntry(module, "add"), &options, &kernel, &why) == TW_USAGE);
  CHECK(
      contains(twDiagnosticsText(why), "isRandom, isReverse, isExhaustive and schedule exclude each other"));
  twDiagnosticsDestroy(why);
  twModuleDestroy(module);
}

static void reportsARace(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "race", TW_REFERENCE);
  int32_t x[4] = {0};
  twArray array = arrayOf(x, 4);
  char name[] = "array x";
  array.name = name;
  twArgument argument = twArrayArgument(&array);
  twLaunchOptions options = {.size = sizeof options, .grid = {2}};
  twLaunchHandle *launch = launchOf(kernel, &options, &argument, 1);
  name[6] = '?'; /* it was copied */
  twDiagnostics *diagnostics;
  CHECK(twLaunchRun(launch, &diagnostics) == TW_MISBEHAVED);
  CHECK(contains(twDiagnosticsText(diagnostics), "k:11:10: error: block (1, 0, 0): "));
  twDiagnosticsDestroy(diagnostics);
  CHECK(twLaunchFindingCount(launch) == 1 && twLaunchUnlistedFindings(launch) == 0);
  twFinding finding = {.size = sizeof finding};
  CHECK(twLaunchFinding(launch, 0, &finding) == TW_SUCCESS);
  CHECK(finding.kind == TW_MISBEHAVIOUR && finding.severity == TW_ERROR);
  CHECK(strcmp(finding.rule, "race") == 0);
  CHECK(strcmp(finding.place.file, "k") == 0 && finding.place.line == 11);
  CHECK(finding.block[0] == 1 && finding.block[1] == 0 && finding.block[2] == 0);
  CHECK(strcmp(finding.array, "array x (4xi32)") == 0 && finding.arrayElement == 0);
  CHECK(strcmp(finding.kernel, "race") == 0 && *finding.help);
  CHECK(twLaunchFinding(launch, 1, &finding) == TW_USAGE);
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

/* Collects text that is not null-terminated. */
typedef struct Text {
  char bytes[64];
  size_t length;
} Text;

static void collect(void *context, const char *text, size_t length) {
  Text *all = context;
  if (all->length + length < sizeof all->bytes)
    memcpy(all->bytes + all->length, text, length);
  all->length += length;
}

static void printsAndAsserts(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "claim", TW_CPU);
  Text text = {{0}, 0};
  twLaunchOptions options = {.size = sizeof options, .print = collect, .printContext = &text};
  twArgument one = twI32Argument(1), two = twI32Argument(2);
  twLaunchHandle *launch = launchOf(kernel, &options, &one, 1);
  CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
  CHECK(strcmp(text.bytes, "n = 1\n") == 0);
  twLaunchDestroy(launch);

  launch = launchOf(kernel, &options, &two, 1);
  CHECK(twLaunchRun(launch, NULL) == TW_FAILED);
  twFinding finding = {.size = sizeof finding};
  CHECK(twLaunchFinding(launch, 0, &finding) == TW_SUCCESS);
  CHECK(finding.kind == TW_FAILED_ASSERT && finding.place.line == 22);
  CHECK(contains(finding.text, "assertion failed: n is one"));
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

static void cancelWhenItPrints(void *context, const char *text, size_t length) {
  (void)text, (void)length;
  twLaunchCancel(*(twLaunchHandle **)context);
}

static void cancelsALaunch(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "endless", TW_REFERENCE);
  twLaunchHandle *launch;
  twLaunchOptions options = {
      .size = sizeof options, .print = cancelWhenItPrints, .printContext = &launch};
  launch = launchOf(kernel, &options, NULL, 0);
  twDiagnostics *diagnostics;
  CHECK(twLaunchRun(launch, &diagnostics) == TW_CANCELLED);
  CHECK(contains(twDiagnosticsText(diagnostics), "cancelled"));
  CHECK(twLaunchFindingCount(launch) == 0);
  twDiagnosticsDestroy(diagnostics);
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

static void refusesWrongArguments(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "add", TW_CPU);
  int32_t x[4] = {0};
  const int64_t negative[] = {-1}, four[] = {4};
  const twArray valid = arrayOf(x, 4), sizeless = {0};
  twArray null = valid, floats = valid, shapeless = valid, endless = valid, backwards = valid;
  null.data = NULL;
  floats.element = TW_F32;
  shapeless.shape = NULL;
  endless.shape = negative;
  backwards.shape = four;
  backwards.strides = negative;
  const struct {
    twArgument first;
    twArgument second;
    size_t count;
    int64_t blocks;
    const char *why;
  } cases[] = {
      {twArrayArgument(&valid), twI32Argument(1), 1, 1, "expected 2 arguments, but got 1"},
      {twArrayArgument(&null), twI32Argument(1), 2, 1, "the 4xi32 array is null"},
      {twArrayArgument(&sizeless), twI32Argument(1), 2, 1, "the size of the array is not set"},
      {twArrayArgument(&floats), twI32Argument(1), 2, 1, "but got an array of f32"},
      {twArrayArgument(&shapeless), twI32Argument(1), 2, 1, "the shape of the array is null"},
      {twArrayArgument(&endless), twI32Argument(1), 2, 1, "argument 1: "},
      {twArrayArgument(&backwards), twI32Argument(1), 2, 1, "must not be negative"},
      {twI32Argument(1), twI32Argument(1), 2, 1, "expected an array of i32"},
      {twArrayArgument(&valid), twF32Argument(1), 2, 1, "expected a scalar i32"},
      {twArrayArgument(&valid), {NULL, (twElementType)99, 0}, 2, 1, "no element type 99"},
      {twArrayArgument(&valid), twI32Argument(1), 2, -1, "-1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const twArgument arguments[] = {cases[i].first, cases[i].second};
    twLaunchOptions options = {.size = sizeof options, .grid = {cases[i].blocks}};
    twLaunchHandle *launch;
    twDiagnostics *why;
    CHECK(twLaunchCreate(kernel, &options, arguments, cases[i].count, &launch, &why) == TW_USAGE);
    CHECK(!launch);
    if (!contains(twDiagnosticsText(why), cases[i].why)) {
      fprintf(stderr, "%s: expected '%s'\n", twDiagnosticsText(why), cases[i].why);
      ++failures;
    }
    twDiagnosticsDestroy(why);
  }
  twLaunchHandle *launch;
  CHECK(twLaunchCreate(NULL, NULL, NULL, 0, &launch, NULL) == TW_USAGE);
  CHECK(twLaunchCreate(kernel, NULL, NULL, 2, &launch, NULL) == TW_USAGE);
  CHECK(twLaunchRun(NULL, NULL) == TW_USAGE);
  twLaunchCancel(NULL);
  twLaunchDestroy(NULL);
  twKernelDestroy(NULL);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

/* Adds 1 to the second element of two arrays whose addresses are in a table. */
static void followsLinks(twContext *context) {
  for (int device = TW_CPU; device <= TW_REFERENCE; ++device) {
    twModule *module = readValid(context, kernels, strlen(kernels));
    twKernelHandle *kernel = compile(module, "list", (twDevice)device);
    int32_t a[] = {1, 2, 3}, b[] = {10, 20};
    const twArray targets[] = {arrayOf(a, 3), arrayOf(b, 2)};
    int64_t words[] = {(intptr_t)a, 3, 1, (intptr_t)b, 2, 1};
    const int64_t shape[] = {2, 3};
    const twLink links[] = {{0, &targets[0]}, {3, &targets[1]}};
    twArray table = {.size = sizeof table,
                     .data = words,
                     .element = TW_I64,
                     .rank = 2,
                     .shape = shape,
                     .links = links,
                     .linkCount = 2};
    twArgument arguments[] = {twArrayArgument(&table), twI32Argument(1)};
    twLaunchOptions options = {.size = sizeof options, .grid = {2}};
    twLaunchHandle *launch = launchOf(kernel, &options, arguments, 2);
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    CHECK(a[0] == 1 && a[1] == 3 && a[2] == 3 && b[0] == 10 && b[1] == 21);
    CHECK(words[0] == (intptr_t)a && words[3] == (intptr_t)b);
    twLaunchDestroy(launch);

    /* A caller that was compiled without links sets a smaller size. */
    table.size = offsetof(twArray, links);
    launch = launchOf(kernel, &options, arguments, 2);
    CHECK(twLaunchRun(launch, NULL) == (device == TW_CPU ? TW_SUCCESS : TW_MISBEHAVED));
    twLaunchDestroy(launch);
    table.size = sizeof table;

    const twLink wrong = {1, &targets[0]}, none = {0, NULL}, endless = {0, &table};
    words[0] = (intptr_t)words;
    const struct {
      const twLink *link;
      const char *why;
    } cases[] = {{&wrong, "link 1: element 1 of the 2x3xi64 array is not the address of the 3xi32"},
                 {&none, "link 1: the array is null"},
                 {&endless, "links lead to links more than 8 times"},
                 {NULL, "the links of the array are null"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
      table.links = cases[i].link;
      table.linkCount = 1;
      twDiagnostics *why;
      CHECK(twLaunchCreate(kernel, &options, arguments, 2, &launch, &why) == TW_USAGE);
      CHECK(contains(twDiagnosticsText(why), cases[i].why));
      twDiagnosticsDestroy(why);
    }
    twKernelDestroy(kernel);
    twModuleDestroy(module);
  }
}

static void takesAnAddressForCompiledCode(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *compiled = compile(module, "add", TW_CPU);
  twKernelHandle *checked = compile(module, "add", TW_REFERENCE);
  int32_t x = 5;
  const twArgument arguments[] = {twAddressArgument(&x), twI32Argument(2)};
  twLaunchHandle *launch = launchOf(compiled, NULL, arguments, 2);
  CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
  CHECK(x == 7);
  twLaunchDestroy(launch);
  twDiagnostics *why;
  CHECK(twLaunchCreate(checked, NULL, arguments, 2, &launch, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "parameter 1 of type "));
  CHECK(contains(twDiagnosticsText(why), "but got an address"));
  twDiagnosticsDestroy(why);
  twKernelDestroy(checked);
  twKernelDestroy(compiled);
  twModuleDestroy(module);
}

/* sum = the sum of all copies of x, which is also stored to all copies. */
static const char folding[] =
    "cuda_tile.module @m {\n"
    "  entry @fold(%x: tile<ptr<i32, multicast>>, %sum: tile<ptr<i32>>) {\n"
    "    %0 = constant <i32: 0> : tile<i32>\n"
    "    %tensor = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, "
    "strides=[1], multicast>\n"
    "    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<4xi32, "
    "strides=[1], multicast>>\n"
    "    %r, %t = multimem_load_reduce_view_tko weak %view[%0], add : partition_view<tile=(4), "
    "tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> tile<4xi32>, token\n"
    "    %ts = make_tensor_view %sum, shape = [4], strides = [1] : tensor_view<4xi32, "
    "strides=[1]>\n"
    "    %vs = make_partition_view %ts : partition_view<tile=(4), tensor_view<4xi32, "
    "strides=[1]>>\n"
    "    %t1 = store_view_tko weak %r, %vs[%0] : tile<4xi32>, partition_view<tile=(4), "
    "tensor_view<4xi32, strides=[1]>>, tile<i32> -> token\n"
    "    %t2 = multimem_store_view_tko weak %r, %view[%0] token = %t : tile<4xi32>, "
    "partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> token\n"
    "  }\n"
    "}\n";

static void combinesMulticastMemory(twContext *context) {
  twModule *module = readValid(context, folding, strlen(folding));
  const twDevice devices[] = {TW_CPU, TW_REFERENCE};
  for (int device = 0; device < 2; ++device) {
    twKernelHandle *kernel = compile(module, "fold", devices[device]);
    int32_t a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40}, sums[4] = {0};
    const twArray copies[] = {arrayOf(a, 4), arrayOf(b, 4)}, sum = arrayOf(sums, 4);
    const twArgument arguments[] = {twMulticastArgument(copies, 2), twArrayArgument(&sum)};
    twLaunchHandle *launch = launchOf(kernel, NULL, arguments, 2);
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    CHECK(sums[0] == 11 && sums[3] == 44 && a[3] == 44 && b[0] == 11);
    twLaunchDestroy(launch);
    const twArgument none[] = {twMulticastArgument(NULL, 0), twArrayArgument(&sum)};
    twDiagnostics *why;
    CHECK(twLaunchCreate(kernel, NULL, none, 2, &launch, &why) == TW_USAGE);
    CHECK(contains(twDiagnosticsText(why), "stands for at least one array, but there is none"));
    twDiagnosticsDestroy(why);
    twKernelDestroy(kernel);
  }
  twModuleDestroy(module);
}

void testLaunches(twContext *context) {
  launchesOnAllDevices(context);
  countsOnThePtxMachine(context);
  reportsARace(context);
  printsAndAsserts(context);
  cancelsALaunch(context);
  refusesWrongArguments(context);
  followsLinks(context);
  takesAnAddressForCompiledCode(context);
  combinesMulticastMemory(context);
}
