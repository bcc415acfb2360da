/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests what the machines that check a kernel can do: explore all executions, trace a launch,
 * check dependent launches, and describe a kernel. */

#include "tilewright/api/c/TestSupport.h"

#include <stdio.h>
#include <string.h>

/* Each block adds 1 to x[0] three times, one after the other. */
static const char increments[] =
    "cuda_tile.module @m {\n"
    "  entry @add3(%x: tile<ptr<i32>>) {\n"
    "    %one = constant <i32: 1> : tile<i32>\n"
    "    %o0, %t0 = atomic_rmw_tko relaxed device %x, add, %one : tile<ptr<i32>>, tile<i32> -> "
    "tile<i32>, token\n"
    "    %o1, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, "
    "tile<i32> -> tile<i32>, token\n"
    "    %o2, %t2 = atomic_rmw_tko relaxed device %x, add, %one token=%t1 : tile<ptr<i32>>, "
    "tile<i32> -> tile<i32>, token\n"
    "  }\n"
    "}\n";

/* The executions are the orders of 6 atomics that keep the order of each block's 3: 6! / (3! 3!).
 */
static void exploresAllExecutions(twContext *context) {
  twModule *module = readValid(context, increments, strlen(increments));
  twCompileOptions options = {.size = sizeof options, .device = TW_REFERENCE, .isExhaustive = 1};
  twKernelHandle *kernel = NULL;
  CHECK(twKernelCompile(twModuleFindEntry(module, "add3"), &options, &kernel, NULL) == TW_SUCCESS);
  int32_t x[] = {-7};
  const twArray array = arrayOf(x, 1);
  const twArgument argument = twArrayArgument(&array);
  twLaunchOptions launchOptions = {.size = sizeof launchOptions, .grid = {2}};
  twLaunchHandle *launch = launchOf(kernel, &launchOptions, &argument, 1);
  CHECK(twLaunchExecutionCount(launch) == 0 && twLaunchExecutionCount(NULL) == 0);
  twDiagnostics *diagnostics;
  CHECK(twLaunchRun(launch, &diagnostics) == TW_SUCCESS);
  CHECK(!diagnostics && !twLaunchExplorationLimit(launch) && !twLaunchExplorationLimit(NULL));
  CHECK(twLaunchExecutionCount(launch) == 20 && twLaunchOutcomeCount(launch) == 1);
  CHECK(twLaunchOutcomeSize(launch, 0) == 1 && twLaunchOutcomeSize(launch, 1) == 0);
  twChangedElement element = {.size = sizeof element};
  CHECK(twLaunchOutcomeElement(launch, 0, 0, &element) == TW_SUCCESS);
  CHECK(strcmp(element.array, "parameter 1 (1xi32)") == 0 && element.element == 0);
  CHECK(element.type == TW_I32 && !element.isUndefined && element.bits == UINT32_MAX);
  CHECK(strcmp(element.value, "-1") == 0);
  CHECK(x[0] == -7);
  CHECK(twLaunchOutcomeElement(launch, 0, 1, &element) == TW_USAGE);
  CHECK(twLaunchOutcomeElement(launch, 1, 0, &element) == TW_USAGE);
  CHECK(twLaunchOutcomeElement(launch, 0, 0, NULL) == TW_USAGE);
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);

  options.device = TW_PTX;
  twDiagnostics *why;
  CHECK(twKernelCompile(twModuleFindEntry(module, "add3"), &options, &kernel, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "only the reference machine has an exhaustive schedule"));
  twDiagnosticsDestroy(why);
  twModuleDestroy(module);
}

/* The number of records, and the last one. */
typedef struct Trace {
  int count;
  int64_t line, block, thread;
  char operation[32];
} Trace;

static void remember(void *context, const twTraceRecord *record) {
  Trace *trace = context;
  CHECK(record->size == sizeof *record && contains(record->text, record->operation));
  if (contains(record->text, "not executed")) /* its guard is false for this thread */
    return;
  ++trace->count;
  trace->line = record->place.line;
  trace->block = record->block[0];
  trace->thread = record->thread;
  snprintf(trace->operation, sizeof trace->operation, "%s", record->operation);
}

