// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the diagnostics of several programs into one report, as JSON or SARIF (docs/reports.md).

#ifndef TILEWRIGHT_TOOLS_CHECKREPORT_H
#define TILEWRIGHT_TOOLS_CHECKREPORT_H

#include "tilewright/api/Diagnostic.h"
#include "tools/tilewright/WriteReports.h"

#include "mlir/IR/MLIRContext.h"

namespace tilewright::tools {

class CheckReport {
public:
  /// Adds a file and its diagnostics.
  void add(llvm::StringRef file, llvm::ArrayRef<api::Diagnostic> diagnostics);

  /// `text` is the command's human-readable output, which is the report in the text format.
  std::string toString(report::ReportFormat format, int exitStatus, llvm::StringRef text) const;

private:
  llvm::json::Object toJson(int exitStatus) const;
  std::string toSarif(int exitStatus) const;

  /// Owns the locations of findings.
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<std::string> files;
  llvm::json::Array findings, results;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_CHECKREPORT_H
