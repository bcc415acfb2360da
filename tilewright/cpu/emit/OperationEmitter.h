// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which the emitters of single operations reach the KernelEmitter: it emits
// nested operations, and reports unsupported ones.

#ifndef TILEWRIGHT_CPU_EMIT_OPERATIONEMITTER_H
#define TILEWRIGHT_CPU_EMIT_OPERATIONEMITTER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::cpu {

class OperationEmitter {
public:
  virtual ~OperationEmitter() = default;
  virtual llvm::LogicalResult emit(mlir::Operation *op) = 0;
  virtual llvm::LogicalResult emit(mlir::Block &body) = 0;
  /// Fails, and records why.
  virtual llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what) = 0;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_OPERATIONEMITTER_H
