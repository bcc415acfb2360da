// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Groups.h.

#include "tilewright/draw/Groups.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilewright::draw {

namespace {
/// The bounding box of a group's cells on one layer.
struct Box {
  size_t top, left, bottom, right; ///< Inclusive.
  size_t cells;
  StringRef label;
  bool hasOneLabel;

  void add(size_t row, size_t column, StringRef its) {
    left = std::min(left, column);
    right = std::max(right, column);
    bottom = row;
    ++cells;
    hasOneLabel &= label == its;
  }
  size_t rows() const { return bottom - top + 1; }
  size_t columns() const { return right - left + 1; }
  bool isFull() const { return cells == rows() * columns(); }
};
} // namespace

std::vector<LabeledGroup> labeledGroups(const Picture &picture) {
  MapVector<std::pair<int64_t, size_t>, Box> boxes;
  for (size_t row = 0; row < picture.rows(); ++row)
    for (size_t column = 0; column < picture.columns(); ++column) {
      const Cell *cell = picture.at(row, column);
      for (auto [layer, part] : enumerate(cell ? ArrayRef(cell->parts) : ArrayRef<Part>())) {
        if (part.isEmpty())
          continue;
        auto [found, isNew] =
            boxes.insert({{part.group, layer}, {row, column, row, column, 0, part.label, true}});
        found->second.add(row, column, part.label);
      }
    }
  std::vector<LabeledGroup> groups;
  for (const auto &[key, box] : boxes)
    if (box.isFull() && box.hasOneLabel)
      groups.push_back(
          {box.top, box.left, box.rows(), box.columns(), /*layer=*/key.second, box.label});
  return groups;
}

} // namespace tilewright::draw
