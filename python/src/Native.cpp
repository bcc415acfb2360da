// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension module `tilewright._native`.

#include "Native.h"

#include <atomic>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::python;

static std::atomic<bool> isEnding = false;
/// The number of threads that wait for Python's lock, or are about to.
static std::atomic<int> returning = 0;

bool python::isLeftBehind() { return isEnding && getpid() != gettid(); }

void python::returnToPython(PyThreadState *thread) {
  ++returning;
  if (isLeftBehind()) {
    --returning;
    for (;;)
      pause();
  }
  PyEval_RestoreThread(thread);
  --returning;
}

/// From here on, only the main thread waits for the lock.
static void beginToEnd() {
  isEnding = true;
  PyThreadState *thread = PyEval_SaveThread();
  while (returning)
    usleep(100);
  PyEval_RestoreThread(thread);
}

static nb::dict cutileAdvice() {
  nb::dict advice;
#define WITHOUT_UNSPECIFIED "launch with check=\"no-unspecified\""
#define ADVICE(check, text) advice[check] = text;
#include "tools/CutileAdvice.def"
#undef ADVICE
#undef WITHOUT_UNSPECIFIED
  return advice;
}

NB_MODULE(_native, module) {
  // Kernels may live until the interpreter ends.
  nb::set_leak_warnings(false);
  module.doc() = "Tilewright's C API for Python. Use the package `tilewright`.";
  module.def("library_version", &twLibraryVersion, "The version of the library: `0.1.0`.");
  module.def("cutile_advice", &cutileAdvice,
             "For each check, how to correct a kernel of cuTile of which it found something.");
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(beginToEnd));
  defineModule(module);
  defineKernel(module);
  defineXla(module);
}
