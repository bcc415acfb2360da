// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option --report, of every subcommand that makes findings.

#ifndef TILEWRIGHT_TOOLS_REPORTFLAGS_H
#define TILEWRIGHT_TOOLS_REPORTFLAGS_H

#include "tilewright/report/Report.h"

#include <CLI/CLI.hpp>

namespace tilewright::tools {

inline CLI::Option *addReports(CLI::App &command, std::vector<report::ReportRequest> &reports) {
  CLI::callback_t add = [&reports](const CLI::results_t &texts) {
    for (const std::string &text : texts) {
      auto request = report::ReportRequest::parse(text);
      if (!request)
        throw CLI::ValidationError("--report", request.failure().message);
      reports.push_back(*request);
    }
    return true;
  };
  return command
      .add_option("--report", std::move(add),
                  "the form of the report: text (default), json or sarif; without a file, on "
                  "standard error")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->option_text("FORMAT[=FILE]");
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_REPORTFLAGS_H
