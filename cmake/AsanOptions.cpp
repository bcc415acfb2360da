// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sanitized programs only. LLVM's allocators, when inlined into our code, mark fresh
// memory as poisoned; the packaged libLLVM and libMLIR hand it out without unmarking it,
// since they are not built with AddressSanitizer. So poisoning by hand is not believed.

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}
