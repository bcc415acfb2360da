// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the name of the value to MLIR's error about an undeclared value.

#ifndef TILEWRIGHT_API_TEXT_UNDECLARED_H
#define TILEWRIGHT_API_TEXT_UNDECLARED_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tilewright::api {

/// While alive, completes these errors and passes them on to the previous handlers.
class UndeclaredNames : public mlir::ScopedDiagnosticHandler {
public:
  /// `text` is the parsed text.
  UndeclaredNames(mlir::MLIRContext *context, llvm::MemoryBufferRef text);
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_TEXT_UNDECLARED_H
