// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics with source lines.

#ifndef TILEWRIGHT_REPORT_DIAGNOSTICS_H
#define TILEWRIGHT_REPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>

namespace tilewright::report {

/// While alive, prints diagnostics of a context with the source line that they refer to. Debug
/// locations are resolved to the file and line of the language in which the kernel was written.
class SourceDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  SourceDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, llvm::raw_ostream &out);

  /// Maps locations in the parsed text to locations in `sources`, if they differ.
  using Origin = std::function<mlir::Location(mlir::Location)>;
  void setOrigin(Origin newOrigin) { origin = std::move(newOrigin); }

private:
  void show(mlir::Diagnostic &diagnostic);
  mlir::Location shownPlaceOf(mlir::Location location) const;

  Origin origin;
};

/// Removes debug scopes, which printers of source lines do not support.
mlir::Location withoutScopes(mlir::Location loc);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_DIAGNOSTICS_H
