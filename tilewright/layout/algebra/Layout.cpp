// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and digits of layouts, and the rules under which every element has an owner. A rule
// concerns one level of digits, subgroups in the workgroup or threads in the subgroup, so the same
// code checks both levels.

#include "tilewright/layout/algebra/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>
#include <tuple>

using namespace llvm;

namespace tilewright::layout {

Layout::Layout(ArrayRef<Dim> dims) : list(dims) {
  for (Dim &dim : list) {
    if (dim.subgroups == 1)
      dim.subgroupStride = 0;
    if (dim.threads == 1)
      dim.threadStride = 0;
  }
}

Numbers Layout::each(int64_t Dim::*member) const {
  return map_to_vector<8>(list, [member](const Dim &dim) { return dim.*member; });
}

int64_t Layout::elements() const { return product_of(undistributedShape(*this)); }
int64_t Layout::registers() const { return product_of(distributedShape(*this)); }

std::string toText(const Layout &layout) {
  struct Field {
    StringRef name;
    int64_t Dim::*member;
  };
  static constexpr Field fields[] = {
      {"subgroup_tile", &Dim::subgroups},     {"batch_tile", &Dim::batches},
      {"outer_tile", &Dim::outers},           {"thread_tile", &Dim::threads},
      {"element_tile", &Dim::elements},       {"subgroup_strides", &Dim::subgroupStride},
      {"thread_strides", &Dim::threadStride},
  };
  std::string text;
  for (const Field &field : fields) {
    Numbers numbers = layout.each(field.member);
    text += formatv("{0}{1} = [{2:$[, ]}]", text.empty() ? "" : ", ", field.name,
                    make_range(numbers.begin(), numbers.end()))
                .str();
  }
  return text;
}

// --- Shapes ---------------------------------------------------------------------------

static Numbers concatenate(const Layout &layout, std::initializer_list<int64_t Dim::*> members) {
  Numbers shape;
  for (int64_t Dim::*member : members)
    append_range(shape, layout.each(member));
  return shape;
}

Numbers undistributedShape(const Layout &layout) {
  return map_to_vector<8>(layout.dims(), [](const Dim &dim) { return dim.extent(); });
}

Numbers undistributedPackedShape(const Layout &layout) {
  return concatenate(layout,
                     {&Dim::subgroups, &Dim::batches, &Dim::outers, &Dim::threads, &Dim::elements});
}

Numbers distributedShape(const Layout &layout) {
  return concatenate(layout, {&Dim::batches, &Dim::outers, &Dim::elements});
}

Numbers distributedUnpackedShape(const Layout &layout) {
  return map_to_vector<8>(layout.dims(), [](const Dim &dim) { return dim.perThread(); });
}

Numbers unpackingPermutation(size_t rank) {
  Numbers permutation;
  for (size_t dim = 0; dim < rank; ++dim)
    for (size_t level = 0; level < 3; ++level)
      permutation.push_back(level * rank + dim);
  return permutation;
}

Numbers packingPermutation(size_t rank) {
  Numbers permutation;
  for (size_t level = 0; level < 3; ++level)
    for (size_t dim = 0; dim < rank; ++dim)
      permutation.push_back(dim * 3 + level);
  return permutation;
}

// --- Digits of ids --------------------------------------------------------------------

Result<DigitBasis> digitBasis(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  assert(sizes.size() == strides.size() && "a stride per digit");
  SmallVector<unsigned> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(strides[a], a) < std::tuple(strides[b], b);
  });

  DigitBasis basis;
  Numbers slotOf(sizes.size());
  int64_t reached = 1; // the stride of the next digit if there is no gap
  for (unsigned dim : order) {
    // A digit that is not distributed is always 0.
    int64_t stride = strides[dim] == 0 ? 1 : strides[dim];
    int64_t size = strides[dim] == 0 ? 1 : sizes[dim];
    std::optional<int64_t> next = checkedMul(stride, size);
    if (stride < 0 || size < 1 || !next)
      return Failure{formatv("a digit of {0} values at stride {1} makes no sense", size, stride)};
    if (stride % reached != 0)
      return Failure{
          formatv("digits overlap: stride {0} along dimension {1} is no multiple of {2}, "
                  "which the faster digits take",
                  stride, dim, reached)};
    if (stride != reached)
      basis.sizes.push_back(stride / reached);
    slotOf[dim] = basis.sizes.size();
    basis.sizes.push_back(size);
    reached = *next;
  }
  for (int64_t slot : slotOf)
    basis.resultOf.push_back(basis.sizes.size() - slot);
  std::reverse(basis.sizes.begin(), basis.sizes.end());
  return basis;
}

// --- Well-formedness ------------------------------------------------------------------

namespace {

/// One of the two levels of digits that map to hardware, with its number of ids.
struct Level {
  const char *name;
  int64_t Dim::*tile;
  int64_t Dim::*stride;
  int64_t ids;
};

} // namespace

static Result<void> checkLevel(const Layout &layout, const Level &level) {
  Numbers sizes = layout.each(level.tile), strides = layout.each(level.stride);
  for (auto [dim, size, stride] : enumerate(sizes, strides)) {
    // W3: with stride 0, all threads would have position 0.
    if (size > 1 && stride == 0)
      return Failure{formatv("{0}_tile is {1} along dimension {2}, but its stride is 0", level.name,
                             size, dim)};
    // W4
    std::optional<int64_t> reach = checkedMul(size, stride);
    if (!reach || *reach > level.ids)
      return Failure{formatv("{0}_tile {1} at stride {2} along dimension {3} needs more than the "
                             "{4} {0}s there are: move the excess into batch_tile",
                             level.name, size, stride, dim, level.ids)};
  }
  Result<DigitBasis> basis = digitBasis(sizes, strides); // W2
  if (!basis)
    return basis.failure().at(formatv("{0}_tile", level.name));
  if (level.ids % product_of(basis->sizes) != 0) // W5
    return Failure{formatv("{0}_tile takes {1} ids, which do not divide the {2} {0}s there are",
                           level.name, product_of(basis->sizes), level.ids)};
  return {};
}

Result<void> checkFor(const Layout &layout, Workgroup workgroup) {
  if (workgroup.lanes < 1 || workgroup.threads < 1 || workgroup.threads % workgroup.lanes != 0)
    return Failure{formatv("{0} threads are no whole number of subgroups of {1}", workgroup.threads,
                           workgroup.lanes)};
  std::optional<int64_t> elements = 1;
  for (int64_t count : undistributedPackedShape(layout)) { // W1
    if (count < 1)
      return Failure{formatv("a tile count must be positive, but is {0}", count)};
    elements = checkedMul(*elements, count);
    if (!elements)
      return Failure{"the tile has more elements than can be counted"};
  }
  for (const Dim &dim : layout.dims())
    if (dim.subgroupStride < 0 || dim.threadStride < 0)
      return Failure{formatv("a stride must not be negative, but is {0}",
                             std::min(dim.subgroupStride, dim.threadStride))};
  Level subgroups{"subgroup", &Dim::subgroups, &Dim::subgroupStride, workgroup.subgroups()};
  Level threads{"thread", &Dim::threads, &Dim::threadStride, workgroup.lanes};
  if (Result<void> checked = checkLevel(layout, subgroups); !checked)
    return checked;
  return checkLevel(layout, threads);
}

} // namespace tilewright::layout
