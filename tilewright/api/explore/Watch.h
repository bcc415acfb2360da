// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watches the launch of an explored kernel on the reference machine: which elements of which array
// each operation accesses (Views.h), and what it computes (Trace.h).

#ifndef TILEWRIGHT_API_EXPLORE_WATCH_H
#define TILEWRIGHT_API_EXPLORE_WATCH_H

#include "tilewright/api/explore/Arrays.h"
#include "tilewright/api/explore/Trace.h"
#include "tilewright/api/explore/Views.h"
#include "tilewright/reference/watch/Observer.h"

namespace tilewright::api {

class Watch : public reference::Observer {
public:
  Watch(const ExploredProgram &program, ExploredArrays &arrays)
      : arrays(arrays), views(program.file()), trace(program) {}

  void beforeOperation(reference::TileBlock &block, mlir::Operation *op) override;
  void afterOperation(reference::TileBlock &block, mlir::Operation *op,
                      llvm::LogicalResult outcome) override;
  void onAccess(reference::TileBlock &block, const reference::MemoryOperation &operation,
                const reference::Segment &segment) override;
  void onEnd(reference::TileBlock &block) override { ++ended; }

  llvm::json::Array takeViews() { return views.takeJson(); }
  ExploredTrace &traced() { return trace; }
  /// The number of tile blocks that ran to their ends.
  int64_t endedBlocks() const { return ended; }

private:
  void add(reference::TileBlock &block, const reference::MemoryOperation &operation,
           const reference::Segment &segment, const reference::Allocation *allocation);

  ExploredArrays &arrays;
  ExploredViews views;
  ExploredTrace trace;
  /// What the current operation accesses.
  Accesses accesses;
  int64_t ended = 0;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_WATCH_H
