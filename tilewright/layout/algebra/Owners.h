// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps threads to the elements that they hold, and elements to the threads that hold them (layouts,
// 1.5 and 1.6). A thread has one virtual id per digit. Threads with the same virtual ids hold the
// same elements, so an element can have many owners.
//
// The layout must satisfy checkFor() for the workgroup.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_OWNERS_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_OWNERS_H

#include "tilewright/layout/algebra/Layout.h"

namespace tilewright::layout {

/// The digits of an index along one dimension.
struct Digits {
  int64_t subgroup = 0;
  int64_t batch = 0;
  int64_t outer = 0;
  int64_t thread = 0;
  int64_t element = 0;

  bool operator==(const Digits &) const = default;
};

Digits digitsOf(const Dim &dim, int64_t index);
int64_t indexOf(const Dim &dim, const Digits &digits);

/// The position of a thread: the subgroup and the thread digit of each dimension. The other digits
/// are 0.
llvm::SmallVector<Digits, 4> virtualIds(const Layout &layout, Workgroup workgroup, int64_t thread);

/// The element that a thread holds in a register. Registers are numbered in the row-major order of
/// distributedShape().
Numbers elementAt(const Layout &layout, Workgroup workgroup, int64_t thread, int64_t reg);
/// The register in which every owner of an element holds it.
int64_t registerOf(const Layout &layout, llvm::ArrayRef<int64_t> element);

/// The threads that hold an element, in ascending order; there is at least one.
Numbers ownersOf(const Layout &layout, Workgroup workgroup, llvm::ArrayRef<int64_t> element);
/// The first owner, found without enumerating the others.
int64_t firstOwnerOf(const Layout &layout, Workgroup workgroup, llvm::ArrayRef<int64_t> element);
/// The number of owners of each element.
int64_t ownerCount(const Layout &layout, Workgroup workgroup);

/// Calls `body` with the coordinates of every element of a shape, in row-major order.
template <typename Body> void forEachElement(llvm::ArrayRef<int64_t> shape, Body body) {
  Numbers at(shape.size(), 0);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] == 0)
      return;
  while (true) {
    body(llvm::ArrayRef<int64_t>(at));
    size_t dim = shape.size();
    while (dim > 0 && ++at[dim - 1] == shape[dim - 1])
      at[--dim] = 0;
    if (dim == 0)
      return;
  }
}

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_OWNERS_H
