// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pause for spin loops, which wait for less time than it takes to put a thread to sleep. The
// instruction lets the other hardware thread of the core run first.

#ifndef TILEWRIGHT_RUNTIME_PAUSE_H
#define TILEWRIGHT_RUNTIME_PAUSE_H

namespace tilewright::runtime {

inline void pauseBriefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_PAUSE_H
