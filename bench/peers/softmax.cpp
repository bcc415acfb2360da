// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of rows; see rows.cpp.

#include <cmath>
#include <cstdint>

extern "C" void softmax(const float *__restrict x, float *__restrict y, int64_t rows,
                        int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    float largest = in[0];
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < columns; ++c)
      largest = largest < in[c] ? in[c] : largest; // std::max prevents vectorisation here
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < columns; ++c) {
      out[c] = std::exp(in[c] - largest);
      sum += out[c];
    }
    const float scale = 1 / sum;
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c)
      out[c] *= scale;
  }
}
