// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is loaded: a library is a program from a container, a kernel an entry of it, which is
// compiled when somebody asks for it.

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

  /// A handle only: the kernel may outlive its library.
  const CUlibrary library;
  const std::string name;
  twKernelHandle *handle = nullptr;
  struct Parameter {
    bool isPointer;
    twElementType element;
    /// The bits that count of the word that a launcher passes.
    uint64_t mask;
    /// How many bytes of it are read.
    size_t byteCount() const {
      return mask <= 0xFF ? 1 : mask <= 0xFFFF ? 2 : mask <= 0xFFFFFFFF ? 4 : 8;
    }
  };
  std::vector<Parameter> parameters;
  /// On the reference machine, if the symbol tells.
  std::optional<tilewright::cuda::Signature> signature;
  /// What findings call each of its arguments: `x`, or `argument 2` where the names are not known.
  std::vector<std::string> argumentNames;
  bool knowsNames = false;
};

struct CUlib_st {
  CUlib_st() = default;
  ~CUlib_st() { tilewright::cuda::api().twModuleDestroy(module); }
  CUlib_st(const CUlib_st &) = delete;

  twModule *module = nullptr;
  twOptimization optimization = TW_O2;
  bool debugInfo = false;
  std::mutex mutex;
  /// Those that somebody has asked for.
  std::map<std::string, std::shared_ptr<CUkern_st>> kernels;
};

namespace tilewright::cuda {

using SharedKernel = std::shared_ptr<const CUkern_st>;

/// Null if there is no such kernel, or its library was unloaded.
SharedKernel findKernel(CUkernel handle);

/// One word for each parameter: the bytes of its type count. False if one of the pointers is null.
bool copyParameters(const CUkern_st &kernel, void *const *pointers, std::vector<uint64_t> &words);

/// Runs the kernel on the words that copyParameters makes. What the kernel does wrong is left for
/// the next synchronisation.
CUresult launch(const CUkern_st &kernel, const CUlaunchConfig &config,
                const std::vector<uint64_t> &words);

/// Whether a kernel can be launched like this.
CUresult verifyLaunch(const CUlaunchConfig &config);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H
