// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations shared by the files of the extension module `tilewright._native`. It converts Python
// objects to arguments of the C API, and the API's reports to exceptions; code that need not be
// fast is written in Python (tilewright/*.py).

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
using CodeHandle = std::unique_ptr<twCode, Destroyed<twCodeDestroy>>;
using KernelHandle = std::unique_ptr<twKernelHandle, Destroyed<twKernelDestroy>>;
using LaunchHandle = std::unique_ptr<twLaunchHandle, Destroyed<twLaunchDestroy>>;
using DiagnosticsHandle = std::unique_ptr<twDiagnostics, Destroyed<twDiagnosticsDestroy>>;

/// Whether the interpreter is finalizing and this is not its main thread: Python does not wait for
/// such a thread, which must not use the interpreter any more.
bool isLeftBehind();

/// PyEval_RestoreThread for threads that may outlive the interpreter: for these it never returns,
/// because Python would terminate them in a way that C++ does not survive.
void returnToPython(PyThreadState *thread);

/// Calls it without Python's lock, so that other threads can run. It must not throw.
template <typename Call> auto unlocked(Call call) {
  PyThreadState *thread = PyEval_SaveThread();
  const auto result = call();
  returnToPython(thread);
  return result;
}

/// A function or class of `tilewright._records`, with which records are created.
nb::object record(const char *name);

/// Raises the exception for a status other than success (tilewright/_records.py), or issues a
/// warning if a success has a report. `findings` and `exploration` may be None.
void report(twStatus status, const twDiagnostics *diagnostics, nb::object findings = nb::none(),
            nb::object exploration = nb::none());

/// The findings of the last run of a launch, as a list of `Finding`.
nb::list findingsOf(const twLaunchHandle *launch);
/// What the last run of an exhaustive launch found, as an `Exploration`.
nb::object explorationOf(const twLaunchHandle *launch);
/// As a `TraceRecord`.
nb::object recordOf(const twTraceRecord &line);

/// Define the parts of the module.
void defineModule(nb::module_ &module);
void defineKernel(nb::module_ &module);
void defineXla(nb::module_ &module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_NATIVE_H
