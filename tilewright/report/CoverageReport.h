// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coverage reports: as text that lists the lines that never ran, as JSON with all counts, and as an
// lcov tracefile, which editors read, with counts per source line.

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

/// The counts of an operation's two outcomes.
struct BranchCounts {
  llvm::StringLiteral firstName, secondName;
  int64_t first = 0, second = 0;
};

struct OperationCount {
  int64_t count = 0;
  std::optional<BranchCounts> branches = std::nullopt;
};

/// In the order of the program text.
using OperationCounts = llvm::MapVector<mlir::Operation *, OperationCount>;

/// Adds the counts of another run of the same program.
void add(OperationCounts &counts, const OperationCounts &more);

struct CoverageReport {
  const OperationCounts &counts;
  llvm::StringRef kernel;
  mlir::Location location; ///< Location of the entry.
  llvm::StringRef file;    ///< The file that contains the entry.

  std::string toText() const;
  std::string toJson() const;
  llvm::json::Object asJson() const;
  /// An lcov tracefile. Operations without a line are omitted.
  std::string toLcov() const;
  /// Selects the format by the file name: `.json`, `.info`, or text otherwise.
  std::string forFile(llvm::StringRef path) const;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_COVERAGEREPORT_H
