// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move data more than they compute, written by hand.

#include <algorithm>
#include <cstdint>

extern "C" void vector_add(const float *__restrict a, const float *__restrict b,
                           float *__restrict c, int64_t size) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < size; ++i)
    c[i] = a[i] + b[i];
}

/// In squares that fit the first cache, whose rows are written as a whole.
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
