// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what MLIR and the machines report to the data of this room.

#ifndef TILEWRIGHT_API_RECORDS_H
#define TILEWRIGHT_API_RECORDS_H

#include "tilewright/api/Finding.h"
#include "tilewright/report/Finding.h"
#include "tilewright/runtime/LaunchResult.h"

#include "mlir/IR/Diagnostics.h"
#include <functional>

namespace tilewright::api {

/// While alive, adds the diagnostics of a context to a list. They go on to the handler that was
/// there before, which prints them.
class DiagnosticRecorder : public mlir::ScopedDiagnosticHandler {
public:
  /// From the places of what is parsed to those of the file, if they differ.
  using Origin = std::function<mlir::Location(mlir::Location)>;

  /// `file`: for places that name none. Records nothing if the list is null.
  DiagnosticRecorder(mlir::MLIRContext *context, llvm::StringRef file,
                     std::vector<Diagnostic> *list, Origin origin = nullptr);

private:
  Place placeOf(mlir::Location location) const;

  std::string file;
  Origin origin;
};

Place placeOf(mlir::Location location, llvm::StringRef file);
/// An error of the reader of bytecode, which starts with the byte that it is about.
Diagnostic malformed(mlir::Location location, llvm::StringRef file, llvm::StringRef message);

Finding toFinding(const report::Finding &finding, llvm::StringRef file);
Finding toFinding(const runtime::FailedAssert &failed, llvm::StringRef kernel);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_RECORDS_H
