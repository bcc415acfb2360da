// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches kernels, synchronously on the calling thread. Compiled code gets pointers as they are.
// The reference machine must know the arrays behind them: they come from the symbol of the kernel
// and the other parameters (Signature.h), or else from the allocations that the pointers lie in.

#include "tools/CancelOnInterrupt.h"
#include "tools/cuda/driver/Capture.h"
#include "tools/cuda/driver/Findings.h"
#include "tools/cuda/driver/Library.h"
#include "tools/cuda/driver/Memory.h"
#include "tools/cuda/driver/Progress.h"
#include "tools/cuda/driver/Report.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <list>

using namespace tilewright::cuda;

//===-- Python ------------------------------------------------------------------------------===//

namespace {
/// Python clients hold the global interpreter lock (GIL) when they launch. This object releases it
/// while it lives, so that other Python threads can run.
class WithoutPythonLock {
public:
  WithoutPythonLock() {
    const Functions &python = functions();
    if (python.isHeld && python.isRunning() && python.isHeld())
      thread = python.release();
  }
  ~WithoutPythonLock() {
    if (thread)
      functions().take(thread);
  }
  WithoutPythonLock(const WithoutPythonLock &) = delete;

  /// Whether this thread held the lock.
  bool isInPython() const { return thread; }

private:
  struct Functions {
    /// Called first: before Python starts and after it ends, `isHeld` returns true.
    int (*isRunning)() = nullptr;
    int (*isHeld)() = nullptr;
    void *(*release)() = nullptr;
    void (*take)(void *) = nullptr;
  };
  template <typename Function> static void find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  }
  /// Empty if the process has no Python.
  static const Functions &functions() {
    static const Functions found = [] {
      Functions all;
      find(all.isRunning, "Py_IsInitialized");
      find(all.isHeld, "PyGILState_Check");
      find(all.release, "PyEval_SaveThread");
      find(all.take, "PyEval_RestoreThread");
      return all.isRunning && all.isHeld && all.release && all.take ? all : Functions();
    }();
    return found;
  }

  void *thread = nullptr;
};
} // namespace

//===-- Arguments ---------------------------------------------------------------------------===//

namespace {
/// The arguments of one launch, and the data that they point to until the launch is created.
class Arguments {
public:
  Arguments(const CUkern_st &kernel, const std::vector<uint64_t> &words)
      : kernel(kernel), words(words) {}

  /// Passes addresses and scalars as they are.
  void takePlain();
  /// Passes arrays for addresses. Returns false, after a message, if they are unknown.
  bool takeArrays();

  std::vector<twArgument> list;

private:
  struct Array {
    twArray array = {};
    std::vector<int64_t> shape, strides;
    std::string name;

    void call(std::string called) {
      name = std::move(called);
      array.name = name.c_str();
    }
  };

  int64_t numberAt(size_t i) const;
  twArgument plainAt(size_t i) const;
  Array &add(uint64_t address, twElementType element, size_t rank);
  const twArray *arrayAt(size_t first, const ArgumentType &type, const std::string &name);
  const twArray *listAt(size_t first, const ArgumentType &type, const std::string &name);
  void takeSigned(const Signature &signature);
  /// Without information from the symbol, an array extends from its address to the end of the
  /// allocation.
  bool takeAllocations();

  const CUkern_st &kernel;
  const std::vector<uint64_t> &words;
  std::list<Array> arrays;
  std::list<std::vector<twLink>> links;
};
} // namespace

bool tilewright::cuda::copyParameters(const CUkern_st &kernel, void *const *pointers,
                                      std::vector<uint64_t> &words) {
  if (!pointers)
    return kernel.parameters.empty();
  words.reserve(kernel.parameters.size());
  for (const CUkern_st::Parameter &parameter : kernel.parameters) {
    const void *pointer = *pointers++;
    if (!pointer)
      return false;
    uint64_t word = 0;
    std::memcpy(&word, pointer, parameter.byteCount());
    words.push_back(word & parameter.mask);
  }
  return true;
}

/// Reads an extent or a stride.
int64_t Arguments::numberAt(size_t i) const {
  return kernel.parameters[i].element == TW_I32 ? int32_t(words[i]) : int64_t(words[i]);
}

twArgument Arguments::plainAt(size_t i) const {
  const CUkern_st::Parameter &parameter = kernel.parameters[i];
  return {nullptr, parameter.isPointer ? TW_ADDRESS : parameter.element, words[i]};
}

void Arguments::takePlain() {
  list.reserve(kernel.parameters.size());
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    list.push_back(plainAt(i));
}

