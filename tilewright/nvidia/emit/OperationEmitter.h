// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who emits the operations inside of others? Emitters of regions ask it for what is in them.

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
