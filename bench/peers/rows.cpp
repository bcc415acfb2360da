// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on the rows of a matrix (see also softmax.cpp and layer_norm.cpp) as a good engineer
// writes them for g++ -O3 -march=native -fopenmp -ffast-math: rows are distributed over threads,
// with simple loops that vectorise, glibc's vector functions for exponentials, and as few passes
// over a row as possible.

#include <bit>
#include <cmath>
#include <cstdint>

/// Reads f32, or the bits of bf16.
static float read(float x) { return x; }
static float read(uint16_t bf16) { return std::bit_cast<float>(uint32_t(bf16) << 16); }
static void write(float &to, float x) { to = x; }
/// Rounds to nearest, ties to even; not for NaNs.
static void write(uint16_t &to, float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  to = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

template <typename T>
static void rmsNorm(const T *__restrict x, const T *__restrict scale, T *__restrict y, int64_t rows,
                    int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const T *in = x + r * columns;
    T *out = y + r * columns;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < columns; ++c)
      squares += read(in[c]) * read(in[c]);
    const float factor = 1 / std::sqrt(squares / columns + 1e-5f);
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c)
      write(out[c], read(in[c]) * factor * read(scale[c]));
  }
}

extern "C" void rms_norm(const float *x, const float *scale, float *y, int64_t rows,
                         int64_t columns) {
  rmsNorm(x, scale, y, rows, columns);
}
extern "C" void rms_norm_bf16(const uint16_t *x, const uint16_t *scale, uint16_t *y, int64_t rows,
                              int64_t columns) {
  rmsNorm(x, scale, y, rows, columns);
}

/// silu(gate) * up.
extern "C" void swiglu(const float *__restrict gate, const float *__restrict up,
                       float *__restrict y, int64_t size) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < size; ++i)
    y[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
}
