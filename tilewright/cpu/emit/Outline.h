// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a long kernel compile in time proportional to its length? LLVM's algorithms are
// superlinear in the number of blocks of a function (value numbering) or in its values (scalar
// evolution). So what a long kernel does one after the other becomes functions of bounded length,
// which the kernel calls. Tiles are in the arena; what else one such function computes for another
// is returned.

#ifndef TILEWRIGHT_CPU_EMIT_OUTLINE_H
#define TILEWRIGHT_CPU_EMIT_OUTLINE_H

#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

/// Cuts the function of a kernel while it is emitted.
class Outliner {
public:
  Outliner(LoopBuilder &b, const Frame &frame) : b(b), frame(frame) {}

  /// Where an outlined function would begin: behind an operation of a block, and what there was by
  /// then.
  struct Start {
    mlir::Block *block;
    mlir::Operation *last;
    mlir::Block *lastBlock;
    unsigned count;
  };
  Start start();
  /// Whether what was emitted since then is long enough.
  bool isLong(const Start &start) const;
  /// Outlines what was emitted since then, if that is long and so is the kernel in the end.
  void end(const Start &start);

  /// The operations of the kernel begin.
  void beginKernel() { countBefore = b.operationCount(); }
  /// Makes the functions.
  void endKernel();

  /// Consecutive blocks of a function: from `first` to before `end`. They are entered by a jump to
  /// `first` alone, without arguments, and left by one to `end` alone.
  struct Range {
    mlir::Block *first, *end;
  };

private:
  LoopBuilder &b;
  const Frame &frame;
  unsigned countBefore = 0;
  llvm::SmallVector<Range> ranges; ///< One inside of another one comes first.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_OUTLINE_H
