// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a block stop in the middle and let another one run on the same thread? It runs on
// a fiber: a stack of its own, entered by `resume` and left by `suspend`. A fiber stays on
// the thread that started it.

#ifndef TILEWRIGHT_RUNTIME_FIBER_H
#define TILEWRIGHT_RUNTIME_FIBER_H

#include <cstddef>
#include <ucontext.h>

namespace tilewright::runtime {

class Fiber {
public:
  /// Of a fiber's stack. Only what is touched takes memory; beyond its end the process stops.
  static constexpr size_t stackBytes = size_t(1) << 19;

  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  using Function = void (*)(void *argument);

  /// Prepares to call `function(argument)` at the next `resume`. What the fiber did before is
  /// over, even if it has not returned. False: there is no memory for a stack.
  [[nodiscard]] bool start(Function function, void *argument);

  /// Runs the fiber until it suspends or its function returns. True: it has returned.
  bool resume();

  /// Leaves this fiber, which is the one that runs. It goes on here when it is resumed.
  void suspend() { leave(/*forever=*/false); }

private:
  static void enter(unsigned high, unsigned low);
  void leave(bool forever);
  [[nodiscard]] bool allocateStack();

  void *stack = nullptr;
  Function function = nullptr;
  void *argument = nullptr;
  bool hasReturned = true;
  ucontext_t inside, outside;

  /// What the sanitizers have to be told when the stack changes (Fiber.cpp).
  struct Watch {
    const void *outsideStack = nullptr;
    size_t outsideBytes = 0;
    void *inside = nullptr, *outside = nullptr;
  } watch;
  friend struct Watcher;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FIBER_H
