// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where are the kernels that XLA launches? In a map of the process, under the attribute `key` of
// their calls.

#ifndef TILEWRIGHT_PYTHON_XLAKERNELS_H
#define TILEWRIGHT_PYTHON_XLAKERNELS_H

#include "XlaPlan.h"
#include "xla/ffi/api/c_api.h"

#include <string>

namespace tilewright::python::xla {

/// Thrown by what follows: it ends a call of XLA's.
struct Failure {
  XLA_FFI_Error_Code code;
  std::string message;
};

/// Throws what a twStatus stands for. Writes the warnings of a success to standard error.
void report(twStatus status, DiagnosticsHandle diagnostics);

/// What a kernel is compiled from.
struct Source {
  std::string_view bytecode, entry, checks;
};

/// The kernel that is kept under the key; without one, what the source is compiled to is kept.
const twKernelHandle *kernelFor(const std::string &key, const Source &source, const XlaPlan &plan);

void keep(const std::string &key, const Kernel &kernel);

} // namespace tilewright::python::xla

#endif // TILEWRIGHT_PYTHON_XLAKERNELS_H
