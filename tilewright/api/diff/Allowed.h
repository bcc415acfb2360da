// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a result of an operation may be from that of the reference machine for the same operands:
// what the specification leaves to a device (arithmetic, 3.3, 3.4 and 4.30; operations, 4.11).

#ifndef TILEWRIGHT_API_DIFF_ALLOWED_H
#define TILEWRIGHT_API_DIFF_ALLOWED_H

#include "tilewright/numerics/Element.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace tilewright::api {

struct Allowance {
  /// Any NaN may stand for another one.
  bool anyNan = false;
  /// In units of the last place: that many, and this many for each unit of the operand's magnitude.
  double ulps = 0, ulpsByOperand = 0;
  /// As a fraction of the sum of the magnitudes of what is added.
  double ofMagnitudes = 0;
  /// It only adds and multiplies: results that depend on an infinite operand are infinite or NaN.
  bool keepsInfinities = false;
  /// Subnormal numbers count as zeros.
  bool flushes = false;

  /// `exactly`, `within 2 ulp of`, ...
  std::string toString() const;
};

Allowance allowanceOf(mlir::Operation *op);

/// The reference machine's result, and what it depends on.
struct Required {
  numerics::Element value;
  /// The first operand at the same coordinate; for Allowance::ulpsByOperand.
  double operand = 0;
  /// For Allowance::ofMagnitudes.
  double magnitudes = 0;
  /// It depends on an infinite operand, and the operation keeps infinities.
  bool isNeverFinite = false;
};

bool allows(const Allowance &allowance, const Required &required, numerics::Element found);

/// Whether sums in some order may exceed the largest number of the format: then the magnitudes
/// bound nothing, and what `allows` refuses may be right. A finite number is wrong if the result is
/// finite in no order.
bool mayOverflow(const Allowance &allowance, const Required &required, numerics::Element found);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_ALLOWED_H
