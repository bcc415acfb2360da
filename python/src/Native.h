// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the extension module `tilewright._native` share. It turns Python's objects into
// what the C API takes, and what that reports into exceptions; whatever needs no speed is written
// in Python (tilewright/*.py).

#ifndef TILEWRIGHT_PYTHON_NATIVE_H
#define TILEWRIGHT_PYTHON_NATIVE_H

#include "tilewright/api/Tilewright.h"

#include <memory>
#include <nanobind/nanobind.h>

namespace tilewright::python {

namespace nb = nanobind;

/// Handles of the C API, each released by its own function.
template <auto destroy> struct Destroyed {
  template <typename T> void operator()(T *handle) const { destroy(handle); }
};
using ContextHandle = std::unique_ptr<twContext, Destroyed<twContextDestroy>>;
using ModuleHandle = std::unique_ptr<twModule, Destroyed<twModuleDestroy>>;
using KernelHandle = std::unique_ptr<twKernelHandle, Destroyed<twKernelDestroy>>;
using LaunchHandle = std::unique_ptr<twLaunchHandle, Destroyed<twLaunchDestroy>>;
using DiagnosticsHandle = std::unique_ptr<twDiagnostics, Destroyed<twDiagnosticsDestroy>>;

/// Whether the interpreter is ending and this is not its main thread: a thread that Python does not
/// wait for, and that must not use it any more.
bool isLeftBehind();

/// PyEval_RestoreThread for threads that may be left behind, which never return from here: Python
/// would end them in a way that C++ does not survive.
void returnToPython(PyThreadState *thread);

/// Calls it without Python's lock, so that other threads run. It must not throw.
template <typename Call> auto unlocked(Call call) {
  PyThreadState *thread = PyEval_SaveThread();
  const auto result = call();
  returnToPython(thread);
  return result;
}

/// What an object of the package `tilewright._records` is made from: a function or class there.
nb::object record(const char *name);

/// Raises the exception for a status other than success (tilewright/_records.py), or warns of what
/// a success reports. `findings` may be none.
void report(twStatus status, const twDiagnostics *diagnostics, nb::object findings = nb::none());

/// What the last run of a launch found, as a list of `Finding`.
nb::list findingsOf(const twLaunchHandle *launch);

/// The parts of the module.
void defineModule(nb::module_ &module);
void defineKernel(nb::module_ &module);
void defineXla(nb::module_ &module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_NATIVE_H
