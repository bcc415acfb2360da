// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the findings of all launches in a process. A program that launches many kernels,
// possibly from several processes, writes a single report. Each process merges identical findings
// and adds its own to those of the other processes.

#ifndef TILEWRIGHT_REPORT_PROCESSREPORT_H
#define TILEWRIGHT_REPORT_PROCESSREPORT_H

#include "tilewright/report/Report.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::report {

/// Identifies a process.
struct ProcessId {
  int64_t number;
  /// RFC 3339, in UTC. Needed because process numbers are reused, and a process may execute another
  /// program.
  std::string started;

  static ProcessId own();
};

class ProcessReport {
public:
  /// Each finding violates one of the rules.
  explicit ProcessReport(llvm::ArrayRef<Rule> rules, ProcessId id = ProcessId::own())
      : rules(rules), id(std::move(id)) {}

  /// Counts a launch and adds its findings for the program in `file`. The first thousand findings
  /// are listed.
  void add(llvm::StringRef file, llvm::ArrayRef<Finding> findings, int64_t unlistedFindings,
           bool blocksSynchronise = false);

  /// The number of listed findings.
  size_t size() const { return rows.size(); }

  /// The report, merged with `others`, the report of other processes, which is empty if there is
  /// none. Fails if `others` is not such a report.
  support::Result<std::string> toJson(llvm::StringRef others) const;
  support::Result<std::string> toSarif(llvm::StringRef others) const;

private:
  /// A finding in both formats.
  struct Row {
    llvm::json::Object json, sarif;
    int64_t count = 1;
  };
  llvm::json::Object processAsJson() const;
  llvm::json::Object runAsSarif() const;

  llvm::ArrayRef<Rule> rules;
  ProcessId id;
  std::vector<Row> rows;
  /// The row of a finding, by those members that are the same for each occurrence.
  llvm::StringMap<size_t> rowOf;
  int64_t launches = 0, unlistedFindings = 0;
  bool ranToTheirEnd = true, blocksSynchronise = false;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PROCESSREPORT_H
