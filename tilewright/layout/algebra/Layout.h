// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested layouts: which thread holds which element of a tile. Each dimension is described
// separately: an index along it is a number of five digits, from the most significant,
//
//   subgroup, batch, outer, thread, element.
//
// The subgroup and thread digits identify the thread that owns an element; the other three identify
// the register in which the owner holds it (layouts, 1.5 and 1.6). This file has the digits and
// their rules. Owners.h maps threads to elements and back, and Rearrange.h transforms layouts when
// the dimensions change.
//
// Sections "layouts, 1.x" are those of the specification of `iree_vector_ext`.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_LAYOUT_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_LAYOUT_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace tilewright::layout {

using support::Failure;
using support::Result;

/// One number per dimension, or per digit of each.
using Numbers = llvm::SmallVector<int64_t, 8>;

/// One dimension of a layout: the number of values of each digit, and the distance between hardware
/// ids for neighbouring values of the subgroup and the thread digit.
struct Dim {
  int64_t subgroups = 1;
  int64_t batches = 1;
  int64_t outers = 1;
  int64_t threads = 1;
  int64_t elements = 1;
  int64_t subgroupStride = 0;
  int64_t threadStride = 0;

  int64_t extent() const { return subgroups * batches * outers * threads * elements; }
  /// The number of elements that one thread holds.
  int64_t perThread() const { return batches * outers * elements; }

  bool operator==(const Dim &) const = default;
};

/// A layout of any rank; rank 0 is one element that every thread holds. A digit with a single value
/// has no use for a stride; its stride is always 0, so that equal layouts compare equal (layouts,
/// 1.3).
class Layout {
public:
  Layout() = default;
  explicit Layout(llvm::ArrayRef<Dim> dims);
  explicit Layout(std::initializer_list<Dim> dims)
      : Layout(llvm::ArrayRef<Dim>(dims.begin(), dims.size())) {}

  llvm::ArrayRef<Dim> dims() const { return list; }
  const Dim &operator[](size_t dim) const { return list[dim]; }
  size_t rank() const { return list.size(); }

  /// The number of elements of the tile, and the number that one thread holds.
  int64_t elements() const;
  int64_t registers() const;

  /// Collects a member over all dimensions: `layout.each(&Dim::batches)`.
  Numbers each(int64_t Dim::*member) const;

  bool operator==(const Layout &other) const { return list == other.list; }

private:
  llvm::SmallVector<Dim, 4> list;
};

/// The keywords of the text form, without prefix and angle brackets:
/// `subgroup_tile = [2, 1], ..., thread_strides = [1, 16]`.
std::string toText(const Layout &layout);

// --- Shapes (layouts, 1.7) ------------------------------------------------------------

/// The shape of the tile: the product of the digits in each dimension.
Numbers undistributedShape(const Layout &layout);
/// The tile with one dimension per digit: first all subgroups, then all batches, and so on.
Numbers undistributedPackedShape(const Layout &layout);
/// The elements of one thread: all batches, all outers, all elements.
Numbers distributedShape(const Layout &layout);
/// The same with one dimension per tile dimension.
Numbers distributedUnpackedShape(const Layout &layout);
/// The transposition that makes the digits of each dimension adjacent in a distributed shape, so
/// that merging them gives the unpacked shape; and its inverse.
Numbers unpackingPermutation(size_t rank);
Numbers packingPermutation(size_t rank);

// --- Hardware -------------------------------------------------------------------------

/// A workgroup: the number of its threads, and the number of threads per subgroup.
struct Workgroup {
  int64_t threads;
  int64_t lanes = 32;

  int64_t subgroups() const { return threads / lanes; }
};

/// How to decompose ids: a mixed radix number, each digit of which belongs to a dimension or, where
/// the strides leave a gap, to none (layouts, 1.8).
struct DigitBasis {
  /// The radices from the slowest to the fastest, in the form that affine.delinearize_index takes.
  Numbers sizes;
  /// For each dimension, the index of the affine.delinearize_index result that is its digit. Result
  /// 0 is the part beyond the basis.
  llvm::SmallVector<unsigned, 4> resultOf;
};

/// Fails if digits overlap.
Result<DigitBasis> digitBasis(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);

/// Whether every element has an owner, and all have the same number of owners: rules W1 to W5 of
/// layouts, 1.4. Layouts may break these rules, but such layouts cannot be distributed.
Result<void> checkFor(const Layout &layout, Workgroup workgroup);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_LAYOUT_H
