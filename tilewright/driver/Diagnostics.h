// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics at source lines.

#ifndef TILEWRIGHT_DRIVER_DIAGNOSTICS_H
#define TILEWRIGHT_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace tilewright::driver {

/// While alive, prints diagnostics of a context with the source line they are about.
/// Debug locations lead to the file and line of the language that the kernel was
/// written in.
class SourceDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  SourceDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context);

private:
  void show(mlir::Diagnostic &diagnostic);
};

/// Brackets that are nested deeper than any program needs would only exhaust the stack
/// of the parser. The place of the first one that is, or null.
const char *findExcessiveNesting(llvm::StringRef text, unsigned limit);

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_DIAGNOSTICS_H
