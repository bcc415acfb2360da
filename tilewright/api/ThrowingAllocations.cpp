// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ThrowingAllocations.h.

#include "tilewright/api/ThrowingAllocations.h"

#include "llvm/Support/ErrorHandling.h"

#include <mutex>
#include <new>

using namespace tilewright::api;

/// LLVM has one handler, for all threads: the first installs it, the last removes it.
static std::mutex mutex;
static int count = 0;

ThrowingAllocations::ThrowingAllocations() {
  std::lock_guard lock(mutex);
  if (count++ == 0)
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { throw std::bad_alloc(); });
}

ThrowingAllocations::~ThrowingAllocations() {
  std::lock_guard lock(mutex);
  if (--count == 0)
    llvm::remove_bad_alloc_error_handler();
}
