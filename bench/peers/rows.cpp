// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on the rows of a matrix (also softmax.cpp and layer_norm.cpp) as a good engineer
// writes them for g++ -O3 -march=native -fopenmp -ffast-math: rows over threads, simple loops that
// vectorise, exponentials by glibc's vector functions, and as few walks over a row as the result
// needs.

#include <bit>
#include <cmath>
#include <cstdint>

extern "C" void rms_norm(const float *__restrict x, const float *__restrict scale,
                         float *__restrict y, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < columns; ++c)
      squares += in[c] * in[c];
    const float factor = 1 / std::sqrt(squares / columns + 1e-5f);
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c)
      out[c] = in[c] * factor * scale[c];
  }
}

static float widened(uint16_t bf16) { return std::bit_cast<float>(uint32_t(bf16) << 16); }

/// To nearest, ties to even; not of NaNs.
static uint16_t rounded(float f32) {
  const uint32_t bits = std::bit_cast<uint32_t>(f32);
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

extern "C" void rms_norm_bf16(const uint16_t *__restrict x, const uint16_t *__restrict scale,
                              uint16_t *__restrict y, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const uint16_t *in = x + r * columns;
    uint16_t *out = y + r * columns;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < columns; ++c)
      squares += widened(in[c]) * widened(in[c]);
    const float factor = 1 / std::sqrt(squares / columns + 1e-5f);
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c)
      out[c] = rounded(widened(in[c]) * factor * widened(scale[c]));
  }
}

/// silu(gate) * up.
extern "C" void swiglu(const float *__restrict gate, const float *__restrict up,
                       float *__restrict y, int64_t size) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < size; ++i)
    y[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
}
