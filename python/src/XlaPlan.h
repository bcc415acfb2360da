// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a launch by XLA: its grid, options, operands and parameters. tilewright/jax.py writes
// it as a sequence of integers, an attribute of the call, so that a compiled JAX program needs
// nothing else from the process that traced it:
//
//   grid x, y, z
//   alignment of array addresses, in bytes
//   threads, is on the reference machine, has a seed, seed
//   number of operands, for each:    rank, bytes of an element, origin
//   number of parameters, for each:  source, element type, value
//
// Operands are the arguments of the call, followed by its results.

#ifndef TILEWRIGHT_PYTHON_XLAPLAN_H
#define TILEWRIGHT_PYTHON_XLAPLAN_H

#include "KernelObject.h"

#include <span>

namespace tilewright::python {

struct XlaPlan {
  struct Operand {
    /// Without the batch dimensions that `vmap` adds in front.
    int64_t rank;
    int64_t elementBytes;
    /// `argument`, `result`, or the index of the argument whose memory a result shares.
    int64_t origin;
    static constexpr int64_t argument = -2, result = -1;
  };
  struct Parameter {
    enum Source : int64_t {
      /// A number, with its bits in `value`.
      number,
      /// The array that is operand `value`.
      array,
      /// A number, the only element of operand `value`.
      numberOfOperand
    } source;
    twElementType element;
    uint64_t value;
  };

  /// None if the words are malformed.
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
