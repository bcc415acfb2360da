// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the report on a plan (Plan.h, remarkOn), by kind of operation.

#ifndef TILEWRIGHT_CPU_PLAN_PLANREMARKS_H
#define TILEWRIGHT_CPU_PLAN_PLANREMARKS_H

#include "tilewright/cpu/plan/Matmuls.h"

namespace tilewright::cpu {

/// The operation's name without the dialect.
std::string nameOf(mlir::Operation *op);

void remarkOnMatmul(mlir::Operation *op, const MatmulPlan &plan);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLANREMARKS_H
