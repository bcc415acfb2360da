// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did an operation compute on? A breakpoint waits for the operation, and when it is
// about to be executed writes the tiles that go in as .npy files, and what they are into
// index.json beside them. The launch goes on, unless it is told to end there.
//
//     mmaf          the first mmaf that is executed
//     mmaf:3        the third time that one is
//     12, 12:3      every operation at line 12, each at its first, third time
//     kernel.py:12  the same, where the entry comes from several files

#ifndef TILEWRIGHT_TOOLS_BREAKPOINT_H
#define TILEWRIGHT_TOOLS_BREAKPOINT_H

#include "tilewright/reference/watch/TraceWriter.h"

#include "llvm/Support/JSON.h"

namespace tilewright::tools {

struct BreakOptions {
  /// As above.
  std::string where;
  /// Where the files go.
  std::string folder = "tilewright-break";
  /// Ends the launch at the first operation that is found.
  bool endsLaunch = false;
  /// Which blocks are watched.
  reference::TraceFilter filter;
  /// That holds the entry.
  std::string file;
};

class Breakpoint : public reference::Observer {
public:
  /// Fails if the entry has no such operation, or the folder cannot be made. Says on `err`
  /// what was written.
  static support::Result<std::unique_ptr<Breakpoint>>
  create(tile::EntryOp entry, BreakOptions options, llvm::raw_ostream &err);

  void beforeOperation(reference::TileBlock &block, mlir::Operation *op) override;
  bool wantsEnd() const override { return (options.endsLaunch && hits) || !written; }

  /// After the launch: was there anything, and could it be written?
  support::Result<void> finish();

private:
  Breakpoint(tile::EntryOp entry, BreakOptions options, llvm::raw_ostream &err);

  support::Result<void> dump(reference::TileBlock &block, mlir::Operation *op);
  support::Result<llvm::json::Object> dump(reference::TileBlock &block, mlir::OpOperand &operand);

  BreakOptions options;
  llvm::raw_ostream &err;
  mlir::AsmState names;
  /// Which execution is meant, from 1.
  int64_t time = 1;
  /// Operations that are watched, with the counter that each adds to.
  llvm::DenseMap<mlir::Operation *, size_t> watched;
  std::vector<int64_t> counters;
  int64_t hits = 0;
  llvm::json::Array index;
  support::Result<void> written;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_BREAKPOINT_H
