// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes the dimensions of a layout. Functions that only select dimensions are short. The others
// treat a tile as a row-major sequence, whose index is a long number: the digits of all dimensions,
// one after the other. New dimensions take their digits from its end, and succeed if the digits of
// each are in the order that a dimension requires.

#include "tilewright/layout/algebra/Rearrange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;

namespace tilewright::layout {

Layout permute(const Layout &layout, ArrayRef<int64_t> permutation) {
  return Layout(
      map_to_vector<4>(permutation, [&](int64_t source) -> Dim { return layout[source]; }));
}

Layout project(const Layout &layout, ArrayRef<bool> dropped) {
  SmallVector<Dim, 4> dims;
  for (auto [dim, drop] : zip_equal(layout.dims(), dropped))
    if (!drop)
      dims.push_back(dim);
  return Layout(dims);
}

Layout apply(const Layout &layout, ArrayRef<std::optional<unsigned>> source) {
  return Layout(map_to_vector<4>(
      source, [&](std::optional<unsigned> dim) { return dim ? layout[*dim] : Dim(); }));
}

// --- The long number ------------------------------------------------------------------

namespace {

/// From the fastest to the slowest, in the order within a dimension.
enum class Level { Element, Thread, Outer, Batch, Subgroup };

struct Digit {
  Level level;
  int64_t size;
  int64_t stride = 0; ///< between threads or between subgroups
};

/// Takes digits from the fast end and builds dimensions from them.
class DigitReader {
public:
  explicit DigitReader(ArrayRef<Digit> fastestFirst) : digits(fastestFirst) {}

  /// A dimension of this extent, if the next digits form one.
  std::optional<Dim> take(int64_t extent);
  bool atEnd() const { return digits.empty() && !rest; }

private:
  std::optional<Digit> next();

