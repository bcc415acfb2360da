// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catches MLIR's errors while an object of this class lives, and turns them into a Failure.

#ifndef TILEWRIGHT_CODEGEN_CAUGHTDIAGNOSTICS_H
#define TILEWRIGHT_CODEGEN_CAUGHTDIAGNOSTICS_H

#include "tilewright/support/Result.h"

#include "mlir/IR/Diagnostics.h"

namespace tilewright::codegen {

class CaughtDiagnostics {
public:
  explicit CaughtDiagnostics(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) { return keep(diagnostic); }) {}

  /// The first error; if there was none, that `step` failed.
  support::Failure failure(const char *step) const {
    return {"codegen: " + std::string(step) + ": " + (error.empty() ? "failed" : error)};
  }

private:
  mlir::LogicalResult keep(mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && error.empty())
      error = diagnostic.str();
    return mlir::success();
  }

  std::string error;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_CAUGHTDIAGNOSTICS_H
