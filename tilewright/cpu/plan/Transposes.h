// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which permutations transpose rows into columns? Neighbours of such a result are far apart in what
// it permutes. It has a buffer of its own, and is made by vectors all the same: rows of the source
// are taken a few at a time, and their lanes shuffled (emit/Transposes.cpp).

#ifndef TILEWRIGHT_CPU_PLAN_TRANSPOSES_H
#define TILEWRIGHT_CPU_PLAN_TRANSPOSES_H

#include "tilewright/cpu/plan/ViewRows.h"
#include <optional>

namespace tilewright::cpu {

struct Transpose {
  enum class Form : uint8_t {
    Blocks,     ///< As many rows as lanes become as many rows.
    Interleave, ///< A few rows become one, of one element of each after the other.
    Separate,   ///< One row becomes a few. The source has to be in memory.
  };
  Form form;
  unsigned sourceRow; ///< The dimension of the result along which rows of the source lie.
  unsigned resultRow; ///< The one along which its own lie.
  TileLoads loads;    ///< Fused with the source.
};

/// None if it is no permutation, or rows of the result are rows of the source.
std::optional<Transpose> transposeOf(mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_TRANSPOSES_H
