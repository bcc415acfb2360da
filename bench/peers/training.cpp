// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written cross entropy and layer-norm gradients.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

extern "C" void cross_entropy(const float *__restrict x, const int32_t *__restrict targets,
                              float *__restrict losses, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float largest = std::numeric_limits<float>::lowest();
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < columns; ++c)
      largest = std::max(largest, in[c]);
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t c = 0; c < columns; ++c)
      total += std::exp(in[c] - largest);
    losses[r] = std::log(total) + largest - in[targets[r]];
  }
}

/// `out` contains the gradients of the rows of x, followed by those of the weight and the bias.
extern "C" void layer_norm_backward(const float *__restrict x, const float *__restrict w,
                                    const float *__restrict dy, float *__restrict out, int64_t rows,
                                    int64_t columns) {
  float *ofWeight = out + rows * columns, *ofBias = ofWeight + columns;
  std::fill(ofWeight, ofWeight + 2 * columns, 0.0f);
#pragma omp parallel for schedule(static) reduction(+ : ofWeight[ : columns], ofBias[ : columns])
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns, *given = dy + r * columns;
    float sum = 0, squares = 0, mean = 0, along = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < columns; ++c)
      sum += in[c];
    const float center = sum / columns;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < columns; ++c)
      squares += (in[c] - center) * (in[c] - center);
    const float scale = 1 / std::sqrt(squares / columns + 1e-5f);
#pragma omp simd reduction(+ : mean, along)
    for (int64_t c = 0; c < columns; ++c) {
      mean += given[c] * w[c];
      along += given[c] * w[c] * (in[c] - center) * scale;
    }
    mean /= columns;
    along /= columns;
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c) {
      const float normal = (in[c] - center) * scale;
      out[r * columns + c] = (given[c] * w[c] - mean - normal * along) * scale;
      ofWeight[c] += given[c] * normal;
      ofBias[c] += given[c];
    }
  }
}
