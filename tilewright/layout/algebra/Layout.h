// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who holds which element of a tile? A nested layout answers for each dimension by
// itself: an index along it is a number of five digits, from the top
//
//   subgroup, batch, outer, thread, element,
//
// and what stands at the subgroup and the thread digit says who holds it, what stands
// at the other three says where its holder keeps it (layouts, 1.5 and 1.6). This file
// has the digits and their rules, Owners.h the way from threads to elements and back,
// Rearrange.h what a layout becomes when the dimensions change.
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

/// One dimension of a layout: how many values each digit has, and how far apart in the
/// hardware two neighbouring values of the subgroup and the thread digit are.
struct Dim {
  int64_t subgroups = 1;
  int64_t batches = 1;
  int64_t outers = 1;
  int64_t threads = 1;
  int64_t elements = 1;
  int64_t subgroupStride = 0;
  int64_t threadStride = 0;

  int64_t extent() const { return subgroups * batches * outers * threads * elements; }
  /// How many of them one thread holds.
  int64_t perThread() const { return batches * outers * elements; }

  bool operator==(const Dim &) const = default;
};

/// A layout of any rank; rank 0 is one element that every thread holds. A digit with
/// one value needs no stride, so its stride is always 0 and equal layouts compare equal
/// (layouts, 1.3).
class Layout {
public:
  Layout() = default;
  explicit Layout(llvm::ArrayRef<Dim> dims);
  explicit Layout(std::initializer_list<Dim> dims)
      : Layout(llvm::ArrayRef<Dim>(dims.begin(), dims.size())) {}

  llvm::ArrayRef<Dim> dims() const { return list; }
  const Dim &operator[](size_t dim) const { return list[dim]; }
  size_t rank() const { return list.size(); }

  /// How many elements the tile has, and how many of them one thread holds.
  int64_t elements() const;
  int64_t registers() const;

  /// The member of every dimension: `layout.each(&Dim::batches)`.
  Numbers each(int64_t Dim::*member) const;

  bool operator==(const Layout &other) const { return list == other.list; }

private:
  llvm::SmallVector<Dim, 4> list;
};

/// The keywords of the text form, without its prefix and angle brackets:
/// `subgroup_tile = [2, 1], ..., thread_strides = [1, 16]`.
std::string toText(const Layout &layout);

// --- Shapes (layouts, 1.7) ------------------------------------------------------------

/// The tile: what the digits of each dimension multiply to.
Numbers undistributedShape(const Layout &layout);
/// The tile with a dimension per digit: all subgroups, all batches, and so on.
Numbers undistributedPackedShape(const Layout &layout);
/// What one thread holds: all batches, all outers, all elements.
Numbers distributedShape(const Layout &layout);
/// The same with one dimension per dimension of the tile.
Numbers distributedUnpackedShape(const Layout &layout);
/// The transposition of a distributed shape after which neighbours only have to be
/// joined to get the unpacked one, and the transposition back.
Numbers unpackingPermutation(size_t rank);
Numbers packingPermutation(size_t rank);

// --- Hardware -------------------------------------------------------------------------

/// A workgroup: how many threads it has, and how many of them are a subgroup.
struct Workgroup {
  int64_t threads;
  int64_t lanes = 32;

  int64_t subgroups() const { return threads / lanes; }
};

/// How ids are taken apart: a mixed radix number whose digits belong to dimensions, or,
/// where the strides leave a gap, to none (layouts, 1.8).
struct DigitBasis {
  /// The radices from the slowest to the fastest, as affine.delinearize_index takes them.
  Numbers sizes;
  /// For each dimension, which result of affine.delinearize_index is its digit; result 0
  /// is what exceeds the basis.
  llvm::SmallVector<unsigned, 4> resultOf;
};

/// Refuses digits that overlap.
Result<DigitBasis> digitBasis(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);

/// Whether every element has an owner, and all equally many: rules W1 to W5 of layouts,
/// 1.4. A layout as such may break them; one that is to be distributed may not.
Result<void> checkFor(const Layout &layout, Workgroup workgroup);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_LAYOUT_H
