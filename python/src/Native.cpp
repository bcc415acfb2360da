// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension module `tilewright._native`.

#include "Native.h"

using namespace tilewright::python;

NB_MODULE(_native, module) {
  module.doc() = "Tilewright's C API for Python. Use the package `tilewright`.";
  module.def("library_version", &twLibraryVersion, "The version of the library: `0.1.0`.");
  defineModule(module);
  defineKernel(module);
}
