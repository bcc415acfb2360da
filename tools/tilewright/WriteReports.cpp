// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteReports.h.

#include "tools/tilewright/WriteReports.h"

using namespace tilewright;
using namespace tilewright::tools;
using report::ReportFormat;
using report::ReportRequest;

std::vector<NamedOutput> tools::outputsOf(llvm::ArrayRef<report::ReportRequest> requests) {
  std::vector<NamedOutput> outputs;
  for (const report::ReportRequest &request : requests)
    outputs.push_back({"--report", request.file});
  return outputs;
}

report::ReportFormat tools::formatOnStandardError(llvm::ArrayRef<report::ReportRequest> requests) {
  report::ReportFormat format = report::ReportFormat::Text;
  for (const report::ReportRequest &request : requests)
    if (request.file.empty())
      format = request.format;
  return format;
}

std::string tools::toString(const report::Report &report, report::ReportFormat format,
                            llvm::StringRef text) {
  switch (format) {
  case report::ReportFormat::Text:
    return text.str();
  case report::ReportFormat::Json:
    return report.toJson();
  case report::ReportFormat::Sarif:
    return report.toSarif();
  }
  llvm_unreachable("every format has a form");
}

support::Result<void> tools::writeReportFiles(const report::Report &report, llvm::StringRef text,
                                              llvm::ArrayRef<report::ReportRequest> requests) {
  return writeReportFiles(
      [&](report::ReportFormat format) { return toString(report, format, text); }, requests);
}

support::Result<void>
tools::writeReportFiles(llvm::function_ref<std::string(report::ReportFormat)> form,
                        llvm::ArrayRef<report::ReportRequest> requests) {
  std::vector<std::string> contents;
  for (const report::ReportRequest &request : requests)
    if (!request.file.empty())
      contents.push_back(form(request.format));
  std::vector<FileContents> files;
  for (const report::ReportRequest &request : requests)
    if (!request.file.empty())
      files.push_back({request.file, contents[files.size()]});
  return writeFiles(files);
}
