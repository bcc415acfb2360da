// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefix sums, the largest elements, and sorted rows, with the standard library.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

extern "C" void row_sums(const float *__restrict x, float *__restrict y, int64_t rows,
                         int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    float sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (int64_t c = 0; c < columns; ++c) {
      sum += x[r * columns + c];
#pragma omp scan inclusive(sum)
      y[r * columns + c] = sum;
    }
  }
}

extern "C" void largest(const float *x, float *values, int32_t *indices, int64_t rows,
                        int64_t columns, int64_t count) {
#pragma omp parallel
  {
    std::vector<int32_t> order(columns);
#pragma omp for schedule(static)
    for (int64_t r = 0; r < rows; ++r) {
      const float *in = x + r * columns;
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + count, order.end(),
                        [in](int32_t a, int32_t b) { return in[a] > in[b]; });
      for (int64_t i = 0; i < count; ++i) {
        indices[r * count + i] = order[i];
        values[r * count + i] = in[order[i]];
      }
    }
  }
}

extern "C" void sort_rows(const float *x, float *y, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    float *row = y + r * columns;
    std::copy(x + r * columns, x + (r + 1) * columns, row);
    std::sort(row, row + columns);
  }
}
