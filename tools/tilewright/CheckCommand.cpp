// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright check`: verifies programs and reports the places of errors.

#include "Commands.h"
#include "LoadFlags.h"
#include "ReportFlags.h"
#include "tools/tilewright/CheckReport.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tools;

namespace {
struct CheckOptions {
  std::vector<std::string> files;
  std::vector<report::ReportRequest> reports;
  api::LoadOptions load;
};
} // namespace

/// Checks all files, even if some are invalid. Text goes to `out`.
static int check(const CheckOptions &options, llvm::raw_ostream &out, CheckReport &report) {
  int status = ExitSuccess;
  for (const std::string &file : options.files) {
    api::Loader loader(options.load, out);
    std::vector<api::Diagnostic> diagnostics;
    loader.recordTo(&diagnostics);
    mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(file);
    if (!module)
      status = std::max(status, exitStatusOf(loader));
    report.add(loader.name(), diagnostics);
  }
  return status;
}

static int checkAndReport(const CheckOptions &options) {
  CheckReport report;
  if (options.reports.empty())
    return check(options, llvm::errs(), report);
  std::string text;
  llvm::raw_string_ostream out(text);
  const int status = check(options, out, report);
  const auto form = [&](report::ReportFormat format) {
    return report.toString(format, status, text);
  };
  llvm::errs() << form(formatOnStandardError(options.reports));
  if (support::Result<void> written = writeReportFiles(form, options.reports); !written) {
    llvm::errs() << "tilewright check: " << written.failure().message << "\n";
    return ExitUsage;
  }
  return status;
}

void tools::addCheck(Command program) {
  auto options = std::make_shared<CheckOptions>();
  Command command = program.addCommand("check", "Verify programs");
  command.addOperands("FILE", options->files, "programs to verify; '-' is standard input")
      .required()
      .isFile();
  addLoadFlags(command, options->load);
  addReports(command, options->reports);
  addVersionOption(command, "--target-version", options->load.target,
                   "report features that this Tile IR version (13.1 to 13.5) cannot represent");
  command.setFooter("Exit status: 0 all are valid; 1 one is invalid; 2 wrong usage, or a file that "
                    "cannot be read.");
  command.onRun([options] { return checkAndReport(*options); });
}
