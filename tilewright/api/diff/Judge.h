// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges single operations by what a device itself computed (Locate.cpp). Each function returns the
// first element that is wrong, or none.

#ifndef TILEWRIGHT_API_DIFF_JUDGE_H
#define TILEWRIGHT_API_DIFF_JUDGE_H

#include "tilewright/api/diff/DeviceValues.h"
#include "tilewright/api/diff/Unit.h"

namespace tilewright::api {

using MaybeCulprit = std::optional<Culprit>;

/// Arithmetic: the reference machine evaluates it on the device's operands.
support::Result<MaybeCulprit> judgeUnit(const DeviceValues &values, mlir::Operation *op,
                                        const Unit &unit);

/// Whether the value is a copy of another one: a carried value or a result of control flow. The
/// induction variable is computed.
bool isMoved(mlir::Value value);
/// A carried value or a result of control flow is one that the device passed on.
MaybeCulprit judgeMoved(const DeviceValues &values, mlir::Value value);
/// Whether a branch or loop ran the body that defines the value as often as it must.
MaybeCulprit judgeExecuted(const DeviceValues &values, mlir::Value value);

/// A loaded element is what the device stored there, or was there from the start.
MaybeCulprit judgeLoaded(const DeviceValues &values, mlir::Operation *load);
/// The arrays finally hold what the device stored.
MaybeCulprit judgeMemory(const DeviceValues &values);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_JUDGE_H
