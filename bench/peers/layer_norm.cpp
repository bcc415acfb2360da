// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer norm of rows; see rows.cpp.

#include <cmath>
#include <cstdint>

extern "C" void layer_norm(const float *__restrict x, const float *__restrict scaleAndShift,
                           float *__restrict y, int64_t rows, int64_t columns) {
  const float *scale = scaleAndShift, *shift = scaleAndShift + columns;
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < columns; ++c)
      sum += in[c];
    const float mean = sum / columns;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < columns; ++c)
      squares += (in[c] - mean) * (in[c] - mean);
    const float factor = 1 / std::sqrt(squares / columns + 1e-5f);
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c)
      out[c] = (in[c] - mean) * factor * scale[c] + shift[c];
  }
}
