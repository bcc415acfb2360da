// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the GPU driver on machines without a GPU, so that tests of runtime/Cuda.h run anywhere:
// its GPU is the PTX machine. It has the functions that runtime/Cuda.cpp calls, and in Client.cpp
// those that cuda-tile calls, follows the reference manual of the driver API, and refuses what a
// real driver would refuse.
//
// TEST_GPU is the GPU's compute capability, such as 80; by default 90. Where the driver's manual
// leaves behaviour open, tests choose: with TEST_GPU_BLOCK=any a CTA has the threads that its
// kernel requires, whatever the launch requests; TEST_GPU_STATIC is the maximum of static shared
// memory in bytes; with TEST_GPU_LIBRARY=cubin libraries accept no PTX text.
//
// It is wrong on request: with TEST_GPU_BLOCKS=N it executes only the first N CTAs along x, and
// with TEST_GPU_MISTAKE=TEXT=OTHER it loads PTX with OTHER in each place of TEXT.

#include "tilewright/ptx/async/TensorMap.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/text/Parser.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

using namespace tilewright;

namespace {
// Of CUresult.
enum Status : int {
  Success = 0,
  InvalidValue = 1,
  NotInitialized = 3,
  NoDevice = 100,
  InvalidContext = 201,
  InvalidPtx = 218,
  NotFound = 500,
  IllegalAddress = 700,
  Assert = 710,
  LaunchFailed = 719,
};

/// A loaded module. The program points into it.
struct Code {
  ptx::Module module;
  const ptx::Function *entry = nullptr;
  ptx::Program program;
  /// As cuFuncSetAttribute sets it; without, the programming guide says 48 KiB.
  unsigned mostDynamicShared = 48 << 10;
};

bool isInitialized = false;
thread_local std::vector<void *> current = {nullptr}; ///< The stack of contexts.
Status sticky = Success; ///< The error of a kernel; every later call returns it.
int contexts = 0;

/// Allocations follow the variables of modules, which are all in one range.
ptx::Memory &memory() {
  static ptx::Memory all = [] {
    constexpr uint64_t forVariables = 1 << 30;
    ptx::Memory memory;
    memory.place("the end of variables", ptx::Space::Global, ptx::globalBase + forVariables, 1);
    return memory;
  }();
  return all;
}

int capability() {
  const char *text = std::getenv("TEST_GPU");
  return text ? std::atoi(text) : 90;
}

Status usable() {
  return !isInitialized ? NotInitialized : current.back() != &contexts ? InvalidContext : sticky;
}
} // namespace

#define EXPORT extern "C" __attribute__((visibility("default"))) int

//===-- The device --------------------------------------------------------------------------===//

EXPORT cuInit(unsigned flags) {
  isInitialized = flags == 0;
  return isInitialized ? Success : InvalidValue;
}

EXPORT cuDeviceGet(int *device, int ordinal) {
  *device = 0;
  return !isInitialized ? NotInitialized : ordinal || !capability() ? NoDevice : Success;
}

EXPORT cuDeviceGetName(char *name, int size, int) {
  std::snprintf(name, size_t(size), "PTX machine");
  return Success;
}

/// The largest grid, as of every GPU, the compute capability, and one SM of 1 GHz.
EXPORT cuDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 5:
    *value = 0x7FFFFFFF;
    return Success;
  case 6:
  case 7:
    *value = 65535;
    return Success;
  case 13: // in kHz
    *value = 1000000;
    return Success;
  case 16:
    *value = 1;
    return Success;
  case 75:
    *value = capability() / 10;
    return Success;
  case 76:
    *value = capability() % 10;
    return Success;
  default:
    return InvalidValue;
  }
}

EXPORT cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &contexts;
  ++contexts;
  return Success;
}

EXPORT cuDevicePrimaryCtxRelease_v2(int) {
  --contexts;
  return Success;
}

EXPORT cuCtxSetCurrent(void *context) {
  current.back() = context;
  return Success;
}

EXPORT cuCtxGetCurrent(void **context) {
  *context = current.back();
  return Success;
}

EXPORT cuCtxPushCurrent_v2(void *context) {
  current.push_back(context);
  return Success;
}

EXPORT cuCtxPopCurrent_v2(void **context) {
  if (current.size() == 1)
    return InvalidContext;
  *context = current.back();
  current.pop_back();
  return Success;
}

