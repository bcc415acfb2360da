// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a kernel launched? On the thread that asks for it, at once. On the processor, pointers are
// passed as they are. The reference machine must know the arrays behind them, which the symbol of
// the kernel and the other parameters tell (Signature.h).

#include "tools/CancelOnInterrupt.h"
#include "tools/cuda/driver/Library.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <list>

using namespace tilewright::cuda;

//===-- Python ------------------------------------------------------------------------------===//

namespace {
/// Clients in Python hold the lock of its interpreter when they launch. While one of these lives,
/// other threads of Python run.
class WithoutPythonLock {
public:
  WithoutPythonLock() {
    if (functions().isHeld && functions().isHeld())
      thread = functions().release();
  }
  ~WithoutPythonLock() {
    if (thread)
      functions().take(thread);
  }
  WithoutPythonLock(const WithoutPythonLock &) = delete;

  /// Whether this thread had the lock.
  bool isInPython() const { return thread; }

private:
  struct Functions {
    int (*isHeld)() = nullptr;
    void *(*release)() = nullptr;
    void (*take)(void *) = nullptr;
  };
  /// Nothing where the process has no Python.
  static const Functions &functions() {
    static const Functions found = [] {
      Functions functions;
      functions.release = reinterpret_cast<void *(*)()>(dlsym(RTLD_DEFAULT, "PyEval_SaveThread"));
      functions.take =
          reinterpret_cast<void (*)(void *)>(dlsym(RTLD_DEFAULT, "PyEval_RestoreThread"));
      if (functions.release && functions.take)
        functions.isHeld = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
      return functions;
    }();
    return found;
  }

  void *thread = nullptr;
};
} // namespace

//===-- Arguments ---------------------------------------------------------------------------===//

namespace {
/// The arguments of one launch, with all that they point to until it was created.
class Arguments {
public:
  Arguments(const CUkern_st &kernel, void *const *words) : kernel(kernel), words(words) {}

  /// As they are: addresses and scalars.
  void takePlain();
  /// With the arrays behind the addresses. False, and said, if these are not known.
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

  uint64_t wordAt(size_t i) const;
  int64_t numberAt(size_t i) const;
  twArgument plainAt(size_t i) const;
  Array &add(uint64_t address, twElementType element, size_t rank);
  const twArray *arrayAt(size_t first, const ArgumentType &type, const std::string &name);
  const twArray *listAt(size_t first, const ArgumentType &type, const std::string &name);

  const CUkern_st &kernel;
  void *const *words;
  std::list<Array> arrays;
  std::list<std::vector<twLink>> links;
};
} // namespace

/// Of a word, the bytes of the parameter's type count.
uint64_t Arguments::wordAt(size_t i) const {
  const CUkern_st::Parameter &parameter = kernel.parameters[i];
  uint64_t word = 0;
  std::memcpy(&word, words[i], parameter.byteCount());
  return word & parameter.mask;
}

/// An extent or a stride.
int64_t Arguments::numberAt(size_t i) const {
  const uint64_t word = wordAt(i);
  return kernel.parameters[i].element == TW_I32 ? int32_t(word) : int64_t(word);
}

twArgument Arguments::plainAt(size_t i) const {
  const CUkern_st::Parameter &parameter = kernel.parameters[i];
  return {nullptr, parameter.isPointer ? TW_ADDRESS : parameter.element, wordAt(i)};
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
  Array &made = add(wordAt(first), kernel.parameters[first].element, type.rank);
  made.call((kernel.knowsNames ? "array " : "") + name);
  for (size_t dim = 0; dim < type.rank; ++dim) {
    made.shape[dim] = numberAt(first + 1 + dim);
    made.strides[dim] = numberAt(first + 1 + type.rank + dim);
  }
  return &made.array;
}

/// A table with a record per array: its address, extents and strides.
const twArray *Arguments::listAt(size_t first, const ArgumentType &type, const std::string &name) {
  const uint64_t address = wordAt(first);
  const int64_t count = numberAt(first + 1), recordSize = 1 + 2 * int64_t(type.rank);
  const auto *table = reinterpret_cast<const int64_t *>(uintptr_t(address));
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
  list.call((kernel.knowsNames ? "list " : "") + name);
  list.shape = {count, recordSize};
  list.strides = {recordSize, 1};
  list.array.shape = list.shape.data();
  list.array.strides = list.strides.data();
  list.array.links = made.data();
  list.array.linkCount = made.size();
  return &list.array;
}

bool Arguments::takeArrays() {
  size_t count = 0;
  if (kernel.signature)
    for (const ArgumentType &type : kernel.signature->arguments)
      count += type.parameterCount();
  if (!kernel.signature || count != kernel.parameters.size()) {
    complain(CUDA_ERROR_NOT_SUPPORTED,
             "kernel @" + kernel.name +
                 ": the reference machine must know the extents of arrays, and the symbol of the "
                 "kernel does not tell them: leave the choice of the symbol to cuTile");
    return false;
  }
  size_t next = 0;
  for (size_t number = 0; number < kernel.signature->arguments.size(); ++number) {
    const ArgumentType &type = kernel.signature->arguments[number];
    const std::string &name = kernel.argumentNames[number];
    const size_t first = next;
    next += type.parameterCount();
    list.push_back(type.kind == ArgumentType::Scalar  ? plainAt(first)
                   : type.kind == ArgumentType::Array ? twArrayArgument(arrayAt(first, type, name))
                                                      : twArrayArgument(listAt(first, type, name)));
    for (size_t i = first + 1; i < next; ++i)
      list.push_back(plainAt(i));
  }
  return true;
}

