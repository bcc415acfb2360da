// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on images with one byte per pixel, as loops that g++ vectorises.

#include <algorithm>
#include <cstdint>

/// Nine times a pixel minus its eight neighbours; `in` has a border of one.
extern "C" void sharpen(const uint8_t *__restrict in, uint8_t *__restrict out, int64_t height,
                        int64_t width) {
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < height; ++y) {
    const uint8_t *a = in + y * (width + 2), *b = a + width + 2, *c = b + width + 2;
#pragma omp simd
    for (int64_t x = 0; x < width; ++x) {
      const int16_t around =
          int16_t(a[x] + a[x + 1] + a[x + 2] + b[x] + b[x + 2] + c[x] + c[x + 1] + c[x + 2]);
      const int16_t value = int16_t(9 * b[x + 1] - around);
      out[y * width + x] = uint8_t(value < 0 ? 0 : value > 255 ? 255 : value);
    }
  }
}

/// Interpolates between four pixels; coordinates are in 256ths of a pixel.
static inline uint8_t interpolated(const uint8_t *in, int64_t stride, int32_t y, int32_t x) {
  const uint8_t *at = in + (y >> 8) * stride + (x >> 8);
  const int32_t down = y & 255, right = x & 255;
  const int32_t upper = at[0] * (256 - right) + at[1] * right;
  const int32_t lower = at[stride] * (256 - right) + at[stride + 1] * right;
  return uint8_t((upper * (256 - down) + lower * down + 32768) >> 16);
}

extern "C" void resize(const uint8_t *__restrict in, uint8_t *__restrict out, int64_t stride,
                       int64_t height, int64_t width, int64_t stepY, int64_t stepX) {
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < height; ++y)
#pragma omp simd
    for (int32_t x = 0; x < int32_t(width); ++x)
      out[y * width + x] = interpolated(in, stride, int32_t(y * stepY), x * int32_t(stepX));
}

/// An affine map from positions in `out` to positions in `in`, in 256ths of a pixel; black outside.
extern "C" void warp(const uint8_t *__restrict in, uint8_t *__restrict out, int64_t inHeight,
                     int64_t inWidth, int64_t height, int64_t width, int64_t yy, int64_t yx,
                     int64_t y0, int64_t xy, int64_t xx, int64_t x0) {
  const int32_t endY = int32_t(inHeight - 1) * 256, endX = int32_t(inWidth - 1) * 256;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < height; ++i) {
    const int32_t rowY = int32_t(i * yy + y0), rowX = int32_t(i * xy + x0);
    const int32_t alongY = int32_t(yx), alongX = int32_t(xx);
    for (int32_t j = 0; j < int32_t(width); ++j) {
      const int32_t y = rowY + j * alongY, x = rowX + j * alongX;
      const bool inside = y >= 0 && y < endY && x >= 0 && x < endX;
      out[i * width + j] = inside ? interpolated(in, inWidth, y, x) : uint8_t(0);
    }
  }
}
