// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outlining: keeps the compile time of long kernels proportional to their length. Some LLVM
// algorithms are superlinear in the number of blocks of a function (value numbering) or in its
// values (scalar evolution). So consecutive parts of a long kernel become functions of bounded
// length, which the kernel calls. Tiles are in the arena; a function returns the other values that
// later parts use.

#ifndef TILEWRIGHT_CPU_EMIT_OUTLINE_H
#define TILEWRIGHT_CPU_EMIT_OUTLINE_H

#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

struct Tuning;

/// Outlines parts of a kernel's function while it is emitted.
class Outliner {
public:
  Outliner(LoopBuilder &b, const Frame &frame, const Tuning &tuning)
      : b(b), frame(frame), tuning(tuning) {}

  /// The possible begin of an outlined function: a position in a block, and the number of
  /// operations so far.
  struct Start {
    mlir::Block *block;
    mlir::Operation *last;
    mlir::Block *lastBlock;
    unsigned count;
  };
  Start start();
  /// Whether the code emitted since then is long enough.
  bool isLong(const Start &start) const;
  /// Outlines the code emitted since then, if it is long, and the whole kernel turns out to be
  /// long.
  void end(const Start &start);

  /// Called before the first operation of the kernel.
  void beginKernel() { countBefore = b.operationCount(); }
  /// Creates the outlined functions.
  void endKernel();

  /// Consecutive blocks of a function: from `first` up to, but not including, `end`. The only entry
  /// is a jump to `first` without arguments, and the only exit a jump to `end`.
  struct Range {
    mlir::Block *first, *end;
  };

private:
  LoopBuilder &b;
  const Frame &frame;
  const Tuning &tuning;
  unsigned countBefore = 0;
  llvm::SmallVector<Range> ranges; ///< Nested ranges precede those that contain them.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_OUTLINE_H