//===-- What came of it ---------------------------------------------------------------------===//

static CUresult errorOf(const twFinding &finding) {
  if (finding.kind == TW_FAILED_ASSERT)
    return CUDA_ERROR_ASSERT;
  const std::string_view rule = finding.rule;
  if (rule == "alignment")
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  if (rule == "bounds" || rule == "lifetime" || rule == "constant")
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  return CUDA_ERROR_LAUNCH_FAILED;
}

/// Assertions go to standard output, as those of a GPU do, and findings of checks to standard
/// error. The first one that is an error is told at the next synchronisation.
static void report(const twLaunchHandle *launch, twStatus status,
                   const twDiagnostics *diagnostics) {
  const size_t count = twLaunchFindingCount(launch);
  for (size_t i = 0; i < count; ++i) {
    twFinding finding = {};
    finding.size = sizeof finding;
    twLaunchFinding(launch, i, &finding);
    std::fprintf(finding.kind == TW_FAILED_ASSERT ? stdout : stderr, "%s\n", finding.text);
    if (finding.kind != TW_FAILED_ASSERT && finding.severity == TW_ERROR && *finding.help)
      std::fprintf(stderr, "help: %s\n", finding.help);
    if (finding.severity == TW_ERROR)
      leaveError(errorOf(finding));
  }
  if (const int64_t more = twLaunchUnlistedFindings(launch))
    std::fprintf(stderr, "... and %lld more\n", static_cast<long long>(more));
  if (status != TW_SUCCESS && count == 0)
    leaveError(complain(CUDA_ERROR_LAUNCH_FAILED, twDiagnosticsText(diagnostics)));
}

//===-- Launching ---------------------------------------------------------------------------===//

static CUresult run(const CUkern_st &kernel, const twLaunchOptions &options, Arguments &arguments) {
  WithoutPythonLock unlocked;
  twLaunchHandle *launch = nullptr;
  twDiagnostics *diagnostics = nullptr;
  if (twLaunchCreate(kernel.handle, &options, arguments.list.data(), arguments.list.size(), &launch,
                     &diagnostics) != TW_SUCCESS) {
    complain(CUDA_ERROR_INVALID_VALUE, twDiagnosticsText(diagnostics));
    twDiagnosticsDestroy(diagnostics);
    return CUDA_ERROR_INVALID_VALUE;
  }
  twStatus status;
  {
    std::optional<tilewright::tools::CancelOnInterrupt> cancelled;
    if (unlocked.isInPython())
      cancelled.emplace(launch);
    status = twLaunchRun(launch, &diagnostics);
  }
  if (status != TW_SUCCESS || diagnostics)
    report(launch, status, diagnostics);
  twDiagnosticsDestroy(diagnostics);
  twLaunchDestroy(launch);
  // What the kernel printed.
  std::fflush(stdout);
  return CUDA_SUCCESS;
}

/// A tile block is one thread as far as a launch is concerned, and takes no shared memory of the
/// caller. Attributes that only order a launch among others change nothing here.
static CUresult verify(const CUlaunchConfig &config) {
  enum { ignored = 0, cooperative = 2, clusterDimension = 4, programmaticSerialization = 6 };
  if (!config.gridDimX || !config.gridDimY || !config.gridDimZ || !config.blockDimX ||
      !config.blockDimY || !config.blockDimZ)
    return CUDA_ERROR_INVALID_VALUE;
  if (config.gridDimY > 65535 || config.gridDimZ > 65535)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isStream(config.stream))
    return CUDA_ERROR_INVALID_HANDLE;
  for (unsigned i = 0; i < config.attributeCount; ++i)
    if (const unsigned id = config.attributes[i].id;
        id != ignored && id != programmaticSerialization)
      return notSupported(("launch attribute " + std::to_string(id)).c_str());
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                        void **parameters, void **extra) {
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!config || !function)
    return CUDA_ERROR_INVALID_VALUE;
  if (extra)
    return notSupported("cuLaunchKernelEx with extra parameters");
  if (CUresult error = verify(*config))
    return error;
  if (!parameters && !function->parameters.empty())
    return CUDA_ERROR_INVALID_VALUE;
  Arguments arguments(*function, parameters);
  if (state().settings.device == TW_CPU)
    arguments.takePlain();
  else if (!arguments.takeArrays())
    return CUDA_ERROR_NOT_SUPPORTED;
  twLaunchOptions options = {};
  options.size = sizeof options;
  options.grid[0] = config->gridDimX;
  options.grid[1] = config->gridDimY;
  options.grid[2] = config->gridDimZ;
  return run(*function, options, arguments);
}

TW_DRIVER_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                      unsigned gridZ, unsigned blockX, unsigned blockY,
                                      unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                      void **parameters, void **extra) {
  const CUlaunchConfig config = {gridX,  gridY,       gridZ,  blockX,  blockY,
                                 blockZ, sharedBytes, stream, nullptr, 0};
  return cuLaunchKernelEx(&config, function, parameters, extra);
}