  ArrayRef<Digit> digits;
  /// The upper part of a digit whose lower part a dimension has taken.
  std::optional<Digit> rest;
};

} // namespace

static void addDigits(const Dim &dim, SmallVectorImpl<Digit> &digits) {
  const Digit all[] = {{Level::Element, dim.elements},
                       {Level::Thread, dim.threads, dim.threadStride},
                       {Level::Outer, dim.outers},
                       {Level::Batch, dim.batches},
                       {Level::Subgroup, dim.subgroups, dim.subgroupStride}};
  copy_if(all, std::back_inserter(digits), [](const Digit &digit) { return digit.size != 1; });
}

std::optional<Digit> DigitReader::next() {
  if (rest)
    return std::exchange(rest, std::nullopt);
  if (digits.empty())
    return std::nullopt;
  Digit digit = digits.front();
  digits = digits.drop_front();
  return digit;
}

/// Adds a digit above those of a dimension. Digits of the same level are merged; for threads and
/// subgroups, this requires the stride at which the lower digit ends.
static bool push(Dim &dim, Level &top, const Digit &digit) {
  if (digit.level < top)
    return false;
  top = digit.level;
  auto grow = [&digit](int64_t &size, int64_t &stride) {
    if (size == 1)
      stride = digit.stride;
    else if (digit.stride != stride * size)
      return false;
    size *= digit.size;
    return true;
  };
  switch (digit.level) {
  case Level::Element:
    dim.elements *= digit.size;
    return true;
  case Level::Thread:
    return grow(dim.threads, dim.threadStride);
  case Level::Outer:
    dim.outers *= digit.size;
    return true;
  case Level::Batch:
    dim.batches *= digit.size;
    return true;
  case Level::Subgroup:
    return grow(dim.subgroups, dim.subgroupStride);
  }
  llvm_unreachable("a level of Level");
}

std::optional<Dim> DigitReader::take(int64_t extent) {
  Dim dim;
  Level top = Level::Element;
  while (extent > 1) {
    std::optional<Digit> digit = next();
    if (!digit || digit->size < 1)
      return std::nullopt;
    if (digit->size > extent) {
      if (digit->size % extent != 0)
        return std::nullopt;
      rest = Digit{digit->level, digit->size / extent, digit->stride * extent};
      digit->size = extent;
    }
    if (extent % digit->size != 0 || !push(dim, top, *digit))
      return std::nullopt;
    extent /= digit->size;
  }
  return extent == 1 ? std::optional(dim) : std::nullopt;
}

static std::optional<Layout> build(ArrayRef<Digit> fastestFirst, ArrayRef<int64_t> shape) {
  DigitReader reader(fastestFirst);
  SmallVector<Dim, 4> dims;
  for (int64_t extent : reverse(shape)) {
    std::optional<Dim> dim = reader.take(extent);
    if (!dim)
      return std::nullopt;
    dims.push_back(*dim);
  }
  if (!reader.atEnd())
    return std::nullopt;
  std::reverse(dims.begin(), dims.end());
  return Layout(dims);
}

std::optional<Layout> reshape(const Layout &layout, ArrayRef<int64_t> shape) {
  SmallVector<Digit> digits;
  for (const Dim &dim : reverse(layout.dims()))
    addDigits(dim, digits);
  return build(digits, shape);
}

std::optional<Layout> compose(const Layout &outer, const Layout &inner) {
  assert(outer.rank() == inner.rank() && "one outer dimension per inner one");
  SmallVector<Digit> digits;
  Numbers shape;
  for (auto [outerDim, innerDim] : zip_equal(outer.dims(), inner.dims()))
    shape.push_back(outerDim.extent() * innerDim.extent());
  for (auto [outerDim, innerDim] : reverse(zip_equal(outer.dims(), inner.dims()))) {
    addDigits(innerDim, digits);
    addDigits(outerDim, digits);
  }
  return build(digits, shape);
}

std::optional<Layout> splitThreads(const Layout &layout, Workgroup workgroup) {
  SmallVector<Dim, 4> dims(layout.dims());
  for (Dim &dim : dims) {
    if (dim.subgroups != 1)
      return std::nullopt;
    if (dim.threadStride == 0 || dim.threads <= workgroup.lanes / dim.threadStride)
      continue;
    // A thread digit with this stride: its lower part numbers lanes, its upper part subgroups.
    int64_t lanes = std::max<int64_t>(1, workgroup.lanes / dim.threadStride);
    int64_t reach = lanes * dim.threadStride;
    if (dim.threads % lanes != 0 || reach % workgroup.lanes != 0 || dim.batches * dim.outers != 1)
      return std::nullopt;
    dim.subgroups = dim.threads / lanes;
    dim.subgroupStride = reach / workgroup.lanes;
    dim.threads = lanes;
    if (lanes == 1)
      dim.threadStride = 0;
  }
  Layout split(dims);
  return checkFor(split, workgroup) ? std::optional(split) : std::nullopt;
}

// --- Two layouts ----------------------------------------------------------------------

static bool digitsOverlap(const Layout &layout) {
  return !digitBasis(layout.each(&Dim::threads), layout.each(&Dim::threadStride)) ||
         !digitBasis(layout.each(&Dim::subgroups), layout.each(&Dim::subgroupStride));
}

std::optional<Layout> recombine(ArrayRef<IterationOperand> operands,
                                ArrayRef<unsigned> resultDims) {
  SmallVector<std::optional<Dim>> known; // by dimension of the iteration space
  for (const IterationOperand &operand : operands) {
    for (auto [dim, along] : zip_equal(operand.layout.dims(), operand.dims)) {
      if (along >= known.size())
        known.resize(along + 1);
      if (known[along] && *known[along] != dim)
        return std::nullopt;
      known[along] = dim;
    }
  }
  SmallVector<Dim, 4> dims;
  for (unsigned along : resultDims) {
    if (along >= known.size() || !known[along])
      return std::nullopt;
    dims.push_back(*known[along]);
  }
  Layout result(dims);
  if (digitsOverlap(result))
    return std::nullopt;
  return result;
}

} // namespace tilewright::layout
