// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns Ctrl-C into a request to stop, so that a command prints what it has found so far.

#ifndef TILEWRIGHT_TOOLS_INTERRUPT_H
#define TILEWRIGHT_TOOLS_INTERRUPT_H

#include "llvm/Support/Signals.h"

#include <atomic>

namespace tilewright::tools {

/// While an object of this class lives, the first Ctrl-C sets `requested`; a second one ends the
/// program. There is one object at a time.
class Interrupt {
public:
  Interrupt() {
    llvm::sys::SetInterruptFunction([] { requested = true; });
  }
  ~Interrupt() { llvm::sys::SetInterruptFunction(nullptr); }
  Interrupt(const Interrupt &) = delete;
  Interrupt &operator=(const Interrupt &) = delete;

  static inline std::atomic<bool> requested = false;
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_INTERRUPT_H
