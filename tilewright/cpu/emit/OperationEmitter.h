// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do emitters of single kinds of operations need of the one that has them all? Operations
// inside of theirs are emitted by it, and it reports what is not supported.

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
  /// Fails, and says why.
  virtual llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what) = 0;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_OPERATIONEMITTER_H
