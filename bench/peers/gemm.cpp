// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hand-written matrix product: tiles of 4 x 64 accumulators in registers, over panels of b that
// are packed so that they fit into the L2 cache.

#include <algorithm>
#include <cstdint>

namespace {
constexpr int64_t tileRows = 4, tileColumns = 64, depth = 256;

void multiplyAdd(const float *a, int64_t strideA, const float *b, float *c, int64_t strideC,
                 int64_t common) {
  float sums[tileRows][tileColumns];
  for (int64_t r = 0; r < tileRows; ++r)
#pragma omp simd
    for (int64_t l = 0; l < tileColumns; ++l)
      sums[r][l] = c[r * strideC + l];
  for (int64_t k = 0; k < common; ++k)
    for (int64_t r = 0; r < tileRows; ++r)
#pragma omp simd
      for (int64_t l = 0; l < tileColumns; ++l)
        sums[r][l] += a[r * strideA + k] * b[k * tileColumns + l];
  for (int64_t r = 0; r < tileRows; ++r)
#pragma omp simd
    for (int64_t l = 0; l < tileColumns; ++l)
      c[r * strideC + l] = sums[r][l];
}
} // namespace

/// Extents are multiples of 64.
extern "C" void gemm(const float *a, const float *b, float *c, int64_t m, int64_t n, int64_t k) {
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < n; j += tileColumns) {
    float strip[depth * tileColumns];
    for (int64_t i = 0; i < m; ++i)
      std::fill(c + i * n + j, c + i * n + j + tileColumns, 0.f);
    for (int64_t p = 0; p < k; p += depth) {
      const int64_t common = std::min(depth, k - p);
      for (int64_t q = 0; q < common; ++q)
        std::copy_n(b + (p + q) * n + j, tileColumns, strip + q * tileColumns);
      for (int64_t i = 0; i < m; i += tileRows)
        multiplyAdd(a + i * k + p, k, strip, c + i * n + j, n, common);
    }
  }
}
