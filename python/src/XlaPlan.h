// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a call by XLA launch, and on what? tilewright/jax.py writes it as a row of integers, an
// attribute of the call, so that a program of JAX that was compiled needs nothing else of the
// process that made it:
//
//   grid x, y, z
//   bytes that addresses of arrays are multiples of
//   threads, is on the reference machine, has a seed, seed
//   number of operands, for each:    rank, bytes of an element, origin
//   number of parameters, for each:  source, element type, value
//
// Operands are the arguments of the call, and then its results.

#ifndef TILEWRIGHT_PYTHON_XLAPLAN_H
#define TILEWRIGHT_PYTHON_XLAPLAN_H

#include "KernelObject.h"

#include <span>

namespace tilewright::python {

struct XlaPlan {
  struct Operand {
    /// Without the dimensions that `vmap` puts in front.
    int64_t rank;
    int64_t elementBytes;
    /// An argument, a result, or from 0 the argument in whose memory a result is.
    int64_t origin;
    static constexpr int64_t argument = -2, result = -1;
  };
  struct Parameter {
    enum Source : int64_t {
      /// A number, its bits in `value`.
      number,
      /// The array that is operand `value`.
      array,
      /// A number, the element of operand `value`.
      numberOfOperand
    } source;
    twElementType element;
    uint64_t value;
  };

  /// Nothing if these are no such words.
  static std::optional<XlaPlan> read(std::span<const int64_t> words);

  Grid grid = {};
  int64_t alignment = 1;
  int threads = 0;
  twDevice device = TW_CPU;
  std::optional<uint64_t> seed;
  std::vector<Operand> operands;
  std::vector<Parameter> parameters;
};

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_XLAPLAN_H
