// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Register.h"

using namespace tilewright;
using namespace tilewright::reference;

static bool haveEqualElements(const Tile &one, const Tile &other) {
  for (int64_t i = 0; i < one.size(); ++i)
    if (one[i] != other[i] || one.markOf(i) != other.markOf(i))
      return false;
  return true;
}

bool reference::areEqual(const Register &one, const Register &other) {
  if (one.index() != other.index())
    return false;
  // Pending results are not known to be equal.
  if (std::holds_alternative<PendingTile>(one))
    return false;
  if (auto *tile = std::get_if<Tile>(&one))
    return haveEqualElements(*tile, std::get<Tile>(other));
  if (auto *view = std::get_if<TensorView>(&one)) {
    const TensorView &otherView = std::get<TensorView>(other);
    return view->base == otherView.base && view->extents == otherView.extents &&
           view->strides == otherView.strides && view->extentMarks == otherView.extentMarks;
  }
  return true;
}