Arguments::Array &Arguments::add(uint64_t address, twElementType element, size_t rank) {
  Array &made = arrays.emplace_back();
  made.shape.resize(rank);
  made.strides.resize(rank);
  made.array.size = sizeof made.array;
  made.array.data = reinterpret_cast<void *>(uintptr_t(address));
  made.array.element = element;
  made.array.rank = rank;
  made.array.shape = made.shape.data();
  made.array.strides = rank ? made.strides.data() : nullptr;
  return made;
}

const twArray *Arguments::arrayAt(size_t first, const ArgumentType &type, const std::string &name) {
  Array &made = add(words[first], kernel.parameters[first].element, type.rank);
  made.call((kernel.hasNames ? "array " : "") + name);
  for (size_t dim = 0; dim < type.rank; ++dim) {
    made.shape[dim] = numberAt(first + 1 + dim);
    made.strides[dim] = numberAt(first + 1 + type.rank + dim);
  }
  return &made.array;
}

/// Reads a table with a record for each array: its address, extents and strides.
const twArray *Arguments::listAt(size_t first, const ArgumentType &type, const std::string &name) {
  const uint64_t address = words[first];
  const auto *table = reinterpret_cast<const int64_t *>(uintptr_t(address));
  const int64_t count = table ? numberAt(first + 1) : 0;
  const int64_t recordSize = 1 + 2 * int64_t(type.rank);
  std::vector<twLink> &made = links.emplace_back();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t *record = table + i * recordSize;
    Array &item = add(uint64_t(record[0]), type.element, type.rank);
    item.call(name + "[" + std::to_string(i) + "]");
    for (size_t dim = 0; dim < type.rank; ++dim) {
      item.shape[dim] = record[1 + dim];
      item.strides[dim] = record[1 + type.rank + dim];
    }
    made.push_back({i * recordSize, &item.array});
  }
  Array &list = add(address, TW_I64, 2);
  list.call((kernel.hasNames ? "list " : "") + name);
  list.shape = {count, recordSize};
  list.strides = {recordSize, 1};
  list.array.shape = list.shape.data();
  list.array.strides = list.strides.data();
  list.array.links = made.data();
  list.array.linkCount = made.size();
  return &list.array;
}

/// `signature` must match the parameters.
void Arguments::takeSigned(const Signature &signature) {
  size_t next = 0;
  for (size_t number = 0; number < signature.arguments.size(); ++number) {
    const ArgumentType &type = signature.arguments[number];
    const std::string &name = kernel.argumentNames[number];
    const size_t first = next;
    next += type.parameterCount();
    list.push_back(type.kind == ArgumentType::Scalar  ? plainAt(first)
                   : type.kind == ArgumentType::Array ? twArrayArgument(arrayAt(first, type, name))
                                                      : twArrayArgument(listAt(first, type, name)));
    for (size_t i = first + 1; i < next; ++i)
      list.push_back(plainAt(i));
  }
}

/// The size in memory; an f4E2M1FN element takes half a byte. Arrays never have the last three
/// types.
static size_t bitsOf(twElementType element) {
  switch (element) {
  case TW_F4E2M1FN:
    return 4;
  case TW_I1:
  case TW_I8:
  case TW_F8E4M3FN:
  case TW_F8E5M2:
  case TW_F8E8M0FNU:
  case TW_F8E5M3FNU:
    return 8;
  case TW_I16:
  case TW_F16:
  case TW_BF16:
    return 16;
  case TW_I32:
  case TW_F32:
  case TW_TF32:
    return 32;
  case TW_I64:
  case TW_F64:
  case TW_NO_ELEMENT:
  case TW_ADDRESS:
  case TW_MULTICAST:
    break;
  }
  return 64;
}

bool Arguments::takeAllocations() {
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const CUkern_st::Parameter &parameter = kernel.parameters[i];
    if (!parameter.isPointer) {
      list.push_back(plainAt(i));
      continue;
    }
    const std::optional<size_t> bytes = words[i] ? bytesFrom(words[i]) : 0;
    if (!bytes) {
      reportError(
          CUDA_ERROR_NOT_SUPPORTED,
          "kernel @" + kernel.name + ": parameter " + std::to_string(i + 1) +
              ": the reference machine must know how much memory there is, and the address is in "
              "none that the driver allocated or registered");
      return false;
    }
    Array &made = add(words[i], parameter.element, 1);
    made.shape = {int64_t(*bytes * 8 / bitsOf(parameter.element))};
    made.strides = {1};
    made.array.shape = made.shape.data();
    made.array.strides = made.strides.data();
    list.push_back(twArrayArgument(&made.array));
  }
  return true;
}

