// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Results.h.

#include "tilewright/api/explore/Results.h"
#include "tilewright/api/explore/Elements.h"
#include "tilewright/api/explore/Numbers.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Memory.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
namespace json = llvm::json;

/// None if no launch has written it.
static std::optional<Element> elementOf(const ArrayResult &result, int64_t place) {
  if (!result.unwritten.empty() && result.unwritten[size_t(place)])
    return std::nullopt;
  return numerics::load(result.bytes.data(), place, result.array->format());
}

/// Whether the values are equal. All NaNs are, and so are 0 and -0.
static bool isSame(const Element &a, const Element &b) {
  if (a.bits == b.bits)
    return true;
  if (!numerics::info(a.format).isFloat())
    return false;
  const double x = a.asDouble(), y = b.asDouble();
  return x == y || (std::isnan(x) && std::isnan(y));
}

static json::Value textOf(const std::optional<Element> &element) {
  return element ? json::Value(numerics::toString(*element)) : json::Value(nullptr);
}

namespace {
/// The smallest and the largest index of elements along each dimension.
class Bounds {
public:
  explicit Bounds(llvm::ArrayRef<int64_t> shape) : shape(shape) {}

  /// `number` counts in row-major order.
  void add(int64_t number) {
    ranges.resize(shape.size(), {INT64_MAX, 0});
    for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim]) {
      auto &[first, last] = ranges[dim];
      first = std::min(first, number % shape[dim]);
      last = std::max(last, number % shape[dim]);
    }
  }

  json::Array asJson() const {
    json::Array list;
    for (const auto &[first, last] : ranges)
      list.push_back(json::Array{first, last});
    return list;
  }

private:
  llvm::ArrayRef<int64_t> shape;
  std::vector<std::pair<int64_t, int64_t>> ranges;
};
} // namespace

json::Object api::differencesOf(const ArrayResult &before, const ArrayResult &after) {
  constexpr size_t mostListed = 16;
  int64_t differing = 0;
  std::optional<double> largest;
  json::Array elements;
  Bounds bounds(before.array->shape());
  forEachElement(*before.array, [&](int64_t number, int64_t place) {
    const auto a = elementOf(before, place), b = elementOf(after, place);
    if (a && b ? isSame(*a, *b) : a.has_value() == b.has_value())
      return;
    ++differing;
    bounds.add(number);
    if (const double difference = a && b ? std::abs(numberOf(*b) - numberOf(*a)) : NAN;
        std::isfinite(difference))
      largest = std::max(largest.value_or(0), difference);
    if (elements.size() < mostListed)
      elements.push_back(
          json::Object{{"element", number}, {"before", textOf(a)}, {"after", textOf(b)}});
  });
  return json::Object{{"differing", differing},
                      {"largest_difference", largest},
                      {"bounds", bounds.asJson()},
                      {"elements", std::move(elements)}};
}
