// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks are switched with ucontext (C library). AddressSanitizer and ThreadSanitizer track stacks
// and threads, and are notified before and after each switch.

#include "tilewright/runtime/Fiber.h"
#include "tilewright/runtime/Sanitizers.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilewright::runtime;

//===-- Notifying the sanitizers --------------------------------------------------------------===//

namespace tilewright::runtime {
struct Watcher {
  static void forget(Fiber &fiber) {
    if (fiber.watch.inside)
      __tsan_destroy_fiber(fiber.watch.inside);
    fiber.watch.inside = nullptr;
  }
  static void start(Fiber &fiber) {
    forget(fiber);
    if (__asan_unpoison_memory_region)
      __asan_unpoison_memory_region(fiber.stack, Fiber::stackBytes);
    if (__tsan_create_fiber)
      fiber.watch.inside = __tsan_create_fiber(0);
  }
  /// Before the switch into the fiber; `fakeStack` belongs to the thread.
  static void beforeEnter(Fiber &fiber, void **fakeStack) {
    if (__sanitizer_start_switch_fiber)
      __sanitizer_start_switch_fiber(fakeStack, fiber.stack, Fiber::stackBytes);
    if (!fiber.watch.inside)
      return;
    fiber.watch.outside = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber.watch.inside, 0);
  }
  /// In the fiber, after the switch; `fakeStack` belongs to the fiber.
  static void afterEnter(Fiber &fiber, void *fakeStack) {
    if (__sanitizer_finish_switch_fiber)
      __sanitizer_finish_switch_fiber(fakeStack, &fiber.watch.outsideStack,
                                      &fiber.watch.outsideBytes);
  }
  static void beforeLeave(Fiber &fiber, void **fakeStack) {
    if (__sanitizer_start_switch_fiber)
      __sanitizer_start_switch_fiber(fakeStack, fiber.watch.outsideStack, fiber.watch.outsideBytes);
    if (fiber.watch.inside)
      __tsan_switch_to_fiber(fiber.watch.outside, 0);
  }
  static void afterLeave(void *fakeStack) {
    if (__sanitizer_finish_switch_fiber)
      __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
  }
};
} // namespace tilewright::runtime

//===-- Switching -----------------------------------------------------------------------------===//

bool Fiber::start(Function function, void *argument) {
  if (!stack && !allocateStack())
    return false;
  Watcher::start(*this);
  this->function = function;
  this->argument = argument;
  hasReturned = false;
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = stackBytes;
  inside.uc_link = nullptr;
  // makecontext passes arguments of type int.
  auto self = uintptr_t(this);
  makecontext(&inside, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              unsigned(uint64_t(self) >> 32), unsigned(self));
  return true;
}

void Fiber::enter(unsigned high, unsigned low) {
  Fiber &fiber = *reinterpret_cast<Fiber *>(uintptr_t(uint64_t(high) << 32 | low));
  Watcher::afterEnter(fiber, nullptr);
  fiber.function(fiber.argument);
  fiber.hasReturned = true;
  fiber.leave(/*forever=*/true);
}

bool Fiber::resume() {
  void *fakeStack = nullptr;
  Watcher::beforeEnter(*this, &fakeStack);
  swapcontext(&outside, &inside);
  Watcher::afterLeave(fakeStack);
  return hasReturned;
}

void Fiber::leave(bool forever) {
  void *fakeStack = nullptr;
  Watcher::beforeLeave(*this, forever ? nullptr : &fakeStack);
  swapcontext(&inside, &outside);
  Watcher::afterEnter(*this, fakeStack);
}

//===-- Stacks --------------------------------------------------------------------------------===//

bool Fiber::allocateStack() {
  const size_t guard = size_t(sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, guard + stackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  // Stacks grow downwards: an overflow hits the guard page.
  if (mprotect(memory, guard, PROT_NONE) != 0) {
    munmap(memory, guard + stackBytes);
    return false;
  }
  stack = static_cast<char *>(memory) + guard;
  return true;
}

Fiber::~Fiber() {
  Watcher::forget(*this);
  if (!stack)
    return;
  const size_t guard = size_t(sysconf(_SC_PAGESIZE));
  munmap(static_cast<char *>(stack) - guard, guard + stackBytes);
}
