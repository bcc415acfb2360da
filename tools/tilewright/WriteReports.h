// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the reports that the option --report requests: to files, and to standard error, where a
// report replaces the text.

#ifndef TILEWRIGHT_TOOLS_WRITEREPORTS_H
#define TILEWRIGHT_TOOLS_WRITEREPORTS_H

#include "tilewright/report/Report.h"
#include "tools/WriteFile.h"

namespace tilewright::tools {

/// The files that reports are written to.
std::vector<NamedOutput> outputsOf(llvm::ArrayRef<report::ReportRequest> requests);

/// The format for standard error: text, unless a request without a file selects another.
report::ReportFormat formatOnStandardError(llvm::ArrayRef<report::ReportRequest> requests);

/// The report in this format; `text` is the command's human-readable output.
std::string toString(const report::Report &report, report::ReportFormat format,
                     llvm::StringRef text);

/// Writes the requested files: all of them, or none.
support::Result<void> writeReportFiles(const report::Report &report, llvm::StringRef text,
                                       llvm::ArrayRef<report::ReportRequest> requests);
/// The same; `form` returns the report in the given format.
support::Result<void> writeReportFiles(llvm::function_ref<std::string(report::ReportFormat)> form,
                                       llvm::ArrayRef<report::ReportRequest> requests);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_WRITEREPORTS_H
