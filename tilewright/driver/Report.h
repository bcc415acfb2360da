// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is told what a launch did wrong? To people in lines, to programs as one JSON object,
// to the services that show findings beside the code as SARIF 2.1.0. All three say the same
// of a finding: what, by which rule, where in the grid, in the tile, in memory and in the
// source.

#ifndef TILEWRIGHT_DRIVER_REPORT_H
#define TILEWRIGHT_DRIVER_REPORT_H

#include "tilewright/reference/Machine.h"

#include "llvm/Support/JSON.h"

namespace tilewright::driver {

enum class ReportFormat { Text, Json, Sarif };

/// A report that somebody asked for.
struct ReportRequest {
  ReportFormat format;
  /// Empty: in place of the text that complaints are otherwise.
  std::string file;

  /// `text`, `json` or `sarif`, and perhaps `=FILE`.
  static support::Result<ReportRequest> parse(llvm::StringRef text);
};

/// A launch, and what came of it.
struct Report {
  llvm::StringRef file; ///< That holds the kernel.
  llvm::StringRef kernel;
  const runtime::Grid &grid;
  const reference::LaunchOptions &options;
  const reference::LaunchResult &result;
  int exitStatus;
  /// Of the exhaustive schedule; else null.
  const reference::ExhaustiveResult *exhaustive = nullptr;

  int64_t findingCount() const { return result.findings.size() + result.unlistedFindings; }
  std::string toString(ReportFormat format) const;
};

/// Where something is: at a line, or in bytecode without debug information at a byte. 0 and
/// none stand for what is not known.
struct SourcePlace {
  std::string file;
  int64_t line = 0, column = 0;
  std::optional<int64_t> byte;
};
SourcePlace placeOf(mlir::Location location, llvm::StringRef file);
llvm::json::Object placeAsJson(const SourcePlace &place);

/// `failed-assertion`, `misbehaviour`, `unspecified-value`, `unsupported`, `step-limit`
llvm::StringRef nameOf(reference::FindingKind kind);
/// `error` or `warning`, as in text.
inline llvm::StringRef levelOf(reference::FindingKind kind) {
  return reference::isWarning(kind) ? "warning" : "error";
}

/// JSON holds text only: bytes that are no UTF-8 become U+FFFD.
std::string jsonText(llvm::StringRef bytes);

/// The SARIF form (Sarif.cpp).
std::string toSarif(const Report &report);

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_REPORT_H
