// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits float functions that the GPU has instructions for: those whose error, according to the PTX
// manual, is within the bound of the specification (arithmetic, 3.4), and minima and maxima.

#ifndef TILEWRIGHT_NVIDIA_EMIT_FASTMATH_H
#define TILEWRIGHT_NVIDIA_EMIT_FASTMATH_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/emit/ThreadBuilder.h"

namespace tilewright::nvidia {

/// The result for one element; null if the operation is none of these.
mlir::Value emitFunction(ThreadBuilder &b, const Target &target, mlir::Operation *op,
                         mlir::ValueRange operands);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_FASTMATH_H
