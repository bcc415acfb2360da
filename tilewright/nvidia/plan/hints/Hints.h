// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the optimization hints of a program ask for (operations, 2.5).

#ifndef TILEWRIGHT_NVIDIA_PLAN_HINTS_HINTS_H
#define TILEWRIGHT_NVIDIA_PLAN_HINTS_HINTS_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

#include <optional>

namespace tilewright::nvidia {

/// The key of hints for the target: `sm_90`.
std::string architectureOf(const Target &target);
/// The value of a hint; bools are integers of one bit.
int64_t numberOf(mlir::Attribute value);
/// The value of a hint for the target; none if there is none that applies.
std::optional<int64_t> hintOf(mlir::Operation *op, llvm::StringRef name, const Target &target);

/// The value of `num_worker_warps_per_cta` as the specification clamps it.
int64_t clampedWarps(int64_t warps);
/// The warps that the hint asks for.
std::optional<int64_t> workerWarpsFor(tile::EntryOp entry, const Target &target);

/// The most pipeline stages for this latency; 1 if there must be none.
int64_t stagesOfLatency(int64_t latency);
/// The most pipeline stages that the `latency` of a load asks for.
std::optional<int64_t> stagesFor(tile::LoadViewOp load, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_HINTS_HINTS_H
