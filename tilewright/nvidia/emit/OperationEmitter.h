// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which emitters of regions emit nested operations.

#ifndef TILEWRIGHT_NVIDIA_EMIT_OPERATIONEMITTER_H
#define TILEWRIGHT_NVIDIA_EMIT_OPERATIONEMITTER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace tilewright::nvidia {

class OperationEmitter {
public:
  virtual ~OperationEmitter() = default;
  virtual void emit(mlir::Block &body) = 0;
  virtual void emit(mlir::Operation *op) = 0;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_OPERATIONEMITTER_H
