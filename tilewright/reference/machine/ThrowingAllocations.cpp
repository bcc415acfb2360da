// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ThrowingAllocations.h.

#include "tilewright/reference/machine/ThrowingAllocations.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

using namespace tilewright::reference;

/// LLVM has one handler for all threads: the first object installs it, and the last one removes it.
static std::mutex mutex;
static int count = 0;

/// The number of objects that live in this thread.
static thread_local int depth = 0;

static void handle(void *, const char *reason, bool) {
  if (depth > 0)
    throw std::bad_alloc();
  // The handler must not return; this is what LLVM does without a handler.
  std::fprintf(stderr, "LLVM ERROR: out of memory\n%s\n", reason);
  std::abort();
}

ThrowingAllocations::ThrowingAllocations() {
  std::lock_guard lock(mutex);
  if (count++ == 0)
    llvm::install_bad_alloc_error_handler(handle);
  ++depth;
}

ThrowingAllocations::~ThrowingAllocations() {
  --depth;
  std::lock_guard lock(mutex);
  if (--count == 0)
    llvm::remove_bad_alloc_error_handler();
}
