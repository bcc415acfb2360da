// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of instructions that counters distinguish.

#ifndef TILEWRIGHT_PTX_WATCH_KIND_H
#define TILEWRIGHT_PTX_WATCH_KIND_H

#include "tilewright/ptx/text/Module.h"

#include <span>

namespace tilewright::ptx {

enum class Kind : uint8_t {
  Integer, ///< Arithmetic and bits.
  Float,
  Convert,
  Compare, ///< Comparison and selection.
  Move,
  Memory, ///< Loads and stores.
  Atomic,
  Control,
  Warp, ///< shfl, vote, match, redux and others.
  Matrix,
  Barrier, ///< Barriers, fences and mbarriers.
  Copy,    ///< Asynchronous copies: cp.async, bulk and tensor copies.
  Other,
};
inline constexpr unsigned kindCount = 13;

/// `integer`, `float` ...
std::string_view nameOf(Kind kind);
Kind kindOf(const Instruction &instruction);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_KIND_H
