// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of an entry has run? Every operation has a count, and every operation with branches a
// count for each way that it went: `then` and `else` of an `if`, and of a `for` whether it
// had iterations at all.

#ifndef TILEWRIGHT_REFERENCE_WATCH_COVERAGE_H
#define TILEWRIGHT_REFERENCE_WATCH_COVERAGE_H

#include "tilewright/reference/watch/Observer.h"
#include "tilewright/report/CoverageReport.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::reference {

class Coverage : public Observer {
public:
  explicit Coverage(tile::EntryOp entry);

  void beforeOperation(TileBlock &block, mlir::Operation *op) override;
  void afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) override;

  const report::OperationCounts &counts() const { return all; }

private:
  report::OperationCounts all;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_COVERAGE_H
