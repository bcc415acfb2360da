// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Hints.h.

#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/tile/attributes/Hints.h"

#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;

std::string nvidia::architectureOf(const Target &target) {
  return "sm_" + std::to_string(target.capability);
}

int64_t nvidia::numberOf(mlir::Attribute value) {
  return int64_t(llvm::cast<mlir::IntegerAttr>(value).getValue().getZExtValue());
}

std::optional<int64_t> nvidia::hintOf(Operation *op, llvm::StringRef name, const Target &target) {
  mlir::Attribute value = tile::hintOf(op, architectureOf(target), name);
  return value ? std::optional(numberOf(value)) : std::nullopt;
}

int64_t nvidia::clampedWarps(int64_t warps) { return std::clamp<int64_t>(warps, 4, 8); }

std::optional<int64_t> nvidia::workerWarpsFor(tile::EntryOp entry, const Target &target) {
  auto warps = hintOf(entry, "num_worker_warps_per_cta", target);
  return warps ? std::optional(clampedWarps(*warps)) : std::nullopt;
}

/// Each stage beyond the one that is read hides two units of latency. With 10, the stages are as
/// many as fit, but further ones would hide nothing.
int64_t nvidia::stagesOfLatency(int64_t latency) {
  return latency == 1 ? 1 : 1 + int64_t(llvm::divideCeil(latency, 2));
}

std::optional<int64_t> nvidia::stagesFor(tile::LoadViewOp load, const Target &target) {
  auto latency = hintOf(load, "latency", target);
  return latency ? std::optional(stagesOfLatency(*latency)) : std::nullopt;
}
