// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arrays.h.

#include "tilewright/api/explore/Arrays.h"
#include "tilewright/report/Place.h"

using namespace tilewright;
using namespace tilewright::api;
using reference::Allocation;
using reference::Place;
namespace json = llvm::json;

/// The number of the element, in memory, that contains a byte.
static int64_t elementAt(const Array &array, uint64_t byte, bool isUpperHalf) {
  const unsigned bits = numerics::info(array.format()).storageBits;
  return int64_t((byte * 8 + (isUpperHalf ? 4 : 0)) / bits);
}

ContentLimits ContentLimits::forArrays(llvm::ArrayRef<Placement::NamedArray> arrays) {
  constexpr int64_t most = 1 << 16, mostTogether = 1 << 18, mostOfMany = 1 << 12;
  constexpr int64_t cells = 128, fewCells = 16, mostCellsTogether = 1 << 15;
  int64_t together = 0;
  for (const Placement::NamedArray &named : arrays)
    if (const int64_t count = llvm::product_of(named.array->shape()); count <= most)
      together += count;
  ContentLimits limits{together <= mostTogether ? most : mostOfMany, cells};
  const int64_t large = llvm::count_if(arrays, [&](const Placement::NamedArray &named) {
    return llvm::product_of(named.array->shape()) > limits.listed;
  });
  while (limits.cells > fewCells && large * limits.cells * limits.cells > mostCellsTogether)
    limits.cells /= 2;
  return limits;
}

ExploredArrays::ExploredArrays(std::span<const Argument> arguments)
    : arrays(Placement::of(arguments)->namedArrays()) {
  for (const auto &[array, argument, name, offset] : arrays) {
    const int64_t inMemory = elementAt(*array, array->bytes().size(), false);
    unwritten.emplace_back(array->isInitialised ? 0 : size_t(inMemory), true);
    rows.push_back(json::Object{{"name", report::jsonText(name)},
                                {"index", int64_t(argument)},
                                {"type", numerics::info(array->format()).spelling},
                                {"shape", json::Array(array->shape())},
                                {"strides", json::Array(array->strides())}});
  }
  limits = ContentLimits::forArrays(arrays);
}

std::optional<ExploredArrays::ArrayElement> ExploredArrays::find(const Allocation &allocation,
                                                                 const Place &place) const {
  const uint64_t offset = place.address - allocation.address;
  for (const auto &[index, named] : llvm::enumerate(arrays)) {
    const std::span<uint8_t> bytes = named.array->bytes();
    // Names may be ambiguous, addresses are not; but memory with addresses of arrays is copied.
    const uint8_t *byte = allocation.bytes.data() + offset;
    const bool isInPlace = byte >= bytes.data() && byte < bytes.data() + bytes.size();
    const bool isInCopy = allocation.isHost && allocation.name == named.name &&
                          !named.array->links().empty() && offset >= named.offset &&
                          offset - named.offset < bytes.size();
    if (isInPlace || isInCopy)
      return ArrayElement{
          index,
          elementAt(*named.array, isInPlace ? uint64_t(byte - bytes.data()) : offset - named.offset,
                    place.isUpperHalf)};
  }
  return std::nullopt;
}

void ExploredArrays::markWritten(ArrayElement first, int64_t count) {
  std::vector<bool> &bits = unwritten[first.array];
  if (!bits.empty())
    std::fill_n(bits.begin() + first.element, count, false);
}

void ExploredArrays::addContents(llvm::StringRef member) {
  for (auto [row, named, bits] : llvm::zip_equal(rows, arrays, unwritten))
    (*row.getAsObject())[member] = contentOf(*named.array, bits, limits);
}

std::vector<ArrayResult> ExploredArrays::results() const {
  std::vector<ArrayResult> results;
  for (auto [named, bits] : llvm::zip_equal(arrays, unwritten)) {
    const std::span<uint8_t> bytes = named.array->bytes();
    results.push_back({named.array, {bytes.begin(), bytes.end()}, bits});
  }
  return results;
}
