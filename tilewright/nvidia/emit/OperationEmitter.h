// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who emits the operations inside of others? Emitters of regions ask it for what is in them.

#ifndef TILEWRIGHT_NVIDIA_EMIT_OPERATIONEMITTER_H
#define TILEWRIGHT_NVIDIA_EMIT_OPERATIONEMITTER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/LogicalResult.h"

namespace tilewright::nvidia {

class OperationEmitter {
public:
  virtual ~OperationEmitter() = default;
  virtual llvm::LogicalResult emit(mlir::Block &body) = 0;
  virtual llvm::LogicalResult emit(mlir::Operation *op) = 0;
  /// Says why the operation cannot be compiled, and fails.
  virtual llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what) = 0;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_OPERATIONEMITTER_H
