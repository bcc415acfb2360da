// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines cost what? The counts of instructions, gathered by line of the PTX text and, where
// `.loc` says it, by line of the source.

#ifndef TILEWRIGHT_PTX_WATCH_LINES_H
#define TILEWRIGHT_PTX_WATCH_LINES_H

#include "tilewright/ptx/watch/Counters.h"

namespace tilewright::ptx {

struct LineCounts {
  /// Of the source; empty for the PTX text.
  std::string_view file;
  uint32_t line = 0;
  /// What stands there, in PTX only: `ld.global.f32`. The first instruction of the line.
  std::string instruction;
  Counts counts;
};

/// In the order of files and lines. An inlined instruction counts where it was written, and not
/// where it was inlined. Instructions without `.loc` are not there.
std::vector<LineCounts> countsBySourceLine(const Module &module, const Counters &counters);
/// In the order of lines; those that no thread executed are not there.
std::vector<LineCounts> countsByTextLine(const Module &module, const Counters &counters);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_LINES_H
