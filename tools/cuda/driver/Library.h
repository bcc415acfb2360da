// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries and kernels: a library is a program loaded from a container, a kernel is one of its
// entries, compiled when a client requests it.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H

#include "tools/cuda/driver/Compiler.h"
#include "tools/cuda/driver/Signature.h"
#include "tools/cuda/driver/State.h"

#include <map>

struct CUkern_st {
  CUkern_st(CUlibrary library, std::string name) : library(library), name(std::move(name)) {}
  ~CUkern_st() { tilewright::cuda::api().twKernelDestroy(handle); }
  CUkern_st(const CUkern_st &) = delete;

  /// A handle only, because the kernel may outlive its library.
  const CUlibrary library;
  const std::string name;
  twKernelHandle *handle = nullptr;
  struct Parameter {
    bool isPointer;
    twElementType element;
    /// The significant bits of the word that a launcher passes.
    uint64_t mask;
    /// The number of bytes that are read.
    size_t byteCount() const {
      return mask <= 0xFF ? 1 : mask <= 0xFFFF ? 2 : mask <= 0xFFFFFFFF ? 4 : 8;
    }
  };
  std::vector<Parameter> parameters;
  /// For the reference machine, if the symbol contains it.
  std::optional<tilewright::cuda::Signature> signature;
  /// The names of the arguments in findings: `x`, or `argument 2` if the names are unknown.
  std::vector<std::string> argumentNames;
  bool hasNames = false;
};

struct CUlib_st {
  CUlib_st() = default;
  ~CUlib_st() { tilewright::cuda::api().twModuleDestroy(module); }
  CUlib_st(const CUlib_st &) = delete;

  twModule *module = nullptr;
  twOptimization optimization = TW_O2;
  bool debugInfo = false;
  std::mutex mutex;
  /// The kernels that clients have requested.
  std::map<std::string, std::shared_ptr<CUkern_st>> kernels;
};

namespace tilewright::cuda {

using SharedKernel = std::shared_ptr<const CUkern_st>;

/// Null if the kernel does not exist, or its library was unloaded.
SharedKernel findKernel(CUkernel handle);

/// Reads one word per parameter, in the width of its type. Returns false if one of the pointers is
/// null.
bool copyParameters(const CUkern_st &kernel, void *const *pointers, std::vector<uint64_t> &words);

/// Runs the kernel on the words from copyParameters. Kernel errors are kept for the next
/// synchronisation.
CUresult launch(const CUkern_st &kernel, const CUlaunchConfig &config,
                const std::vector<uint64_t> &words);

/// Checks that a kernel can be launched with this configuration.
CUresult verifyLaunch(const CUlaunchConfig &config);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H
