// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written memory-bound operations.

#include <algorithm>
#include <cstdint>
#include <omp.h>
#include <vector>

extern "C" void vector_add(const float *__restrict a, const float *__restrict b,
                           float *__restrict c, int64_t size) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < size; ++i)
    c[i] = a[i] + b[i];
}

/// In squares that fit into the L1 cache, writing whole rows.
extern "C" void transpose(const float *__restrict x, float *__restrict y, int64_t rows,
                          int64_t columns) {
  constexpr int64_t square = 16, strip = 64;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t r = 0; r < rows; r += strip)
    for (int64_t c = 0; c < columns; c += square) {
      const int64_t end = std::min(r + strip, rows), last = std::min(c + square, columns);
      for (int64_t r0 = r; r0 < end; r0 += square) {
        float block[square][square];
        const int64_t r1 = std::min(r0 + square, end);
        for (int64_t i = r0; i < r1; ++i)
          for (int64_t j = c; j < last; ++j)
            block[j - c][i - r0] = x[i * columns + j];
        for (int64_t j = c; j < last; ++j)
          for (int64_t i = r0; i < r1; ++i)
            y[j * rows + i] = block[j - c][i - r0];
      }
    }
}

extern "C" void gather(const float *__restrict table, const int32_t *__restrict indices,
                       float *__restrict out, int64_t size) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < size; ++i)
    out[i] = table[indices[i]];
}

extern "C" void gather_rows(const float *__restrict table, const int32_t *__restrict indices,
                            float *__restrict out, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = table + int64_t(indices[r]) * columns;
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c)
      out[r * columns + c] = in[c];
  }
}

/// Four tables per thread: consecutive bytes are often equal, and each addition to the same counter
/// would wait for the previous one.
extern "C" void histogram(const uint8_t *values, int32_t *counts, int64_t size) {
  std::fill(counts, counts + 256, 0);
#pragma omp parallel
  {
    int32_t own[4][256] = {};
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < size / 4; ++i)
      for (int64_t j = 0; j < 4; ++j)
        ++own[j][values[4 * i + j]];
#pragma omp critical
    for (int64_t bin = 0; bin < 256; ++bin)
      counts[bin] += own[0][bin] + own[1][bin] + own[2][bin] + own[3][bin];
  }
  for (int64_t i = size / 4 * 4; i < size; ++i)
    ++counts[values[i]];
}

/// Sums the parts first, then scans them: with one thread, in a single pass.
extern "C" void prefix_sum(const int32_t *__restrict x, int32_t *__restrict y, int64_t size) {
  std::vector<int32_t> sums(omp_get_max_threads() + 1);
#pragma omp parallel
  {
    const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const int64_t first = size * thread / threads, end = size * (thread + 1) / threads;
    if (threads > 1) {
      int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = first; i < end; ++i)
        sum += x[i];
      sums[thread + 1] = sum;
#pragma omp barrier
    }
    int32_t sum = 0;
    for (int64_t t = 0; t <= thread; ++t)
      sum += sums[t];
#pragma omp simd reduction(inscan, + : sum)
    for (int64_t i = first; i < end; ++i) {
      sum += x[i];
#pragma omp scan inclusive(sum)
      y[i] = sum;
    }
  }
}
