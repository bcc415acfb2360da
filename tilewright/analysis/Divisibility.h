// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which power of two an integer or an address is divisible. The answer follows from constants,
// from `assume div_by`, and from arithmetic on such values.

#ifndef TILEWRIGHT_ANALYSIS_DIVISIBILITY_H
#define TILEWRIGHT_ANALYSIS_DIVISIBILITY_H

#include "mlir/IR/Value.h"

#include <cstdint>

namespace tilewright::analysis {

/// The largest power of two that is known to divide a scalar: an integer, or the address of a
/// pointer in bytes. At least 1, and at most 2^30.
uint64_t divisorOf(mlir::Value scalar);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_DIVISIBILITY_H
