// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that XLA launches, in a process-wide map with the attribute `key` of their calls as
// key.

#ifndef TILEWRIGHT_PYTHON_XLAKERNELS_H
#define TILEWRIGHT_PYTHON_XLAKERNELS_H

#include "XlaPlan.h"
#include "xla/ffi/api/c_api.h"

#include <string>

namespace tilewright::python::xla {

/// Thrown by the functions below; ends the call from XLA.
struct Failure {
  XLA_FFI_Error_Code code;
  std::string message;
};

/// Throws the failure for a twStatus. Prints a success's warnings to standard error.
void report(twStatus status, DiagnosticsHandle diagnostics);

/// The inputs from which a kernel is compiled.
struct Source {
  std::string_view bytecode, entry, checks;
};

/// The kernel with this key; if there is none yet, compiles it from the source.
const twKernelHandle *kernelFor(const std::string &key, const Source &source, const XlaPlan &plan);

void keep(const std::string &key, const Kernel &kernel);

} // namespace tilewright::python::xla

#endif // TILEWRIGHT_PYTHON_XLAKERNELS_H
