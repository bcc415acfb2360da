// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts MLIR diagnostics and findings of the machines to the data types of this room.

#ifndef TILEWRIGHT_API_RECORDS_H
#define TILEWRIGHT_API_RECORDS_H

#include "tilewright/api/Finding.h"
#include "tilewright/report/Finding.h"
#include "tilewright/runtime/LaunchResult.h"

#include "mlir/IR/Diagnostics.h"
#include <functional>

namespace tilewright::api {

/// While alive, adds the diagnostics of an MLIR context to a list. They are passed on to the
/// previous handler, which prints them.
class DiagnosticRecorder : public mlir::ScopedDiagnosticHandler {
public:
  /// Maps locations in the parsed text to the file, if the two differ.
  using Origin = std::function<mlir::Location(mlir::Location)>;

  /// `file` is the file of places that name none. Records nothing if the list is null.
  DiagnosticRecorder(mlir::MLIRContext *context, llvm::StringRef file,
                     std::vector<Diagnostic> *list, Origin origin = nullptr);

private:
  Place placeOf(mlir::Location location) const;

  std::string file;
  Origin origin;
};

Place placeOf(mlir::Location location, llvm::StringRef file);
/// `count.mlir:4:16`, `count.tileirbc: byte 210`
std::string textOf(const Place &place);
/// An error from the bytecode reader. Its message starts with the byte offset.
Diagnostic malformed(mlir::Location location, llvm::StringRef file, llvm::StringRef message);

Finding toFinding(const report::Finding &finding, llvm::StringRef file);
Finding toFinding(const runtime::FailedAssert &failed, llvm::StringRef kernel);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_RECORDS_H
