// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a progress bar for long launches. It appears on the terminal after a second, is redrawn in
// place, and is erased at the end:
//
//     [########------------] 12 of 30 blocks, 1.8 million operations

#ifndef TILEWRIGHT_TOOLS_PROGRESS_H
#define TILEWRIGHT_TOOLS_PROGRESS_H

#include "tilewright/reference/watch/Observer.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <functional>

namespace tilewright::tools {

class Progress : public reference::Observer {
public:
  using Time = std::chrono::steady_clock::time_point;

  /// `terminal` must be a terminal.
  Progress(llvm::raw_ostream &terminal, int64_t blockCount,
           std::function<Time()> now = std::chrono::steady_clock::now)
      : terminal(terminal), blockCount(blockCount), now(std::move(now)), nextDrawing(this->now()) {
    nextDrawing += std::chrono::seconds(1);
  }
  ~Progress() override { erase(); }

  void onEnd(reference::TileBlock &) override { countBlock(); }
  void beforeOperation(reference::TileBlock &, mlir::Operation *op) override;

  /// Call when a block has ended.
  void countBlock() { ++blocksDone; }
  /// Call before each operation. `prints`: it is a print, whose output must not follow the bar.
  void countOperation(bool prints);

private:
  void draw();
  void erase();

  llvm::raw_ostream &terminal;
  int64_t blockCount;
  std::function<Time()> now;
  Time nextDrawing;
  int64_t blocksDone = 0, operations = 0;
  bool isDrawn = false;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PROGRESS_H
