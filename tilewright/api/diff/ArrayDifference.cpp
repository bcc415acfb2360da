// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ArrayDifference.h.

#include "tilewright/api/diff/ArrayDifference.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Memory.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;

static int64_t elementsOf(const Array &array) {
  return int64_t(array.bytes().size()) * 8 / numerics::info(array.format()).storageBits;
}

ArrayDifferences::ArrayDifferences(const std::vector<Argument> &arguments, const Contents &required,
                                   const Contents &found, const MemoryHistory &history)
    : arrays(arraysOf(arguments)) {
  for (const auto &[index, argument] : llvm::enumerate(arrays)) {
    const Array &array = *argument.array;
    if (required[index] == found[index])
      continue;
    for (int64_t i = 0; i < elementsOf(array); ++i) {
      const auto at = [&](const Contents &contents) {
        return numerics::load(contents[index].data(), i, array.format());
      };
      const MemoryHistory::HostByte byte =
          array.bytes().data() + i * numerics::info(array.format()).storageBits / 8;
      if (at(required).bits != at(found).bits && history.isSpecified(byte))
        elements.push_back({index, i, at(required), at(found), byte});
    }
  }
}

bool ArrayDifferences::areSame(const Contents &lhs, const Contents &rhs) const {
  return llvm::all_of(elements, [&](const ElementDifference &element) {
    const auto at = [&](const Contents &contents) {
      return numerics::load(contents[element.array].data(), element.element,
                            arrays[element.array].array->format());
    };
    return at(lhs).bits == at(rhs).bits;
  });
}

/// Relative to the required element; infinity if only one of the two is a number.
static double deviationOf(Element element, Element required) {
  if (element.bits == required.bits)
    return 0;
  const numerics::FormatInfo &info = numerics::info(element.format);
  const double smallest = std::ldexp(1.0, info.minExponent()), value = required.asDouble();
  const double distance =
      std::abs(element.asDouble() - value) / std::max(std::abs(value), smallest);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

bool ArrayDifferences::areLikeThoseOf(const Contents &others) const {
  double own = 0, theirs = 0;
  for (const ElementDifference &element : elements) {
    const numerics::Format format = arrays[element.array].array->format();
    const numerics::FormatInfo &info = numerics::info(format);
    if (!info.isFloat())
      return false;
    const Element other = numerics::load(others[element.array].data(), element.element, format);
    own =
        std::max(own, std::ldexp(deviationOf(element.found, element.required), info.mantissaBits));
    theirs = std::max(theirs, std::ldexp(deviationOf(other, element.required), info.mantissaBits));
  }
  return own <= std::max(8 * theirs, 16.0);
}

std::string ArrayDifferences::toString() const {
  const ElementDifference &element = first();
  const ArgumentArray &array = arrays[element.array];
  const auto count = llvm::count_if(
      elements, [&](const ElementDifference &other) { return other.array == element.array; });
  return llvm::formatv("parameter {0} ({1}): {2} of {3} elements, first [{4}]: {5} instead of {6}",
                       array.argument + 1, api::toString(*array.array), count,
                       elementsOf(*array.array), element.element, numerics::toString(element.found),
                       numerics::toString(element.required));
}
