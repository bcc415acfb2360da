// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products for formats that BLAS lacks: both operands are widened to f32 (f16 and bf16 by
// arithmetic, 8-bit types with a table), and multiplied by OpenBLAS. Widening takes quadratic time
// in the extent, the product cubic time.

#include <cstdint>
#include <cstring>
#include <vector>

extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *,
                            int, float, float *, int);

namespace {
std::vector<float> wideA, wideB;

template <typename Narrow, typename Widen>
void product(const Narrow *a, const Narrow *b, float *c, int64_t m, int64_t n, int64_t k,
             Widen widen) {
  wideA.resize(m * k);
  wideB.resize(k * n);
#pragma omp parallel
  {
#pragma omp for simd nowait
    for (int64_t i = 0; i < m * k; ++i)
      wideA[i] = widen(a[i]);
#pragma omp for simd
    for (int64_t i = 0; i < k * n; ++i)
      wideB[i] = widen(b[i]);
  }
  cblas_sgemm(101, 111, 111, int(m), int(n), int(k), 1, wideA.data(), int(k), wideB.data(), int(n),
              0, c, int(n));
}
} // namespace

extern "C" void product_f16(const _Float16 *a, const _Float16 *b, float *c, int64_t m, int64_t n,
                            int64_t k) {
  product(a, b, c, m, n, k, [](_Float16 x) { return float(x); });
}

extern "C" void product_bf16(const uint16_t *a, const uint16_t *b, float *c, int64_t m, int64_t n,
                             int64_t k) {
  product(a, b, c, m, n, k, [](uint16_t x) {
    const uint32_t bits = uint32_t(x) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  });
}

/// `values` contains the values of the 256 bit patterns.
extern "C" void product_8(const uint8_t *a, const uint8_t *b, float *c, int64_t m, int64_t n,
                          int64_t k, const float *values) {
  product(a, b, c, m, n, k, [=](uint8_t x) { return values[x]; });
}
