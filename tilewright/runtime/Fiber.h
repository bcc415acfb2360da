// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers: they let a block stop in the middle, so that another block can run on the same thread. A
// fiber has a stack of its own; `resume` enters it and `suspend` leaves it. A fiber stays on the
// thread that started it.

#ifndef TILEWRIGHT_RUNTIME_FIBER_H
#define TILEWRIGHT_RUNTIME_FIBER_H

#include <cstddef>
#include <ucontext.h>

namespace tilewright::runtime {

class Fiber {
public:
  /// The size of a fiber's stack. Only the pages that are touched take memory; an overflow ends the
  /// process.
  static constexpr size_t stackBytes = size_t(1) << 19;

  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  using Function = void (*)(void *argument);

  /// Prepares to call `function(argument)` at the next `resume`. An earlier call is abandoned, even
  /// if it has not returned. False: there is no memory for a stack.
  [[nodiscard]] bool start(Function function, void *argument);

  /// Runs the fiber until it suspends or its function returns. True: the function has returned.
  bool resume();

  /// Leaves this fiber, which must be the running one. The next `resume` continues here.
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

  /// State for the sanitizers, which are notified of stack switches (Fiber.cpp).
  struct Watch {
    const void *outsideStack = nullptr;
    size_t outsideBytes = 0;
    void *inside = nullptr, *outside = nullptr;
  } watch;
  friend struct Watcher;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FIBER_H
