// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a thread wait that expects to wait for less than it takes to fall asleep? It looks
// again and again, and in between tells the processor so, which then lets the other thread of
// its core go first.

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
