// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the permutations that transpose rows into columns. Neighbours in such a result are far
// apart in the source. The result has a buffer, and is computed with vectors: a few rows of the
// source are loaded at a time, and their lanes shuffled (emit/Transposes.cpp).

#ifndef TILEWRIGHT_CPU_PLAN_TRANSPOSES_H
#define TILEWRIGHT_CPU_PLAN_TRANSPOSES_H

#include "tilewright/cpu/plan/ViewRows.h"
#include <optional>

namespace tilewright::cpu {

struct Target;
struct Tuning;

struct Transpose {
  enum class Form : uint8_t {
    Blocks,     ///< Transposes blocks of as many rows as a vector has lanes.
    Interleave, ///< Interleaves a few rows into one.
    Separate,   ///< De-interleaves one row into a few. The source must be in memory.
  };
  Form form;
  unsigned sourceRow; ///< The dimension of the result along which the source's rows lie.
  unsigned resultRow; ///< The dimension along which the result's rows lie.
  /// Lanes of a vector: elements of a source row, or of a result row where rows are separated. A
  /// block has as many rows.
  int64_t lanes = 1;
  TileLoads loads; ///< The loads fused into the source.
};

/// Whether the operation is a permutation that does not keep the source's rows.
bool isTranspose(mlir::Operation *op);

/// The form of a transpose, without lanes and loads; none if the operation is none.
std::optional<Transpose> transposeOf(mlir::Operation *op, const Tuning &tuning);
/// The lanes of a transpose with this form.
int64_t lanesOf(tile::PermuteOp op, const Transpose &transpose, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_TRANSPOSES_H
