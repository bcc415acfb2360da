// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Transposes.h.

#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/cpu/plan/Operations.h"

using namespace tilewright;
using namespace tilewright::cpu;

/// Up to this number of rows are interleaved instead of transposed in blocks.
static constexpr int64_t few = 4;

/// Whether `inner` is the next dimension with more than one element after `outer`.
static bool follows(llvm::ArrayRef<int64_t> shape, unsigned outer, unsigned inner) {
  return outer < inner &&
         llvm::all_of(
             shape.slice(outer + 1, inner - outer - 1), [](int64_t extent) { return extent == 1; });
}

std::optional<Transpose> cpu::transposeOf(mlir::Operation *operation) {
  auto op = llvm::dyn_cast<tile::PermuteOp>(operation);
  if (!op)
    return std::nullopt;
  auto from = op.getSource().getType().getShape(), to = op.getResult().getType().getShape();
  auto permutation = op.getPermutation();
  int64_t last = lastWideDimension(from), row = lastWideDimension(to);
  if (last < 0 || permutation[row] == last)
    return std::nullopt;
  unsigned sourceRow = llvm::find(permutation, last) - permutation.begin();
  Transpose transpose{Transpose::Form::Blocks, sourceRow, unsigned(row), {}};
  if (to[row] <= few && follows(to, sourceRow, row))
    transpose.form = Transpose::Form::Interleave;
  else if (from[last] <= few && follows(from, permutation[row], last))
    transpose.form = Transpose::Form::Separate;
  return transpose;
}
