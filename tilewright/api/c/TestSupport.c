/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The main function of the C API's tests, and their helpers. */

#include "tilewright/api/c/TestSupport.h"

#include <string.h>

int failures = 0;

int contains(const char *text, const char *part) { return text && strstr(text, part); }

twModule *readValid(twContext *context, const void *bytes, size_t size) {
  twModule *module = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twModuleRead(context, bytes, size, "k", &module, &diagnostics) == TW_SUCCESS);
  CHECK(module);
  CHECK(!diagnostics);
  twDiagnosticsDestroy(diagnostics);
  return module;
}

twKernelHandle *compile(const twModule *module, const char *name, twDevice device) {
  twCompileOptions options = {.size = sizeof options, .device = device};
  twKernelHandle *kernel = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twKernelCompile(twModuleFindEntry(module, name), &options, &kernel, &diagnostics) ==
        TW_SUCCESS);
  CHECK(!diagnostics);
  return kernel;
}

twArray arrayOf(int32_t *data, int64_t count) {
  static int64_t shapes[16];
  static int used = 0;
  int64_t *shape = &shapes[used++ % 16];
  *shape = count;
  twArray array = {
      .size = sizeof array, .data = data, .element = TW_I32, .rank = 1, .shape = shape};
  return array;
}

twLaunchHandle *launchOf(const twKernelHandle *kernel, const twLaunchOptions *options,
                         const twArgument *arguments, size_t count) {
  twLaunchHandle *launch = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twLaunchCreate(kernel, options, arguments, count, &launch, &diagnostics) == TW_SUCCESS);
  CHECK(!diagnostics);
  return launch;
}

const char kernels[] =
    "cuda_tile.module @m {\n"
    "  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {\n"
    "    %b, %by, %bz = get_tile_block_id : tile<i32>\n"
    "    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    "    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token\n"
    "    %new = addi %old, %n : tile<i32>\n"
    "    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "  entry @race(%x: tile<ptr<i32>>) {\n"
    "    %b, %by, %bz = get_tile_block_id : tile<i32>\n"
    "    %u = store_ptr_tko weak %x, %b : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "  entry @endless() {\n"
    "    loop {\n"
    "      %t = print_tko \"again\\n\" -> token\n"
    "      continue\n"
    "    }\n"
    "  }\n"
    "  entry @claim(%n: tile<i32>) {\n"
    "    %1 = constant <i32: 1> : tile<i32>\n"
    "    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>\n"
    "    assert %is, \"n is one\" : tile<i1>\n"
    "    %t = print_tko \"n = %d\\n\", %n : tile<i32> -> token\n"
    "  }\n"
    "  entry @list(%table: tile<ptr<i64>>, %at: tile<i32>) {\n"
    "    %b, %by, %bz = get_tile_block_id : tile<i32>\n"
    "    %3 = constant <i32: 3> : tile<i32>\n"
    "    %record = muli %b, %3 : tile<i32>\n"
    "    %entry = offset %table, %record : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>\n"
    "    %bits, %t = load_ptr_tko weak %entry : tile<ptr<i64>> -> tile<i64>, token\n"
    "    %array = int_to_ptr %bits : tile<i64> -> tile<ptr<i32>>\n"
    "    %p = offset %array, %at : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    "    %old, %u = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token\n"
    "    %1 = constant <i32: 1> : tile<i32>\n"
    "    %new = addi %old, %1 : tile<i32>\n"
    "    %v = store_ptr_tko weak %p, %new token=%u : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "}\n";

static void hasAVersion(void) {
  int major, minor, patch;
  CHECK(sscanf(twLibraryVersion(), "%d.%d.%d", &major, &minor, &patch) == 3);
}

int main(void) {
  twContext *context = twContextCreate();
  twContextSetCache(context, ""); /* always compile, and leave no files */
  hasAVersion();
  testModules(context);
  testKernels(context);
  testLaunches(context);
  testMachines(context);
  testReports(context);
  testPtx();
  testGpu(context);
  twContextDestroy(context);
  return failures ? 1 : 0;
}