EXPORT cuCtxSynchronize() { return usable(); }

EXPORT cuStreamSynchronize(void *) { return usable(); }

EXPORT cuGetErrorName(int status, const char **name) {
  *name = status == IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : status == Assert       ? "CUDA_ERROR_ASSERT"
          : status == NoDevice     ? "CUDA_ERROR_NO_DEVICE"
          : status == InvalidPtx   ? "CUDA_ERROR_INVALID_PTX"
                                   : nullptr;
  return *name ? Success : InvalidValue;
}

EXPORT cuGetErrorString(int, const char **text) {
  *text = nullptr;
  return InvalidValue;
}

//===-- Memory ------------------------------------------------------------------------------===//

EXPORT cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (const Status status = usable(); status || !bytes)
    return status ? status : InvalidValue;
  *address = memory().allocate("device memory", ptx::Space::Global, bytes).base;
  return Success;
}

EXPORT cuMemFree_v2(uint64_t address) {
  memory().release(address);
  return Success;
}

static ptx::Region *regionOf(uint64_t address, size_t bytes) {
  ptx::Region *region = memory().find(address);
  return region && region->contains(address - region->base, bytes) ? region : nullptr;
}

/// Memory is on this GPU; with TEST_GPU_POINTERS=1, on the next one.
EXPORT cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  constexpr int contextOf = 1, ordinalOf = 9; // CU_POINTER_ATTRIBUTE_CONTEXT, _DEVICE_ORDINAL
  if ((attribute != contextOf && attribute != ordinalOf) || !memory().find(address))
    return InvalidValue;
  if (attribute == contextOf) {
    *static_cast<void **>(value) = &contexts;
    return Success;
  }
  const char *text = std::getenv("TEST_GPU_POINTERS");
  *static_cast<int *>(value) = text ? std::atoi(text) : 0;
  return Success;
}

EXPORT cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  ptx::Region *region = regionOf(to, bytes);
  if (const Status status = usable(); status || !region)
    return status ? status : InvalidValue;
  std::memcpy(region->bytes.data() + (to - region->base), from, bytes);
  region->defineAll();
  return Success;
}

EXPORT cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  const ptx::Region *region = regionOf(from, bytes);
  if (const Status status = usable(); status || !region)
    return status ? status : InvalidValue;
  std::memcpy(to, region->bytes.data() + (from - region->base), bytes);
  return Success;
}

EXPORT cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  const ptx::Region *region = regionOf(from, bytes);
  if (const Status status = usable(); status || !region)
    return status ? status : InvalidValue;
  return cuMemcpyHtoD_v2(to, region->bytes.data() + (from - region->base), bytes);
}

//===-- Events: all that was asked for has ended --------------------------------------------===//

using Clock = std::chrono::steady_clock;

EXPORT cuEventCreate(void **event, unsigned) {
  *event = new Clock::time_point;
  return usable();
}

EXPORT cuEventRecord(void *event, void *) {
  *static_cast<Clock::time_point *>(event) = Clock::now();
  return usable();
}

EXPORT cuEventSynchronize(void *) { return usable(); }

EXPORT cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  const auto at = [](void *event) { return *static_cast<Clock::time_point *>(event); };
  *milliseconds = std::chrono::duration<float, std::milli>(at(end) - at(begin)).count();
  return usable();
}

EXPORT cuEventDestroy_v2(void *event) {
  delete static_cast<Clock::time_point *>(event);
  return Success;
}

//===-- Code --------------------------------------------------------------------------------===//

static std::string withMistake(std::string text) {
  const char *mistake = std::getenv("TEST_GPU_MISTAKE");
  const std::string both = mistake ? mistake : "";
  const size_t middle = both.find('=');
  if (middle == std::string::npos)
    return text;
  const std::string right = both.substr(0, middle), wrong = both.substr(middle + 1);
  for (size_t at = 0; (at = text.find(right, at)) != std::string::npos; at += wrong.size())
    text.replace(at, right.size(), wrong);
  return text;
}

