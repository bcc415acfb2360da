// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what a plan does about the optimization hints of a program.

#ifndef TILEWRIGHT_NVIDIA_PLAN_HINTS_PLANHINTS_H
#define TILEWRIGHT_NVIDIA_PLAN_HINTS_PLANHINTS_H

#include "tilewright/nvidia/plan/Plan.h"

namespace tilewright::nvidia {

/// `hint sm_90.latency = 3: honoured: ...`, for each hint of the operation.
llvm::SmallVector<std::string> hintRemarks(const Plan &plan, mlir::Operation *op);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_HINTS_PLANHINTS_H
