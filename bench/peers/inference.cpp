// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written products of a matrix and a vector: rows are distributed over threads, with one loop
// per row.

#include <bit>
#include <cstdint>

static float widened(uint16_t bf16) { return std::bit_cast<float>(uint32_t(bf16) << 16); }

extern "C" void gemv_f32(const float *__restrict w, const float *__restrict x, float *__restrict y,
                         int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < n; ++r) {
    const float *row = w + r * n;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < n; ++c)
      sum += row[c] * x[c];
    y[r] = sum;
  }
}

extern "C" void gemv_bf16(const uint16_t *__restrict w, const float *__restrict x,
                          float *__restrict y, int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < n; ++r) {
    const uint16_t *row = w + r * n;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < n; ++c)
      sum += widened(row[c]) * x[c];
    y[r] = sum;
  }
}

/// 4-bit weights, two per byte, with a scale for every `group` weights of a row; x has two rows.
extern "C" void gemv_int4(const uint8_t *__restrict w, const float *__restrict scales,
                          const float *__restrict x, float *__restrict y, int64_t n,
                          int64_t group) {
  const int64_t bytes = n / 2, part = group / 2;
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < n; ++r) {
    float total = 0;
    for (int64_t g = 0; g < n / group; ++g) {
      const uint8_t *packed = w + r * bytes + g * part;
      const float *first = x + g * part, *second = first + bytes;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < part; ++c)
        sum +=
            float(int(packed[c] & 15) - 8) * first[c] + float(int(packed[c] >> 4) - 8) * second[c];
      total += sum * scales[r * (n / group) + g];
    }
    y[r] = total;
  }
}
