// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the name to MLIR's error about a value that is not declared.

#ifndef TILEWRIGHT_API_UNDECLARED_H
#define TILEWRIGHT_API_UNDECLARED_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tilewright::api {

/// While alive, completes these errors and hands them to the handlers that were registered before.
class UndeclaredNames : public mlir::ScopedDiagnosticHandler {
public:
  /// `text`: what is parsed.
  UndeclaredNames(mlir::MLIRContext *context, llvm::MemoryBufferRef text);
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_UNDECLARED_H
