// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is loaded: a library is a program from a container, a kernel an entry of it, which is
// compiled when somebody asks for it.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H

#include "tools/cuda/driver/Signature.h"
#include "tools/cuda/driver/State.h"

#include <memory>

struct CUkern_st {
  CUlibrary library;
  std::string name;
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
  std::vector<Parameter> parameters = {};
  /// On the reference machine, if the symbol tells.
  std::optional<tilewright::cuda::Signature> signature = {};
  /// What findings call each of its arguments: `x`, or `argument 2` where the names are not known.
  std::vector<std::string> argumentNames = {};
  bool knowsNames = false;

  ~CUkern_st() { twKernelDestroy(handle); }
};

struct CUlib_st {
  twModule *module = nullptr;
  twOptimization optimization = TW_O2;
  bool debugInfo = false;
  std::mutex mutex = {};
  std::map<std::string, std::unique_ptr<CUkern_st>> kernels = {};

  ~CUlib_st() {
    kernels.clear();
    twModuleDestroy(module);
  }
};

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_LIBRARY_H
