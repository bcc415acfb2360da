// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do the reports go that the option --report asks for? To standard error, where one of them
// takes the place of the text, and to files.

#ifndef TILEWRIGHT_TOOLS_WRITEREPORTS_H
#define TILEWRIGHT_TOOLS_WRITEREPORTS_H

#include "tilewright/report/Report.h"
#include "tools/WriteFile.h"

namespace tilewright::tools {

/// The files that reports go to.
std::vector<NamedOutput> outputsOf(llvm::ArrayRef<report::ReportRequest> requests);

/// The form that goes to standard error: text, unless a request without a file asks for another.
report::ReportFormat formatOnStandardError(llvm::ArrayRef<report::ReportRequest> requests);

/// The report in this form; `text` is what commands print for people.
std::string toString(const report::Report &report, report::ReportFormat format,
                     llvm::StringRef text);

/// Writes the files that the requests name: all of them, or none.
support::Result<void> writeReportFiles(const report::Report &report, llvm::StringRef text,
                                       llvm::ArrayRef<report::ReportRequest> requests);
/// The same; `form` gives the report in a format.
support::Result<void> writeReportFiles(llvm::function_ref<std::string(report::ReportFormat)> form,
                                       llvm::ArrayRef<report::ReportRequest> requests);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_WRITEREPORTS_H
