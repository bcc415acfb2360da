// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteReports.h.

#include "tilewright/driver/WriteReports.h"
#include "tilewright/driver/WriteFile.h"

using namespace tilewright;
using namespace tilewright::driver;
using report::ReportFormat;
using report::ReportRequest;

ReportFormat driver::formatOnStandardError(llvm::ArrayRef<ReportRequest> requests) {
  ReportFormat format = ReportFormat::Text;
  for (const ReportRequest &request : requests)
    if (request.file.empty())
      format = request.format;
  return format;
}

std::string driver::toString(const report::Report &report, ReportFormat format,
                             llvm::StringRef text) {
  switch (format) {
  case ReportFormat::Text:
    return text.str();
  case ReportFormat::Json:
    return report.toJson();
  case ReportFormat::Sarif:
    return report.toSarif();
  }
  llvm_unreachable("every format has a form");
}

support::Result<void> driver::writeReportFiles(const report::Report &report, llvm::StringRef text,
                                               llvm::ArrayRef<ReportRequest> requests) {
  std::vector<std::string> contents;
  for (const ReportRequest &request : requests)
    if (!request.file.empty())
      contents.push_back(toString(report, request.format, text));
  std::vector<FileContents> files;
  for (const ReportRequest &request : requests)
    if (!request.file.empty())
      files.push_back({request.file, contents[files.size()]});
  return writeFiles(files);
}
