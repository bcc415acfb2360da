// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Default sanitizer options for sanitized programs; environment variables override them. A finding
// ends the program with a signal, so that no test takes it for an expected error.

// User poisoning is disabled: LLVM's allocators, inlined into our code, poison new memory, but the
// packaged libLLVM and libMLIR, which are not built with AddressSanitizer, allocate it without
// unpoisoning it.
extern "C" const char *__asan_default_options() {
  return "abort_on_error=1:allow_user_poisoning=0:detect_container_overflow=0";
}

extern "C" const char *__ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

extern "C" const char *__tsan_default_options() { return "abort_on_error=1:halt_on_error=1"; }
