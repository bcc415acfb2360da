// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the C library's functions, to compare with. They are always compiled by g++: once with
// scalar calls, and once so that libmvec's vector functions replace them.

#ifndef TILEWRIGHT_BENCH_MATHLOOPS_H
#define TILEWRIGHT_BENCH_MATHLOOPS_H

#include <stdint.h>

/// result[i] = function(x[i], y[i]) for `count` elements; null for an unknown name.
struct MathLoops {
  void (*f32)(const float *x, const float *y, const void *, float *result, int64_t count);
  void (*f64)(const double *x, const double *y, const void *, double *result, int64_t count);
};

extern "C" MathLoops scalarMathLoops(const char *name);
extern "C" MathLoops vectorMathLoops(const char *name);

#endif // TILEWRIGHT_BENCH_MATHLOOPS_H
