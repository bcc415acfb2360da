// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Heap.h.

#include "Heap.h"

#include <algorithm>
#include <cassert>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/lsan_interface.h>

using namespace tilewright::fuzz;

static int64_t liveBytes = 0;
static int64_t peakBytes = 0;
static bool listening = false;

static void onMalloc(const volatile void *, size_t size) {
  if (!listening)
    return;
  liveBytes += size;
  peakBytes = std::max(peakBytes, liveBytes);
}

static void onFree(const volatile void *block) {
  if (listening && block)
    liveBytes -= __sanitizer_get_allocated_size(block);
}

HeapListener::HeapListener() {
  static const int hooks = __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree);
  assert(hooks > 0 && "the allocator has no hook to spare");
  assert(!listening && "one listener at a time");
  (void)hooks;
  listening = true;
}

HeapListener::~HeapListener() { listening = false; }

int64_t HeapListener::live() { return liveBytes; }
int64_t HeapListener::peak() { return peakBytes; }
void HeapListener::forgetPeak() { peakBytes = liveBytes; }

bool tilewright::fuzz::findLeaks() { return __lsan_do_recoverable_leak_check() != 0; }
