// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an explored kernel costs on a GPU: resources of a thread block, occupancy, and arithmetic
// intensity.

#ifndef TILEWRIGHT_API_EXPLORE_COST_H
#define TILEWRIGHT_API_EXPLORE_COST_H

#include "tilewright/api/explore/Stages.h"
#include "tilewright/report/CoverageReport.h"
#include "tilewright/runtime/Grid.h"

#include "llvm/Support/JSON.h"

namespace tilewright::api {

struct KernelCost {
  const runtime::Grid &grid;
  const ExploredCode &code;
  /// How often each operation was executed.
  const report::OperationCounts &counts;
  /// As `--counters` writes them; null if there are none.
  const llvm::json::Object *counters;
};

/// `cost` of the document.
llvm::json::Object costAsJson(const KernelCost &cost);

/// The floating-point operations of one execution of the operation, in a body of `reduce` or `scan`
/// of all executions of the body.
int64_t floatOperationsOf(mlir::Operation *op);

/// The same with the operations of integer products, and the units that execute them: `f64`, `f32`,
/// or for products the type of their operands, as in Peaks, or `f4`.
struct UnitOperations {
  llvm::StringRef units;
  int64_t count;
};
UnitOperations unitOperationsOf(mlir::Operation *op);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_COST_H
