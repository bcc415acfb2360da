// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds errors that other schedules of a launch have, from the trace of one execution. A search
// reverses pairs of synchronising operations (Reversals.h), executes the launch again in each order
// that results, and lets the checks of the machine judge these executions. Their traces have
// further pairs. So every reported error has happened, and has a schedule that repeats it.
//
// The number of executed operations is limited. Pairs of source operations that have been reversed
// least often come first.

#ifndef TILEWRIGHT_REFERENCE_PREDICT_PREDICTION_H
#define TILEWRIGHT_REFERENCE_PREDICT_PREDICTION_H

#include "tilewright/reference/machine/LaunchOptions.h"
#include "tilewright/reference/predict/Trace.h"

namespace tilewright::reference {

/// Executes the launch from its initial state with the given schedule and limits.
using ExecuteOrder = llvm::function_ref<LaunchResult(const ReplayOrder &order, int64_t maxSteps,
                                                     Observer &observer)>;

/// Whether the result of a launch may depend on the order of its blocks, and races are checked.
bool mayPredict(mlir::Operation *entry, int64_t blocks, const LaunchOptions &options);

/// Whether to execute other schedules after an execution with this result: not if the blocks do not
/// synchronise, or if the kernel is undefined anyway.
bool isWorthPredicting(const LaunchResult &result);

/// Adds the errors of other schedules to the result of an execution, whose trace is given.
void predict(LaunchResult &result, ExecutionTrace trace, const LaunchOptions &options,
             ExecuteOrder execute);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_PREDICT_PREDICTION_H
