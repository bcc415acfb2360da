// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a kernel never ran? For people, the lines that did not; for programs, all counts as
// JSON; for lcov and the editors that read its files, counts by line of the source.

#ifndef TILEWRIGHT_REPORT_COVERAGEREPORT_H
#define TILEWRIGHT_REPORT_COVERAGEREPORT_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace tilewright::report {

/// The two ways that an operation can go.
struct BranchCounts {
  llvm::StringLiteral firstName, secondName;
  int64_t first = 0, second = 0;
};

struct OperationCount {
  int64_t count = 0;
  std::optional<BranchCounts> branches = std::nullopt;
};

/// In the order of the text.
using OperationCounts = llvm::MapVector<mlir::Operation *, OperationCount>;

/// Adds the counts of another run of the same operations.
void add(OperationCounts &counts, const OperationCounts &more);

struct CoverageReport {
  const OperationCounts &counts;
  llvm::StringRef kernel;
  mlir::Location location; ///< Of the entry.
  llvm::StringRef file;    ///< That holds it.

  std::string toText() const;
  std::string toJson() const;
  llvm::json::Object asJson() const;
  /// The tracefile format of lcov. Operations without a line are not in it.
  std::string toLcov() const;
  /// As the name of a file asks for: `.json`, `.info`, else text.
  std::string forFile(llvm::StringRef path) const;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_COVERAGEREPORT_H