/* Block 1 stores one element, at line 7. */
static void tracesOnBothMachines(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  for (int device = TW_REFERENCE; device <= TW_PTX; ++device) {
    twKernelHandle *kernel = compile(module, "add", (twDevice)device);
    int32_t x[2] = {0};
    const twArray array = arrayOf(x, 2);
    const twArgument arguments[] = {twArrayArgument(&array), twI32Argument(5)};
    const int64_t blocks[][3] = {{1, 0, 0}};
    const char *operations[] = {device == TW_PTX ? "st" : "store_ptr_tko"};
    Trace trace = {0};
    twLaunchOptions options = {.size = sizeof options,
                               .grid = {2},
                               .trace = remember,
                               .traceContext = &trace,
                               .traceBlocks = blocks,
                               .traceBlockCount = 1,
                               .traceOperations = operations,
                               .traceOperationCount = 1};
    twLaunchHandle *launch = launchOf(kernel, &options, arguments, 2);
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    CHECK(trace.count == 1 && trace.block == 1);
    CHECK(device == TW_PTX ? trace.thread >= 0 : trace.thread == -1 && trace.line == 7);
    CHECK(contains(trace.operation, device == TW_PTX ? "st.global" : "store_ptr_tko"));
    twLaunchDestroy(launch);

    options.trace = NULL;
    twDiagnostics *why;
    CHECK(twLaunchCreate(kernel, &options, arguments, 2, &launch, &why) == TW_USAGE);
    CHECK(contains(twDiagnosticsText(why), "to trace need a function that receives the trace"));
    twDiagnosticsDestroy(why);
    options.trace = remember;

    operations[0] = NULL;
    CHECK(twLaunchCreate(kernel, &options, arguments, 2, &launch, &why) == TW_USAGE);
    CHECK(contains(twDiagnosticsText(why), "an operation to trace is null"));
    twDiagnosticsDestroy(why);
    twKernelDestroy(kernel);
  }
  twModuleDestroy(module);
}

