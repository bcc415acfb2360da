// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with BLAS: the scores of 256 queries with sgemm, softmax of their rows, and sgemm
// again.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *,
                            int, float, float *, int);

extern "C" void attention_blas(const float *q, const float *k, const float *v, float *out,
                               int64_t heads, int64_t length, int64_t d, int64_t causal) {
  constexpr int rowMajor = 101, asIs = 111, transposed = 112;
  const float scale = 1 / std::sqrt(float(d));
  const int64_t block = std::min<int64_t>(256, length);
  std::vector<float> scores(block * length);
  for (int64_t start = 0; start < heads * length * d; start += length * d)
    for (int64_t first = 0; first < length; first += block) {
      const int64_t keys = causal ? first + block : length;
      cblas_sgemm(rowMajor, asIs, transposed, int(block), int(keys), int(d), scale,
                  q + start + first * d, int(d), k + start, int(d), 0, scores.data(), int(keys));
#pragma omp parallel for schedule(static)
      for (int64_t i = 0; i < block; ++i) {
        float *row = scores.data() + i * keys;
        const int64_t end = causal ? first + i + 1 : keys;
        float largest = row[0], sum = 0;
#pragma omp simd reduction(max : largest)
        for (int64_t j = 0; j < end; ++j)
          largest = largest < row[j] ? row[j] : largest;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < end; ++j) {
          row[j] = std::exp(row[j] - largest);
          sum += row[j];
        }
        const float factor = 1 / sum;
#pragma omp simd
        for (int64_t j = 0; j < end; ++j)
          row[j] *= factor;
        std::fill(row + end, row + keys, 0.f);
      }
      cblas_sgemm(rowMajor, asIs, asIs, int(block), int(d), int(keys), 1, scores.data(), int(keys),
                  v + start, int(d), 0, out + start + first * d, int(d));
    }
}
