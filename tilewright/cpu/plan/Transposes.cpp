// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Transposes.h.

#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;

/// Whether `inner` is the next dimension with more than one element after `outer`.
static bool follows(llvm::ArrayRef<int64_t> shape, unsigned outer, unsigned inner) {
  return outer < inner &&
         llvm::all_of(
             shape.slice(outer + 1, inner - outer - 1), [](int64_t extent) { return extent == 1; });
}

bool cpu::isTranspose(mlir::Operation *operation) {
  auto op = llvm::dyn_cast<tile::PermuteOp>(operation);
  if (!op)
    return false;
  int64_t last = lastWideDimension(op.getSource().getType().getShape());
  int64_t row = lastWideDimension(op.getResult().getType().getShape());
  return last >= 0 && op.getPermutation()[row] != last;
}

std::optional<Transpose> cpu::transposeOf(mlir::Operation *operation, const Tuning &tuning) {
  if (!isTranspose(operation))
    return std::nullopt;
  auto op = llvm::cast<tile::PermuteOp>(operation);
  auto from = op.getSource().getType().getShape(), to = op.getResult().getType().getShape();
  auto permutation = op.getPermutation();
  int64_t last = lastWideDimension(from), row = lastWideDimension(to);
  unsigned sourceRow = llvm::find(permutation, last) - permutation.begin();
  Transpose transpose{Transpose::Form::Blocks, sourceRow, unsigned(row), 1, {}};
  if (to[row] <= tuning.mostInterleavedRows && follows(to, sourceRow, row))
    transpose.form = Transpose::Form::Interleave;
  else if (from[last] <= tuning.mostInterleavedRows && follows(from, permutation[row], last))
    transpose.form = Transpose::Form::Separate;
  return transpose;
}

int64_t cpu::lanesOf(tile::PermuteOp op, const Transpose &transpose, const Target &target) {
  tile::TileType type = op.getResult().getType();
  const int64_t inRegister = target.vectorBytes / elementwise::wordBytes(type.getElementType());
  const int64_t ofSource = type.getShape()[transpose.sourceRow],
                ofResult = type.getShape()[transpose.resultRow];
  switch (transpose.form) {
  case Transpose::Form::Blocks: // all rows of a block are live at a time
    return std::min({inRegister, target.tuning.mostTransposedRows, ofSource, ofResult});
  case Transpose::Form::Interleave:
    return std::min(inRegister, ofSource);
  case Transpose::Form::Separate:
    return std::min(inRegister, ofResult);
  }
  llvm_unreachable("forms are listed above");
}