bool Arguments::takeArrays() {
  size_t count = 0;
  if (kernel.signature)
    for (const ArgumentType &type : kernel.signature->arguments)
      count += type.parameterCount();
  if (!kernel.signature || count != kernel.parameters.size())
    return takeAllocations();
  takeSigned(*kernel.signature);
  return true;
}

//===-- Launching ---------------------------------------------------------------------------===//

static void cancelLaunch(void *launch) {
  api().twLaunchCancel(static_cast<twLaunchHandle *>(launch));
}

static CUresult run(const CUkern_st &kernel, twLaunchOptions options, Arguments &arguments) {
  WithoutPythonLock unlocked;
  std::optional<Progress> progress;
  if (state().settings.device == TW_REFERENCE && Progress::isEnabled()) {
    progress.emplace();
    options.print = Progress::print;
    options.printContext = &*progress;
  }
  twLaunchHandle *launch = nullptr;
  twDiagnostics *diagnostics = nullptr;
  if (api().twLaunchCreate(kernel.handle, &options, arguments.list.data(), arguments.list.size(),
                           &launch, &diagnostics) != TW_SUCCESS) {
    reportError(CUDA_ERROR_INVALID_VALUE, api().twDiagnosticsText(diagnostics));
    api().twDiagnosticsDestroy(diagnostics);
    return CUDA_ERROR_INVALID_VALUE;
  }
  twStatus status;
  {
    std::optional<tilewright::tools::CancelOnInterrupt> cancelled;
    if (unlocked.isInPython())
      cancelled.emplace(cancelLaunch, launch);
    if (progress)
      progress->begin(launch, options.grid[0] * options.grid[1] * options.grid[2]);
    status = api().twLaunchRun(launch, &diagnostics);
  }
  progress.reset();
  if (status != TW_SUCCESS || diagnostics)
    reportFindings(launch, status, diagnostics);
  updateReports();
  api().twDiagnosticsDestroy(diagnostics);
  api().twLaunchDestroy(launch);
  // Flushes the kernel's output.
  std::fflush(stdout);
  return CUDA_SUCCESS;
}

CUresult tilewright::cuda::launch(const CUkern_st &kernel, const CUlaunchConfig &config,
                                  const std::vector<uint64_t> &words) {
  Arguments arguments(kernel, words);
  if (state().settings.device == TW_CPU)
    arguments.takePlain();
  else if (!arguments.takeArrays())
    return CUDA_ERROR_NOT_SUPPORTED;
  twLaunchOptions options = {};
  options.size = sizeof options;
  options.grid[0] = config.gridDimX;
  options.grid[1] = config.gridDimY;
  options.grid[2] = config.gridDimZ;
  options.report = currentReport();
  return run(kernel, options, arguments);
}

/// A tile block counts as one thread in the launch configuration, and takes no shared memory from
/// the caller. Attributes that only order launches have no effect here.
CUresult tilewright::cuda::verifyLaunch(const CUlaunchConfig &config) {
  constexpr unsigned mostBlocksX = 0xFFFFFF, mostBlocksYZ = 65535;
  constexpr unsigned ignore = 0, programmaticStreamSerialization = 6;
  if (!config.gridDimX || !config.gridDimY || !config.gridDimZ || !config.blockDimX ||
      !config.blockDimY || !config.blockDimZ)
    return CUDA_ERROR_INVALID_VALUE;
  if (config.gridDimX > mostBlocksX || config.gridDimY > mostBlocksYZ ||
      config.gridDimZ > mostBlocksYZ || (config.attributeCount && !config.attributes))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config.attributeCount; ++i)
    if (const unsigned id = config.attributes[i].id;
        id != ignore && id != programmaticStreamSerialization)
      return notSupported("launch attribute " + std::to_string(id));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                        void **parameters, void **extra) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  const SharedKernel kernel = findKernel(function);
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult error = verifyLaunch(*config))
    return error;
  if (CUresult error = verifyStream(config->stream))
    return error;
  if (extra)
    return notSupported("cuLaunchKernelEx with extra parameters");
  std::vector<uint64_t> words;
  if (!copyParameters(*kernel, parameters, words))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(config->stream, NodeKind::Kernel,
                 [kernel, config = *config, words = std::move(words)] {
                   return launch(*kernel, config, words);
                 });
}

TW_DRIVER_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                      unsigned gridZ, unsigned blockX, unsigned blockY,
                                      unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                      void **parameters, void **extra) {
  const CUlaunchConfig config = {gridX,  gridY,       gridZ,  blockX,  blockY,
                                 blockZ, sharedBytes, stream, nullptr, 0};
  return cuLaunchKernelEx(&config, function, parameters, extra);
}