EXPORT cuModuleLoadDataEx(void **module, const void *text, unsigned count, const int *options,
                          void **values) {
  auto code = std::make_unique<Code>();
  auto parsed = ptx::parse(withMistake(static_cast<const char *>(text)));
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed)) {
    for (unsigned option = 0; option < count; ++option)
      if (options[option] == 5) // CU_JIT_ERROR_LOG_BUFFER
        std::snprintf(static_cast<char *>(values[option]), 1024, "%s", refusal->message.c_str());
    return InvalidPtx;
  }
  code->module = std::get<ptx::Module>(std::move(parsed));
  *module = code.release();
  return usable();
}

static int unloadedModules = 0;

/// How many modules were unloaded; not a function of the driver.
EXPORT testUnloadedModules() { return unloadedModules; }

EXPORT cuModuleUnload(void *module) {
  ++unloadedModules;
  delete static_cast<Code *>(module);
  return Success;
}

/// Whether the kernel exceeds TEST_GPU_STATIC.
static bool isTooLarge(const Code &code) {
  const char *most = std::getenv("TEST_GPU_STATIC");
  return most && code.program.addresses.sharedBytes > std::strtoull(most, nullptr, 10);
}

EXPORT cuModuleGetFunction(void **function, void *module, const char *name) {
  Code &code = *static_cast<Code *>(module);
  code.entry = code.module.find(std::string_view(name));
  if (!code.entry)
    return NotFound;
  auto prepared = prepare(code.module, *code.entry);
  if (std::holds_alternative<ptx::Refusal>(prepared))
    return InvalidPtx;
  code.program = std::get<ptx::Program>(std::move(prepared));
  if (isTooLarge(code))
    return InvalidPtx;
  loadVariables(code.program, memory());
  *function = module;
  return Success;
}

EXPORT cuLibraryLoadData(void **library, const void *text, const int *, void **, unsigned options,
                         const int *, void **, unsigned more) {
  const char *what = std::getenv("TEST_GPU_LIBRARY");
  if (options || more || (what && !std::strcmp(what, "cubin")))
    return InvalidValue;
  return cuModuleLoadDataEx(library, text, 0, nullptr, nullptr);
}

EXPORT cuLibraryGetKernel(void **kernel, void *library, const char *name) {
  return cuModuleGetFunction(kernel, library, name);
}

EXPORT cuKernelGetFunction(void **function, void *kernel) {
  *function = kernel;
  return Success;
}

//===-- Launches ----------------------------------------------------------------------------===//

static Status statusOf(const ptx::Machine &machine) {
  for (const ptx::Finding &finding : machine.findings) {
    std::fprintf(stderr, "PTX machine: %s\n", finding.message.c_str());
    if (finding.check == ptx::Check::Assertion)
      return Assert;
    if (finding.check == ptx::Check::OutOfBounds)
      return IllegalAddress;
  }
  return machine.findings.empty() ? Success : LaunchFailed;
}

/// The block shape of a launch that requests `block`.
static std::array<uint32_t, 3> blockOf(const Code &code, const std::array<uint32_t, 3> &block) {
  const char *what = std::getenv("TEST_GPU_BLOCK");
  const bool isAny = what && !std::strcmp(what, "any");
  return isAny && code.entry->requiredThreads ? *code.entry->requiredThreads : block;
}

static void *lastStream = nullptr;

/// The stream of the last launch; not a function of the driver.
extern "C" __attribute__((visibility("default"))) void *testLastStream() { return lastStream; }

/// The number of CTAs along x that it executes of so many.
static unsigned executedOf(unsigned x) {
  const char *most = std::getenv("TEST_GPU_BLOCKS");
  return most ? std::min(x, unsigned(std::atoi(most))) : x;
}

