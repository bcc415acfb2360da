// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts how often each operation of an entry was executed, and how often each branch was taken:
// `then` and `else` of an `if`, and whether a `for` had any iterations.

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
