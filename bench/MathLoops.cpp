// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled twice, with different names for TABLE. With -ffast-math, the calls become libmvec's
// vector functions.

#include "MathLoops.h"

#include <cmath>
#include <cstring>

template <auto function, typename T>
static void loop(const T *__restrict x, const T *__restrict y, const void *, T *__restrict result,
                 int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    result[i] = function(x[i], y[i]);
}

template <auto function>
static constexpr MathLoops loops = {loop<function, float>, loop<function, double>};

#define UNARY(NAME) {#NAME, loops<[](auto x, auto) { return std::NAME(x); }>}
#define BINARY(NAME) {#NAME, loops<[](auto x, auto y) { return std::NAME(x, y); }>}

static constexpr struct {
  const char *name;
  MathLoops loops;
} all[] = {
    UNARY(exp),
    UNARY(exp2),
    UNARY(log),
    UNARY(log2),
    UNARY(sin),
    UNARY(cos),
    UNARY(tan),
    UNARY(sinh),
    UNARY(cosh),
    UNARY(tanh),
    BINARY(pow),
    BINARY(atan2),
    {"rsqrt", loops<[](auto x, auto) { return 1 / std::sqrt(x); }>},
};

MathLoops TABLE(const char *name) {
  for (const auto &[rowName, loops] : all)
    if (std::strcmp(rowName, name) == 0)
      return loops;
  return {};
}
