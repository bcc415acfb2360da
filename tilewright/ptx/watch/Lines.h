// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts by line: the counters of instructions, summed per line of the PTX text and, where `.loc`
// gives it, per source line.

#ifndef TILEWRIGHT_PTX_WATCH_LINES_H
#define TILEWRIGHT_PTX_WATCH_LINES_H

#include "tilewright/ptx/watch/Counters.h"

namespace tilewright::ptx {

struct LineCounts {
  /// Source file; empty for the PTX text.
  std::string_view file;
  uint32_t line = 0;
  /// For lines of PTX: the first instruction of the line, as `ld.global.f32`.
  std::string instruction;
  Counts counts;
};

/// Sorted by file and line. An inlined instruction counts at the line where it was written, not
/// where it was inlined. Instructions without `.loc` are left out.
std::vector<LineCounts> countsBySourceLine(const Module &module, const Counters &counters);
/// Sorted by line; lines that no thread executed are left out.
std::vector<LineCounts> countsByTextLine(const Module &module, const Counters &counters);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_LINES_H
