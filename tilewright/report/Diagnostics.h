// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics at source lines.

#ifndef TILEWRIGHT_REPORT_DIAGNOSTICS_H
#define TILEWRIGHT_REPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>

namespace tilewright::report {

/// While alive, prints diagnostics of a context with the source line they are about.
/// Debug locations lead to the file and line of the language that the kernel was
/// written in.
class SourceDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  SourceDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, llvm::raw_ostream &out);

  /// From the places of what is parsed to those of `sources`, if they differ.
  using Origin = std::function<mlir::Location(mlir::Location)>;
  void setOrigin(Origin newOrigin) { origin = std::move(newOrigin); }

private:
  void show(mlir::Diagnostic &diagnostic);
  mlir::Location shownPlaceOf(mlir::Location location) const;

  Origin origin;
};

/// The location without debug scopes, which printers of source lines do not know.
mlir::Location withoutScopes(mlir::Location loc);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_DIAGNOSTICS_H
