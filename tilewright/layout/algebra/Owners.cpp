// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes indices into mixed radix digits, and composes them.

#include "tilewright/layout/algebra/Owners.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;

namespace tilewright::layout {

Digits digitsOf(const Dim &dim, int64_t index) {
  Digits digits;
  auto take = [&index](int64_t count) {
    int64_t digit = index % count;
    index /= count;
    return digit;
  };
  digits.element = take(dim.elements);
  digits.thread = take(dim.threads);
  digits.outer = take(dim.outers);
  digits.batch = take(dim.batches);
  digits.subgroup = index;
  return digits;
}

int64_t indexOf(const Dim &dim, const Digits &digits) {
  int64_t index = digits.subgroup;
  index = index * dim.batches + digits.batch;
  index = index * dim.outers + digits.outer;
  index = index * dim.threads + digits.thread;
  return index * dim.elements + digits.element;
}

/// A digit without stride is not distributed: every thread has position 0 (layouts, 1.5).
static int64_t virtualId(int64_t id, int64_t stride, int64_t size) {
  return stride == 0 ? 0 : id / stride % size;
}

SmallVector<Digits, 4> virtualIds(const Layout &layout, Workgroup workgroup, int64_t thread) {
  int64_t subgroup = thread / workgroup.lanes, lane = thread % workgroup.lanes;
  return map_to_vector<4>(layout.dims(), [&](const Dim &dim) {
    Digits digits;
    digits.subgroup = virtualId(subgroup, dim.subgroupStride, dim.subgroups);
    digits.thread = virtualId(lane, dim.threadStride, dim.threads);
    return digits;
  });
}

// --- Registers ------------------------------------------------------------------------

Numbers elementAt(const Layout &layout, Workgroup workgroup, int64_t thread, int64_t reg) {
  SmallVector<Digits, 4> digits = virtualIds(layout, workgroup, thread);
  // The fastest register digit is the element digit of the last dimension, and the slowest is the
  // batch digit of the first.
  auto take = [&](int64_t Dim::*count, int64_t Digits::*digit) {
    for (size_t dim = layout.rank(); dim-- > 0;) {
      digits[dim].*digit = reg % (layout[dim].*count);
      reg /= layout[dim].*count;
    }
  };
  take(&Dim::elements, &Digits::element);
  take(&Dim::outers, &Digits::outer);
  take(&Dim::batches, &Digits::batch);
  Numbers element;
  for (auto [dim, at] : zip_equal(layout.dims(), digits))
    element.push_back(indexOf(dim, at));
  return element;
}

int64_t registerOf(const Layout &layout, ArrayRef<int64_t> element) {
  SmallVector<Digits, 4> digits;
  for (auto [dim, index] : zip_equal(layout.dims(), element))
    digits.push_back(digitsOf(dim, index));
  int64_t reg = 0;
  auto put = [&](int64_t Dim::*count, int64_t Digits::*digit) {
    for (auto [dim, at] : zip_equal(layout.dims(), digits))
      reg = reg * (dim.*count) + at.*digit;
  };
  put(&Dim::batches, &Digits::batch);
  put(&Dim::outers, &Digits::outer);
  put(&Dim::elements, &Digits::element);
  return reg;
}

// --- Owners ---------------------------------------------------------------------------

Numbers ownersOf(const Layout &layout, Workgroup workgroup, ArrayRef<int64_t> element) {
  auto holds = [&](int64_t thread) {
    SmallVector<Digits, 4> ids = virtualIds(layout, workgroup, thread);
    return all_of(zip_equal(layout.dims(), ids, element), [](auto item) {
      auto &[dim, id, index] = item;
      Digits wanted = digitsOf(dim, index);
      return wanted.subgroup == id.subgroup && wanted.thread == id.thread;
    });
  };
  Numbers owners;
  for (int64_t thread = 0; thread < workgroup.threads; ++thread)
    if (holds(thread))
      owners.push_back(thread);
  return owners;
}

int64_t firstOwnerOf(const Layout &layout, Workgroup workgroup, ArrayRef<int64_t> element) {
  int64_t thread = 0;
  for (auto [dim, index] : zip_equal(layout.dims(), element)) {
    Digits digits = digitsOf(dim, index);
    thread += workgroup.lanes * dim.subgroupStride * digits.subgroup;
    thread += dim.threadStride * digits.thread;
  }
  return thread;
}

int64_t ownerCount(const Layout &layout, Workgroup workgroup) {
  int64_t positions = 1;
  for (const Dim &dim : layout.dims())
    positions *= dim.threads * dim.subgroups;
  return workgroup.threads / positions;
}

} // namespace tilewright::layout
