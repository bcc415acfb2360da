// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written attention: heads and blocks of queries are distributed over threads. The scores of a
// block of queries and a block of keys stay in the L1 cache, with transposed keys so that inner
// loops run over keys; running maxima and sums avoid storing rows of scores. In f32.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {
constexpr int64_t rowsPerBlock = 32, keysPerBlock = 64;

/// c += a b, all in the L1 cache; b's rows have a constant extent and are contiguous.
template <int64_t columns>
void multiplyAdd(const float *a, int64_t strideA, const float *b, float *c, int64_t rows,
                 int64_t common) {
  for (int64_t i = 0; i < rows; i += 4)
    for (int64_t j = 0; j < columns; j += 32) {
      float sums[4][32];
      for (int64_t r = 0; r < 4; ++r)
#pragma omp simd
        for (int64_t l = 0; l < 32; ++l)
          sums[r][l] = c[(i + r) * columns + j + l];
      for (int64_t k = 0; k < common; ++k)
#pragma GCC unroll 4
        for (int64_t r = 0; r < 4; ++r)
#pragma omp simd
          for (int64_t l = 0; l < 32; ++l)
            sums[r][l] += a[(i + r) * strideA + k] * b[k * columns + j + l];
      for (int64_t r = 0; r < 4; ++r)
#pragma omp simd
        for (int64_t l = 0; l < 32; ++l)
          c[(i + r) * columns + j + l] = sums[r][l];
    }
}

template <int64_t D>
void attend(const float *q, const float *k, const float *v, float *out, int64_t first,
            int64_t length, float scale, bool causal) {
  float transposed[D * keysPerBlock], scores[rowsPerBlock * keysPerBlock], sums[rowsPerBlock * D];
  float largest[rowsPerBlock], total[rowsPerBlock];
  std::fill(sums, sums + rowsPerBlock * D, 0.f);
  std::fill(largest, largest + rowsPerBlock, -1e30f);
  std::fill(total, total + rowsPerBlock, 0.f);
  const int64_t end = causal ? std::min(length, first + rowsPerBlock) : length;
  for (int64_t key = 0; key < end; key += keysPerBlock) {
    for (int64_t j = 0; j < keysPerBlock; ++j)
      for (int64_t d = 0; d < D; ++d)
        transposed[d * keysPerBlock + j] = k[(key + j) * D + d];
    std::fill(scores, scores + rowsPerBlock * keysPerBlock, 0.f);
    multiplyAdd<keysPerBlock>(q + first * D, D, transposed, scores, rowsPerBlock, D);
    for (int64_t i = 0; i < rowsPerBlock; ++i) {
      float *row = scores + i * keysPerBlock;
      if (causal && key + keysPerBlock > first + i)
        for (int64_t j = 0; j < keysPerBlock; ++j)
          row[j] = key + j <= first + i ? row[j] : -1e30f;
      float higher = largest[i];
#pragma omp simd reduction(max : higher)
      for (int64_t j = 0; j < keysPerBlock; ++j)
        higher = higher < row[j] * scale ? row[j] * scale : higher;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t j = 0; j < keysPerBlock; ++j) {
        row[j] = std::exp(row[j] * scale - higher);
        sum += row[j];
      }
      const float shrink = std::exp(largest[i] - higher);
      total[i] = total[i] * shrink + sum;
      largest[i] = higher;
#pragma omp simd
      for (int64_t d = 0; d < D; ++d)
        sums[i * D + d] *= shrink;
    }
    multiplyAdd<D>(scores, keysPerBlock, v + key * D, sums, rowsPerBlock, keysPerBlock);
  }
  for (int64_t i = 0; i < rowsPerBlock; ++i)
#pragma omp simd
    for (int64_t d = 0; d < D; ++d)
      out[(first + i) * D + d] = sums[i * D + d] / total[i];
}
} // namespace

/// Arrays are [heads, length, d], d is 64 or 128, and length a multiple of 64.
extern "C" void attention(const float *q, const float *k, const float *v, float *out, int64_t heads,
                          int64_t length, int64_t d, int64_t causal) {
  const float scale = 1 / std::sqrt(float(d));
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t first = 0; first < length; first += rowsPerBlock) {
      const int64_t start = head * length * d;
      (d == 64 ? attend<64> : attend<128>)(q + start, k + start, v + start, out + start, first,
                                           length, scale, causal);
    }
}
