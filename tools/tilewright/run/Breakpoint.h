// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dumps the operands of an operation. When the operation is about to be executed, its operand tiles
// are written as .npy files, and described in index.json beside them. The launch then continues,
// unless BreakOptions::endsLaunch is set.
//
//     mmaf          the first execution of any mmaf
//     mmaf:3        the third execution of any mmaf
//     12, 12:3      the first or third execution of each operation at line 12
//     kernel.py:12  the same, if the entry comes from several files

#ifndef TILEWRIGHT_TOOLS_BREAKPOINT_H
#define TILEWRIGHT_TOOLS_BREAKPOINT_H

#include "tilewright/reference/watch/TraceWriter.h"

#include "llvm/Support/JSON.h"

namespace tilewright::tools {

struct BreakOptions {
  /// The operation, in the syntax above.
  std::string where;
  /// The folder for the files.
  std::string folder = "tilewright-break";
  /// Whether to end the launch after the first dump.
  bool endsLaunch = false;
  /// The tile blocks in which to break; other members of the filter have no effect.
  reference::TraceFilter filter;
  /// The file with the entry.
  std::string file;
};

class Breakpoint : public reference::Observer {
public:
  /// Fails if the entry has no such operation, or the folder cannot be created. Dumps are reported
  /// on `err`.
  static support::Result<std::unique_ptr<Breakpoint>>
  create(tile::EntryOp entry, BreakOptions options, llvm::raw_ostream &err);

  void beforeOperation(reference::TileBlock &block, mlir::Operation *op) override;
  bool shouldStop() const override { return (options.endsLaunch && hits) || !written; }

  /// Call after the launch. Reports if the operation was not reached; fails if a dump could not be
  /// written.
  support::Result<void> finish();

private:
  Breakpoint(tile::EntryOp entry, BreakOptions options, llvm::raw_ostream &err);

  support::Result<void> dump(reference::TileBlock &block, mlir::Operation *op);
  support::Result<llvm::json::Object> dump(reference::TileBlock &block, mlir::OpOperand &operand);

  BreakOptions options;
  llvm::raw_ostream &err;
  mlir::AsmState names;
  /// The number of the execution to dump, from 1.
  int64_t time = 1;
  /// The matching operations, with the index of the counter that each increments.
  llvm::DenseMap<mlir::Operation *, size_t> watched;
  std::vector<int64_t> counters;
  int64_t hits = 0;
  llvm::json::Array index;
  support::Result<void> written;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_BREAKPOINT_H
