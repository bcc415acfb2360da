// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did all launches of a process find? A program that launches many kernels, in several
// processes perhaps, wants one report. A process collects its findings here, the same one once,
// and puts them beside those of the others.

#ifndef TILEWRIGHT_REPORT_PROCESSREPORT_H
#define TILEWRIGHT_REPORT_PROCESSREPORT_H

#include "tilewright/report/Report.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::report {

/// Which process.
struct ProcessId {
  int64_t number;
  /// RFC 3339, in UTC: a process may become another program, and numbers return.
  std::string started;

  static ProcessId own();
};

class ProcessReport {
public:
  /// Findings break one of the rules.
  explicit ProcessReport(llvm::ArrayRef<Rule> rules, ProcessId id = ProcessId::own())
      : rules(rules), id(std::move(id)) {}

  /// Counts a launch, with what it found in the program that `file` holds. The first thousand
  /// findings are listed.
  void add(llvm::StringRef file, llvm::ArrayRef<Finding> findings, int64_t unlistedFindings,
           bool blocksSynchronise = false);

  /// How many are listed.
  size_t size() const { return rows.size(); }

  /// The report, with what `others` says of other processes; empty if there are none. Fails if
  /// that is no such report.
  support::Result<std::string> toJson(llvm::StringRef others) const;
  support::Result<std::string> toSarif(llvm::StringRef others) const;

private:
  /// A finding in both forms.
  struct Row {
    llvm::json::Object json, sarif;
    int64_t count = 1;
  };
  llvm::json::Object processAsJson() const;
  llvm::json::Object runAsSarif() const;

  llvm::ArrayRef<Rule> rules;
  ProcessId id;
  std::vector<Row> rows;
  /// By what is the same however often it happens.
  llvm::StringMap<size_t> rowOf;
  int64_t launches = 0, unlistedFindings = 0;
  bool ranToTheirEnd = true, blocksSynchronise = false;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PROCESSREPORT_H
