// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option --report, which all subcommands that report findings share.

#ifndef TILEWRIGHT_TOOLS_REPORTFLAGS_H
#define TILEWRIGHT_TOOLS_REPORTFLAGS_H

#include "Command.h"
#include "tilewright/report/Report.h"

namespace tilewright::tools {

inline Option addReports(Command command, std::vector<report::ReportRequest> &reports) {
  auto add = [&reports](const Command::Texts &texts) {
    for (const std::string &text : texts) {
      auto request = report::ReportRequest::parse(text);
      if (!request)
        refuse("--report", request.failure().message);
      reports.push_back(*request);
    }
  };
  return command
      .addOption("--report", std::move(add), "FORMAT[=FILE]",
                 "the format of the report: text (default), json or sarif; without a file, to "
                 "standard error; may be repeated")
      .repeatable()
      .completedBy({Values::Choice, {"text", "json", "sarif"}});
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_REPORTFLAGS_H
