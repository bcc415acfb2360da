// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sanitized programs only: what holds where the environment says nothing else. A finding ends
// the program by a signal, so that no test takes it for an error that was expected.

// LLVM's allocators, when inlined into our code, mark fresh memory as poisoned; the packaged
// libLLVM and libMLIR hand it out without unmarking it, since they are not built with
// AddressSanitizer. So poisoning by hand is not believed.
extern "C" const char *__asan_default_options() {
  return "abort_on_error=1:allow_user_poisoning=0:detect_container_overflow=0";
}

extern "C" const char *__ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

extern "C" const char *__tsan_default_options() { return "abort_on_error=1:halt_on_error=1"; }
