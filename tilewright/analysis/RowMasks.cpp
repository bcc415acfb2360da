// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowMasks.h.

#include "tilewright/analysis/RowMasks.h"
#include "tilewright/analysis/AxisInfo.h"

using namespace tilewright;
using analysis::RowMask;
using mlir::Value;

/// Whether the comparison is a range as in RowMask, over integers wide enough to count the elements
/// of the row.
static bool isRange(tile::CmpIOp op, unsigned dim, analysis::AxisInfo &axes) {
  auto type = llvm::cast<tile::TileType>(op.getLhs().getType());
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  bool canCount = width == 64 || type.getShape()[dim] <= int64_t(1) << (width - 1);
  return op.getComparisonPredicate() == tile::ComparisonPredicate::LessThan && canCount &&
         axes.stride(op.getLhs(), dim) == 1 && axes.stride(op.getRhs(), dim) == 0;
}

std::optional<RowMask> analysis::rowMaskOf(Value mask, unsigned dim) {
  AxisInfo axes;
  RowMask found;
  llvm::SmallVector<Value> parts;
  if (mask)
    parts.push_back(mask);
  while (!parts.empty()) {
    Value part = parts.pop_back_val();
    if (axes.stride(part, dim) == 0) {
      found.splats.push_back(part);
      continue;
    }
    if (auto both = part.getDefiningOp<tile::AndIOp>()) {
      parts.append({both.getLhs(), both.getRhs()});
      continue;
    }
    auto compare = part.getDefiningOp<tile::CmpIOp>();
    if (!compare || !isRange(compare, dim, axes))
      return std::nullopt;
    found.ranges.push_back(compare);
  }
  return found;
}
