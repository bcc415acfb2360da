/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests kernels on a GPU: the driver is the one of test/support/cuda, whose GPU is the PTX machine.
 * dlopen finds it under the name libcuda.so.1, because it is already loaded. */

#include "tilewright/api/c/TestSupport.h"

#include <dlfcn.h>
#include <string.h>

/* A function of the driver. */
static void (*find(void *driver, const char *name))(void) {
  void *found = dlsym(driver, name);
  CHECK(found);
  void (*function)(void) = NULL;
  memcpy(&function, &found, sizeof found);
  return function;
}

static twLaunchHandle *bind(const twKernelHandle *kernel, void *stream, twArgument x) {
  const twArgument arguments[] = {x, twI32Argument(5)};
  twLaunchOptions options = {.size = sizeof options, .grid = {4}, .stream = stream};
  twLaunchHandle *launch = NULL;
  CHECK(twLaunchCreate(kernel, &options, arguments, 2, &launch, NULL) == TW_SUCCESS);
  return launch;
}

static void copiesArrays(const twKernelHandle *add) {
  int32_t x[4] = {1, 2, 3, 4};
  const int64_t shape[] = {4};
  twArray array = {.size = sizeof array, .data = x, .element = TW_I32, .rank = 1, .shape = shape};
  twLaunchHandle *launch = bind(add, NULL, twArrayArgument(&array));
  CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
  CHECK(x[0] == 6 && x[3] == 9);
  twLaunchDestroy(launch);

  const twArgument arguments[] = {twArrayArgument(&array), twI32Argument(5)};
  twLaunchOptions options = {.size = sizeof options, .stream = &options};
  twDiagnostics *why;
  CHECK(twLaunchCreate(add, &options, arguments, 2, &launch, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "expected addresses in the GPU's memory"));
  twDiagnosticsDestroy(why);
}

static void usesMemoryOfTheGpuInPlace(void *driver, const twKernelHandle *add) {
  int (*retain)(void **, int) = (int (*)(void **, int))find(driver, "cuDevicePrimaryCtxRetain");
  int (*setCurrent)(void *) = (int (*)(void *))find(driver, "cuCtxSetCurrent");
  int (*allocate)(uint64_t *, size_t) = (int (*)(uint64_t *, size_t))find(driver, "cuMemAlloc_v2");
  int (*write)(uint64_t, const void *, size_t) =
      (int (*)(uint64_t, const void *, size_t))find(driver, "cuMemcpyHtoD_v2");
  int (*read)(void *, uint64_t, size_t) =
      (int (*)(void *, uint64_t, size_t))find(driver, "cuMemcpyDtoH_v2");
  void *(*lastStream)(void) = (void *(*)(void))find(driver, "testLastStream");
  int32_t x[4] = {1, 2, 3, 4};
  void *context = NULL;
  CHECK(retain(&context, 0) == 0 && setCurrent(context) == 0);
  uint64_t address = 0;
  CHECK(allocate(&address, sizeof x) == 0 && write(address, x, sizeof x) == 0);
  void *streams[] = {NULL, x};
  for (int i = 0; i < 2; ++i) {
    twLaunchHandle *launch = bind(add, streams[i], twAddressArgument((void *)(uintptr_t)address));
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    CHECK(lastStream() == streams[i]);
    twLaunchDestroy(launch);
  }
  CHECK(read(x, address, sizeof x) == 0);
  CHECK(x[0] == 11 && x[3] == 14);
}

static void reportsAFailedAssertion(const twModule *module) {
  twKernelHandle *claim = compile(module, "claim", TW_GPU);
  const twArgument two = twI32Argument(2);
  twLaunchHandle *launch = NULL;
  CHECK(twLaunchCreate(claim, NULL, &two, 1, &launch, NULL) == TW_SUCCESS);
  CHECK(twLaunchRun(launch, NULL) == TW_FAILED);
  CHECK(twLaunchFindingCount(launch) == 1);
  twFinding finding = {.size = sizeof finding};
  CHECK(twLaunchFinding(launch, 0, &finding) == TW_SUCCESS);
  CHECK(contains(finding.kernel, "claim"));
  twLaunchDestroy(launch);
  twKernelDestroy(claim);
}

static void onlyGpusHaveStreams(const twModule *module) {
  twKernelHandle *endless = compile(module, "endless", TW_CPU);
  twLaunchOptions options = {.size = sizeof options, .stream = &options};
  twLaunchHandle *launch = NULL;
  twDiagnostics *why;
  CHECK(twLaunchCreate(endless, &options, NULL, 0, &launch, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "only a GPU has streams"));
  twDiagnosticsDestroy(why);
  twKernelDestroy(endless);
}

void testGpu(twContext *context) {
  void *driver = dlopen(TEST_GPU_DRIVER, RTLD_NOW);
  CHECK(driver);
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *add = compile(module, "add", TW_GPU);
  copiesArrays(add);
  usesMemoryOfTheGpuInPlace(driver, add);
  onlyGpusHaveStreams(module);
  reportsAFailedAssertion(module); /* after it, the driver refuses everything */
  twKernelDestroy(add);
  twModuleDestroy(module);
}