EXPORT cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned blockX,
                      unsigned blockY, unsigned blockZ, unsigned shared, void *stream,
                      void **parameters, void **extra) {
  lastStream = stream;
  const Code &code = *static_cast<Code *>(function);
  if (const Status status = usable(); status || extra)
    return status ? status : InvalidValue;
  if (shared > code.mostDynamicShared)
    return InvalidValue;
  ptx::Launch launch{{x, y, z}, blockOf(code, {blockX, blockY, blockZ}), shared, {}};
  for (size_t number = 0; number < code.entry->parameters.size(); ++number) {
    const ptx::Variable &variable = code.module.variables[code.entry->parameters[number]];
    std::vector<uint8_t> &bytes = launch.parameters;
    bytes.resize((bytes.size() + variable.alignment - 1) / variable.alignment * variable.alignment);
    const auto *from = static_cast<const uint8_t *>(parameters[number]);
    bytes.insert(bytes.end(), from, from + variable.bytes);
  }
  if (checkLaunch(code.program, launch))
    return InvalidValue;
  launch.grid[0] = executedOf(x);
  if (!launch.grid[0])
    return Success;
  const ptx::Schedule schedule;
  ptx::Machine machine(code.program, memory(), launch, schedule);
  machine.output = [](const std::array<uint32_t, 3> &, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  execute(machine);
  sticky = statusOf(machine);
  return Success; // the next call returns the kernel's error
}

/// All CTAs are resident at the same time in any case.
EXPORT cuLaunchCooperativeKernel(void *function, unsigned x, unsigned y, unsigned z,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                                 void *stream, void **parameters) {
  return cuLaunchKernel(function, x, y, z, blockX, blockY, blockZ, shared, stream, parameters,
                        nullptr);
}

EXPORT cuFuncSetAttribute(void *function, int attribute, int value) {
  constexpr int mostDynamicShared = 8; // a CUfunction_attribute
  if (attribute != mostDynamicShared)
    return InvalidValue;
  static_cast<Code *>(function)->mostDynamicShared = unsigned(value);
  return usable();
}

//===-- Tensor maps -------------------------------------------------------------------------===//

/// Converts a CUtensorMapDataType to PTX's element type.
static std::optional<uint8_t> tensorType(unsigned type) {
  static constexpr const char *names[] = {
      "u8",  "u16",  "u32",     "s32",  "u64",      "s64",   "f16",       "f32",
      "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz", "b4x16", "b4x16_p64", "b6x16_p32"};
  return type < std::size(names) ? ptx::tensorTypeNamed(names[type]) : std::nullopt;
}

EXPORT cuTensorMapEncodeTiled(void *to, unsigned type, unsigned rank, void *address,
                              const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                              const uint32_t *steps, unsigned interleave, unsigned swizzle,
                              unsigned, unsigned fill) {
  ptx::TensorMap map;
  const auto known = tensorType(type);
  if (!known || !rank || rank > ptx::mostDims)
    return InvalidValue;
  map.rank = uint8_t(rank);
  map.type = *known;
  map.interleave = uint8_t(interleave);
  map.swizzle = uint8_t(swizzle);
  map.fill = uint8_t(fill);
  map.address = reinterpret_cast<uint64_t>(address);
  std::copy_n(strides, rank - 1, map.strides.begin());
  for (unsigned dim = 0; dim < rank; ++dim) {
    map.dims[dim] = uint32_t(dims[dim]);
    map.box[dim] = box[dim];
    map.steps[dim] = steps[dim];
  }
  if (map.findError())
    return InvalidValue;
  const ptx::TensorMapBytes bytes = encode(map);
  std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t *>(to));
  return Success;
}

//===-- Graphs of one node ------------------------------------------------------------------===//

namespace {
/// CUDA_KERNEL_NODE_PARAMS, version 2.
struct KernelNode {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
  void *kernel, *context;
};

/// The parameters are those of the last node, and must outlive the graph.
struct Graph {
  KernelNode node = {};
};
} // namespace

EXPORT cuGraphCreate(void **graph, unsigned flags) {
  *graph = new Graph;
  return flags ? InvalidValue : usable();
}

EXPORT cuGraphAddKernelNode_v2(void **node, void *graph, const void *, size_t dependencies,
                               const KernelNode *launch) {
  static_cast<Graph *>(graph)->node = *launch;
  *node = graph;
  return dependencies ? InvalidValue : Success;
}

EXPORT cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  *executable = graph;
  return flags ? InvalidValue : Success;
}

EXPORT cuGraphLaunch(void *executable, void *stream) {
  const KernelNode &node = static_cast<Graph *>(executable)->node;
  return cuLaunchKernel(node.function, node.grid[0], node.grid[1], node.grid[2], node.block[0],
                        node.block[1], node.block[2], node.shared, stream, node.parameters,
                        node.extra);
}

EXPORT cuGraphExecDestroy(void *) { return Success; }

EXPORT cuGraphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return Success;
}