/* @produce: x[0] = 7. @consume: y[0] = x[0] after a wait. @hasty: the same without a wait. */
static const char pairs[] =
    "cuda_tile.module @m {\n"
    "  entry @produce(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {\n"
    "    %seven = constant <i32: 7> : tile<i32>\n"
    "    %t = store_ptr_tko weak %x, %seven : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "  entry @consume(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {\n"
    "    %done = gdc_wait_tko -> token\n"
    "    %v, %t = load_ptr_tko weak %x token=%done : tile<ptr<i32>> -> tile<i32>, token\n"
    "    %u = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "  entry @hasty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {\n"
    "    %v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token\n"
    "    %u = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "}\n";

static void launchesADependentKernel(twContext *context) {
  twModule *module = readValid(context, pairs, strlen(pairs));
  for (int device = TW_CPU; device <= TW_REFERENCE; ++device) {
    twKernelHandle *produce = compile(module, "produce", (twDevice)device),
                   *consume = compile(module, "consume", (twDevice)device),
                   *hasty = compile(module, "hasty", (twDevice)device);
    int32_t x[] = {0}, y[] = {0};
    const twArray arrays[] = {arrayOf(x, 1), arrayOf(y, 1)};
    const twArgument arguments[] = {twArrayArgument(&arrays[0]), twArrayArgument(&arrays[1])};
    twLaunchOptions options = {.size = sizeof options, .dependent = consume};
    twLaunchHandle *launch = launchOf(produce, &options, arguments, 2);
    twKernelDestroy(consume); /* the launch keeps it alive */
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    CHECK(x[0] == 7 && y[0] == 7);
    twLaunchDestroy(launch);

    options.dependent = hasty;
    launch = launchOf(produce, &options, arguments, 2);
    CHECK(twLaunchRun(launch, NULL) == (device == TW_CPU ? TW_SUCCESS : TW_MISBEHAVED));
    twLaunchDestroy(launch);
    twKernelDestroy(hasty);
    twKernelDestroy(produce);
  }
  twKernelHandle *produce = compile(module, "produce", TW_PTX);
  int32_t x[] = {0};
  const twArray array = arrayOf(x, 1);
  const twArgument arguments[] = {twArrayArgument(&array), twArrayArgument(&array)};
  twLaunchOptions options = {.size = sizeof options, .dependent = produce};
  twLaunchHandle *launch;
  twDiagnostics *why;
  CHECK(twLaunchCreate(produce, &options, arguments, 2, &launch, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "only a CPU and the reference machine"));
  twDiagnosticsDestroy(why);
  twKernelDestroy(produce);
  twModuleDestroy(module);
}

/* Both blocks write x[0]. */
static void exploresAKernel(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  const twEntry *entry = twModuleFindEntry(module, "race");
  int32_t x[] = {7};
  const twArray array = arrayOf(x, 1);
  const twArgument arguments[] = {twArrayArgument(&array)};
  /* It replaces the text of the program, which has this name. */
  const twSourceText source = {"k", "the source"};
  twExploreOptions options = {
      .size = sizeof options, .grid = {2}, .target = "sm_80", .sources = &source, .sourceCount = 1};
  twExplored *explored;
  CHECK(twEntryExplore(entry, &options, arguments, 1, &explored, NULL) == TW_SUCCESS);
  CHECK(twExploredOutcome(explored) == TW_MISBEHAVED);
  CHECK(contains(twExploredJson(explored), "\"target\": \"sm_80\""));
  CHECK(contains(twExploredPage(explored), "<!doctype html>"));
  CHECK(contains(twExploredPage(explored), "\"target\": \"sm_80\""));
  CHECK(contains(twExploredJson(explored), "\"text\":\"the source\""));
  CHECK(x[0] == 7);
  twExploredDestroy(explored);

  twDiagnostics *why;
  options.sources = NULL;
  CHECK(twEntryExplore(entry, &options, arguments, 1, &explored, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "twEntryExplore: the sources are null"));
  twDiagnosticsDestroy(why);
  CHECK(twEntryExplore(entry, NULL, NULL, 0, &explored, &why) == TW_USAGE);
  CHECK(!explored && contains(twDiagnosticsText(why), "twEntryExplore: "));
  twDiagnosticsDestroy(why);
  CHECK(twEntryExplore(NULL, NULL, NULL, 0, &explored, NULL) == TW_USAGE);
  CHECK(twEntryExplore(entry, NULL, arguments, 1, NULL, NULL) == TW_USAGE);
  CHECK(twExploredOutcome(NULL) == TW_USAGE && !twExploredJson(NULL) && !twExploredPage(NULL));
  twExploredDestroy(NULL);
  twModuleDestroy(module);
}

static void comparesTwoKernels(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  int32_t x[] = {7};
  const twArray array = arrayOf(x, 1);
  const twArgument arguments[] = {twArrayArgument(&array)};
  const twEntry *race = twModuleFindEntry(module, "race");
  twExploreOptions options = {.size = sizeof options, .compare = race};
  twExplored *explored;
  CHECK(twEntryExplore(race, &options, arguments, 1, &explored, NULL) == TW_SUCCESS);
  CHECK(contains(twExploredJson(explored), "\"compare\": {"));
  twExploredDestroy(explored);

  twDiagnostics *why;
  options.compare = twModuleFindEntry(module, "add");
  CHECK(twEntryExplore(race, &options, arguments, 1, &explored, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "twEntryExplore: @add in k, to compare with: "));
  twDiagnosticsDestroy(why);
  twModuleDestroy(module);
}

/* All blocks add 1: with one block, no scope is needed. */
static void advisesOnAKernel(twContext *context) {
  static const char increment[] =
      "cuda_tile.module @m {\n"
      "  entry @add(%x: tile<ptr<i32>>) {\n"
      "    %1 = constant <i32: 1> : tile<i32>\n"
      "    %old, %t = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> "
      "tile<i32>, token\n"
      "  }\n"
      "}\n";
  twModule *module = readValid(context, increment, strlen(increment));
  const twEntry *entry = twModuleEntry(module, 0);
  int32_t x[] = {7};
  const twArray array = arrayOf(x, 1);
  const twArgument arguments[] = {twArrayArgument(&array)};
  twAdvice *advice;
  CHECK(twEntryAdvise(entry, NULL, arguments, 1, &advice, NULL) == TW_SUCCESS);
  CHECK(twAdviceOutcome(advice) == TW_SUCCESS);
  CHECK(contains(twAdviceText(advice), "scope device: can be weakened for this launch"));
  CHECK(contains(twAdviceJson(advice), "\"weakenable\""));
  twAdviceDestroy(advice);
  twAdviseOptions options = {.size = sizeof options, .grid = {2}};
  CHECK(twEntryAdvise(entry, &options, arguments, 1, &advice, NULL) == TW_SUCCESS);
  CHECK(contains(twAdviceText(advice), "scope device: needed"));
  CHECK(x[0] == 7);
  twAdviceDestroy(advice);

  twDiagnostics *why;
  CHECK(twEntryAdvise(entry, &options, NULL, 0, &advice, &why) == TW_USAGE);
  CHECK(!advice && contains(twDiagnosticsText(why), "twEntryAdvise: "));
  twDiagnosticsDestroy(why);
  CHECK(twEntryAdvise(NULL, NULL, arguments, 1, &advice, NULL) == TW_USAGE);
  CHECK(twEntryAdvise(entry, NULL, arguments, 1, NULL, NULL) == TW_USAGE);
  CHECK(twAdviceOutcome(NULL) == TW_USAGE && !twAdviceText(NULL) && !twAdviceJson(NULL));
  twAdviceDestroy(NULL);
  options.cancellation = twCancellationCreate();
  twCancellationRequest(options.cancellation);
  CHECK(twEntryAdvise(entry, &options, arguments, 1, &advice, NULL) == TW_CANCELLED);
  twCancellationDestroy(options.cancellation);
  twModuleDestroy(module);
}

/* `after` is a copy of `before`. */
static void comparesEstimates(const char *before, char *after) {
  char *json;
  CHECK(twEstimateIncreases(before, before, 0, &json, NULL) == TW_SUCCESS);
  CHECK(!strcmp(json, "[]"));
  twFree(json);
  /* The first member of the counters. */
  char *barriers = strstr(after, "\"barriers\":0");
  barriers[strlen("\"barriers\":")] = '7';
  CHECK(twEstimateIncreases(before, after, 0.5, &json, NULL) == TW_SUCCESS);
  CHECK(contains(json, "\"what\":\"barriers\"") && contains(json, "\"after\":7,\"before\":0"));
  twFree(json);

  twDiagnostics *why;
  CHECK(twEstimateIncreases(before, "[]", 0, &json, &why) == TW_USAGE);
  CHECK(!json &&
        contains(twDiagnosticsText(why),
                 "twEstimateIncreases: the later estimate is not a document of version 1"));
  twDiagnosticsDestroy(why);
  CHECK(twEstimateIncreases(before, before, -1, &json, NULL) == TW_USAGE);
  CHECK(twEstimateIncreases(NULL, before, 0, &json, NULL) == TW_USAGE);
  CHECK(twEstimateIncreases(before, NULL, 0, &json, NULL) == TW_USAGE);
  CHECK(twEstimateIncreases(before, before, 0, NULL, NULL) == TW_USAGE);
}

/* Loads element n. */
static const char element[] =
    "cuda_tile.module @m {\n"
    "  entry @element(%x: tile<ptr<i32>>, %n: tile<i32>) {\n"
    "    %p = offset %x, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    "    %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n"
    "  }\n"
    "}\n";

static void provesAKernel(twContext *context) {
  twModule *module = readValid(context, element, strlen(element));
  const twEntry *entry = twModuleEntry(module, 0);
  twProof *proof;
  CHECK(twEntryProve(entry, NULL, &proof, NULL) == TW_SUCCESS);
  CHECK(twProofOutcome(proof) == TW_SUCCESS);
  CHECK(contains(twProofText(proof),
                 "holds if\n  len(x) >= n + 1\n  n >= 0\n  fails: grid 1,1,1 with"));
  CHECK(contains(twProofJson(proof), "\"holds-if\"") &&
        contains(twProofJson(proof), "\"command\": null"));
  twProofDestroy(proof);

  const char *names[] = {"values", NULL};
  twProveOptions options = {
      .size = sizeof options, .names = names, .nameCount = 2, .file = "k.mlir"};
  CHECK(twEntryProve(entry, &options, &proof, NULL) == TW_SUCCESS);
  CHECK(contains(twProofText(proof), "len(values) >= n + 1"));
  CHECK(contains(twProofText(proof), "fails: tilewright run k.mlir --entry element"));
  CHECK(contains(twProofText(proof), "array values ("));
  twProofDestroy(proof);
  options.proofOnly = 1;
  CHECK(twEntryProve(entry, &options, &proof, NULL) == TW_SUCCESS);
  CHECK(!contains(twProofText(proof), "fails:"));
  twProofDestroy(proof);

  twDiagnostics *why;
  options.nameCount = 1;
  CHECK(twEntryProve(entry, &options, &proof, &why) == TW_USAGE);
  CHECK(!proof && contains(twDiagnosticsText(why), "a name for each of 2 parameters, but got 1"));
  twDiagnosticsDestroy(why);
  options.names = NULL;
  CHECK(twEntryProve(entry, &options, &proof, NULL) == TW_USAGE);
  CHECK(twEntryProve(NULL, NULL, &proof, NULL) == TW_USAGE);
  CHECK(twEntryProve(entry, NULL, NULL, NULL) == TW_USAGE);
  CHECK(twProofOutcome(NULL) == TW_USAGE && !twProofText(NULL) && !twProofJson(NULL));
  twProofDestroy(NULL);
  options.nameCount = 0;
  options.cancellation = twCancellationCreate();
  twCancellationRequest(options.cancellation);
  CHECK(twEntryProve(entry, &options, &proof, NULL) == TW_CANCELLED);
  twCancellationDestroy(options.cancellation);
  twModuleDestroy(module);
}

static void estimatesAKernel(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  const twEntry *entry = twModuleFindEntry(module, "race");
  int32_t x[] = {7};
  const twArray array = arrayOf(x, 1);
  const twArgument arguments[] = {twArrayArgument(&array)};
  twEstimateOptions options = {.size = sizeof options, .grid = {9}, .target = "sm_80"};
  char *json;
  CHECK(twEntryEstimate(entry, &options, arguments, 1, &json, NULL) == TW_SUCCESS);
  CHECK(contains(json, "\"target\":\"sm_80\"") && contains(json, "\"blocks\":4"));
  CHECK(x[0] == 7);
  twFree(json);
  options.blocks = -1;
  CHECK(twEntryEstimate(entry, &options, arguments, 1, &json, NULL) == TW_SUCCESS);
  CHECK(contains(json, "\"blocks\":9"));
  char *again;
  CHECK(twEntryEstimate(entry, &options, arguments, 1, &again, NULL) == TW_SUCCESS);
  comparesEstimates(json, again);
  twFree(again);
  twFree(json);

  twDiagnostics *why;
  options.blocks = -2;
  CHECK(twEntryEstimate(entry, &options, arguments, 1, &json, &why) == TW_USAGE);
  CHECK(!json &&
        contains(twDiagnosticsText(why), "expected a number of blocks from -1, but got -2"));
  twDiagnosticsDestroy(why);
  CHECK(twEntryEstimate(entry, NULL, NULL, 0, &json, NULL) == TW_USAGE);
  CHECK(twEntryEstimate(NULL, NULL, NULL, 0, &json, NULL) == TW_USAGE);
  CHECK(twEntryEstimate(entry, NULL, arguments, 1, NULL, NULL) == TW_USAGE);
  options.blocks = 0;
  options.cancellation = twCancellationCreate();
  twCancellationRequest(options.cancellation);
  CHECK(twEntryEstimate(entry, &options, arguments, 1, &json, NULL) == TW_CANCELLED);
  twCancellationDestroy(options.cancellation);
  twModuleDestroy(module);
}

static void explorationsEnd(twContext *context) {
  static const char endless[] = "cuda_tile.module @m { entry @endless() { loop { continue } } }";
  twModule *module = readValid(context, endless, strlen(endless));
  const twEntry *entry = twModuleFindEntry(module, "endless");
  twExplored *explored;
  twExploreOptions options = {.size = sizeof options, .maxSteps = 100};
  CHECK(twEntryExplore(entry, &options, NULL, 0, &explored, NULL) == TW_SUCCESS);
  CHECK(twExploredOutcome(explored) == TW_FAILED);
  twExploredDestroy(explored);

  options.cancellation = twCancellationCreate();
  twCancellationRequest(options.cancellation);
  twDiagnostics *why;
  CHECK(twEntryExplore(entry, &options, NULL, 0, &explored, &why) == TW_CANCELLED);
  CHECK(!explored && contains(twDiagnosticsText(why), "twEntryExplore: cancelled"));
  twDiagnosticsDestroy(why);
  twCancellationDestroy(options.cancellation);
  twCancellationRequest(NULL);
  twCancellationDestroy(NULL);
  twModuleDestroy(module);
}

static void comparesDevices(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  const twEntry *entry = twModuleFindEntry(module, "race");
  int32_t x[] = {7};
  const twArray array = arrayOf(x, 1);
  const twArgument arguments[] = {twArrayArgument(&array)};
  const char *devices[] = {"cpu", "ptx:sm_80"};
  twDiffOptions options = {.size = sizeof options, .devices = devices, .deviceCount = 2};
  twDiff *diff;
  /* One block has no race. */
  CHECK(twEntryDiff(entry, &options, arguments, 1, &diff, NULL) == TW_SUCCESS);
  CHECK(twDiffOutcome(diff) == TW_SUCCESS && !*twDiffText(diff));
  CHECK(contains(twDiffJson(diff), "\"device\": \"ptx:sm_80\""));
  CHECK(x[0] == 7);
  twDiffDestroy(diff);
  options.grid[0] = 2;
  CHECK(twEntryDiff(entry, &options, arguments, 1, &diff, NULL) == TW_SUCCESS);
  CHECK(twDiffOutcome(diff) == TW_MISBEHAVED && contains(twDiffText(diff), "[race]"));
  twDiffDestroy(diff);

  twDiagnostics *why;
  devices[1] = "tpu";
  CHECK(twEntryDiff(entry, &options, arguments, 1, &diff, &why) == TW_USAGE);
  CHECK(!diff && contains(twDiagnosticsText(why),
                          "twEntryDiff: expected reference, cpu, ptx or gpu, but got 'tpu'"));
  twDiagnosticsDestroy(why);
  devices[1] = NULL;
  CHECK(twEntryDiff(entry, &options, arguments, 1, &diff, NULL) == TW_USAGE);
  CHECK(twEntryDiff(NULL, NULL, NULL, 0, &diff, NULL) == TW_USAGE);
  CHECK(twEntryDiff(entry, NULL, arguments, 1, NULL, NULL) == TW_USAGE);
  CHECK(twDiffOutcome(NULL) == TW_USAGE && !twDiffText(NULL) && !twDiffJson(NULL));
  twDiffDestroy(NULL);
  twModuleDestroy(module);
}

void testMachines(twContext *context) {
  exploresAKernel(context);
  comparesTwoKernels(context);
  estimatesAKernel(context);
  advisesOnAKernel(context);
  provesAKernel(context);
  explorationsEnd(context);
  comparesDevices(context);
  exploresAllExecutions(context);
  tracesOnBothMachines(context);
  launchesADependentKernel(context);
}
