// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of an array in JSON: all elements, or the extremes and means of rectangles.

#include "tilewright/api/explore/Arrays.h"
#include "tilewright/api/explore/Elements.h"
#include "tilewright/api/explore/Numbers.h"
#include "tilewright/numerics/Memory.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
namespace json = llvm::json;

static double valueAt(const Array &array, int64_t place) {
  return numberOf(numerics::load(array.bytes().data(), place, array.format()));
}

static bool isUnwritten(const std::vector<bool> &unwritten, int64_t place) {
  return !unwritten.empty() && unwritten[size_t(place)];
}

//===-- All elements ------------------------------------------------------------------------===//

static json::Object listed(const Array &array, const std::vector<bool> &unwritten) {
  constexpr size_t mostRanges = 4096;
  std::vector<double> values;
  std::vector<std::pair<int64_t, int64_t>> ranges;
  int64_t more = 0;
  forEachElement(array, [&](int64_t number, int64_t place) {
    const bool hasNone = isUnwritten(unwritten, place);
    values.push_back(hasNone ? 0 : valueAt(array, place));
    if (!hasNone)
      return;
    if (!ranges.empty() && ranges.back().second == number - 1)
      ranges.back().second = number;
    else if (ranges.size() < mostRanges)
      ranges.push_back({number, number});
    else
      ++more;
  });
  json::Array pairs;
  for (auto [first, last] : ranges)
    pairs.push_back(json::Array{first, last});
  PackedNumbers packed = pack(values);
  return json::Object{{"type", packed.type},
                      {"values", std::move(packed.base64)},
                      {"unwritten", std::move(pairs)},
                      {"more_unwritten", more}};
}

//===-- Aggregates --------------------------------------------------------------------------===//

namespace {
struct Matrix {
  int64_t rows, columns;
};

/// The elements of each cell.
struct Cells {
  explicit Cells(size_t count)
      : minimum(count, NAN), maximum(count, NAN), mean(count, 0.0), finite(count), nans(count),
        infinities(count), unwritten(count) {}

  void add(size_t cell, double value);
  void finish();

  std::vector<double> minimum, maximum, mean;
  std::vector<int64_t> finite, nans, infinities, unwritten;
};
} // namespace

void Cells::add(size_t cell, double value) {
  if (!std::isfinite(value)) {
    ++(std::isnan(value) ? nans : infinities)[cell];
    return;
  }
  minimum[cell] = std::fmin(minimum[cell], value);
  maximum[cell] = std::fmax(maximum[cell], value);
  ++finite[cell];
  mean[cell] += (value - mean[cell]) / double(finite[cell]);
}

void Cells::finish() {
  for (size_t cell = 0; cell < mean.size(); ++cell)
    if (!finite[cell])
      mean[cell] = NAN;
}

static Matrix matrixOf(const Array &array) {
  constexpr int64_t foldedRows = 128;
  const int64_t count = llvm::product_of(array.shape());
  const int64_t columns = array.shape().size() > 1 ? array.shape().back()
                                                   : int64_t(llvm::divideCeil(count, foldedRows));
  return {int64_t(llvm::divideCeil(count, columns)), columns};
}

static json::Value orNull(const std::vector<int64_t> &counts) {
  if (llvm::all_of(counts, [](int64_t count) { return count == 0; }))
    return nullptr;
  return json::Array(counts);
}

static json::Object aggregated(const Array &array, const std::vector<bool> &unwritten,
                               int64_t mostCells) {
  const Matrix matrix = matrixOf(array);
  const int64_t high = llvm::divideCeil(matrix.rows, mostCells),
                wide = llvm::divideCeil(matrix.columns, mostCells);
  const int64_t rows = llvm::divideCeil(matrix.rows, high),
                columns = llvm::divideCeil(matrix.columns, wide);
  Cells cells{size_t(rows * columns)};
  forEachElement(array, [&](int64_t number, int64_t place) {
    const auto cell =
        size_t(number / matrix.columns / high * columns + number % matrix.columns / wide);
    if (isUnwritten(unwritten, place))
      ++cells.unwritten[cell];
    else
      cells.add(cell, valueAt(array, place));
  });
  cells.finish();
  return json::Object{{"cells", json::Object{{"matrix", json::Array{matrix.rows, matrix.columns}},
                                             {"shape", json::Array{rows, columns}},
                                             {"extents", json::Array{high, wide}},
                                             {"minimum", packRounded(cells.minimum)},
                                             {"maximum", packRounded(cells.maximum)},
                                             {"mean", packRounded(cells.mean)},
                                             {"nans", orNull(cells.nans)},
                                             {"infinities", orNull(cells.infinities)},
                                             {"unwritten", orNull(cells.unwritten)}}}};
}

json::Object api::contentOf(const Array &array, const std::vector<bool> &unwritten,
                            const ContentLimits &limits) {
  return llvm::product_of(array.shape()) <= limits.listed
             ? listed(array, unwritten)
             : aggregated(array, unwritten, limits.cells);
}
