// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits lane-shuffle programs (plan/Networks.h): a loop over pieces, whose body has the planned
// steps in order: loads, shuffles, computations and stores.

#ifndef TILEWRIGHT_CPU_EMIT_NETWORKS_H
#define TILEWRIGHT_CPU_EMIT_NETWORKS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/Evaluator.h"

namespace tilewright::cpu {

struct Network;
struct NetworkStep;

class Networks : EmitContext {
public:
  explicit Networks(const EmitContext &context) : EmitContext(context) {}

  void emit(const Network &network);

private:
  mlir::Value emitRankedStep(const Network &network, const NetworkStep &step, mlir::Value piece,
                             llvm::ArrayRef<mlir::Value> vectors);
  mlir::Value emitStepWithNans(const Network &network, const NetworkStep &step, mlir::Value piece,
                               llvm::ArrayRef<mlir::Value> vectors);
  mlir::Value hasNan(const Network &network, mlir::Value piece);
  mlir::Value emitStep(const Network &network, const NetworkStep &step, mlir::Value piece,
                       llvm::ArrayRef<mlir::Value> vectors);
  mlir::Value firstWord(const Network &network, const NetworkStep &step, mlir::Value piece);
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_NETWORKS_H
