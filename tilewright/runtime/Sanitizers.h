// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notifies AddressSanitizer and ThreadSanitizer when stacks are switched and when one thread passes
// memory to another, which they cannot see in code that is not instrumented. This room may be part
// of a sanitized program without being instrumented itself, so the sanitizers' functions are weak
// symbols, called only if they are linked in.

#ifndef TILEWRIGHT_RUNTIME_SANITIZERS_H
#define TILEWRIGHT_RUNTIME_SANITIZERS_H

#include <cstddef>

// As sanitizer/{asan,tsan,common}_interface.h declare them.
extern "C" {
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void *memory, size_t size);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **fakeStack, const void *bottom,
                                                  size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *fakeStack, const void **oldBottom,
                                                   size_t *oldSize);
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void *__tsan_get_current_fiber();
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void *address);
[[gnu::weak]] void __tsan_release(void *address);
}

namespace tilewright::runtime {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TW_SEES_ATOMICS 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define TW_SEES_ATOMICS 1
#endif

/// What this thread did before it releases `address` happens before what another thread does after
/// it acquires it. If ThreadSanitizer sees our atomic operations, it derives that order itself, and
/// these functions do nothing.
inline void annotateRelease(void *address) {
#ifndef TW_SEES_ATOMICS
  if (__tsan_release)
    __tsan_release(address);
#endif
}
inline void annotateAcquire(void *address) {
#ifndef TW_SEES_ATOMICS
  if (__tsan_acquire)
    __tsan_acquire(address);
#endif
}

#undef TW_SEES_ATOMICS

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_SANITIZERS_H
