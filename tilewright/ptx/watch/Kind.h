// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sort of work is an instruction? The kinds that counters tell apart.

#ifndef TILEWRIGHT_PTX_WATCH_KIND_H
#define TILEWRIGHT_PTX_WATCH_KIND_H

#include "tilewright/ptx/text/Module.h"

#include <span>

namespace tilewright::ptx {

enum class Kind : uint8_t {
  Integer, ///< Arithmetic and bits.
  Float,
  Convert,
  Compare, ///< And selection.
  Move,
  Memory, ///< Loads and stores.
  Atomic,
  Control,
  Warp, ///< shfl, vote and their relatives.
  Matrix,
  Barrier, ///< And fences, mbarriers.
  Copy,    ///< Asynchronous: cp.async, bulk and tensor copies.
  Other,
};
inline constexpr unsigned kindCount = 13;

/// `integer`, `float` ...
std::string_view nameOf(Kind kind);
Kind kindOf(const Instruction &instruction);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_KIND_H
