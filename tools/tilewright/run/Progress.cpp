// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Progress.h.

#include "tools/tilewright/run/Progress.h"
#include "tilewright/tile/Ops.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::tools;

/// Reading the clock costs as much as a small operation, so it is not read for each one.
static constexpr int64_t operationsPerLook = 16;
static constexpr auto timeBetweenDrawings = std::chrono::milliseconds(100);
static constexpr int64_t barWidth = 20;

void Progress::beforeOperation(reference::TileBlock &, mlir::Operation *op) {
  countOperation(/*prints=*/llvm::isa<tile::PrintOp>(op));
}

void Progress::countOperation(bool prints) {
  // The kernel's output must begin on an empty line.
  if (prints)
    erase();
  if (++operations % operationsPerLook != 0)
    return;
  Time time = now();
  if (time < nextDrawing)
    return;
  nextDrawing = time + timeBetweenDrawings;
  draw();
}

static std::string inWords(int64_t count) {
  if (count < 1'000'000)
    return std::to_string(count);
  return llvm::formatv("{0:f1} million", double(count) / 1e6);
}

void Progress::draw() {
  int64_t filled = double(blocksDone) / blockCount * barWidth;
  erase();
  // Write the bar in one piece: standard error is unbuffered, and a partial bar would flicker.
  std::string bar = std::string(filled, '#') + std::string(barWidth - filled, '-');
  terminal << llvm::formatv("[{0}] {1} of {2} {3}, {4} operations", bar, blocksDone, blockCount,
                            blockCount == 1 ? "block" : "blocks", inWords(operations))
                  .str();
  terminal.flush();
  isDrawn = true;
}

void Progress::erase() {
  if (!std::exchange(isDrawn, false))
    return;
  // Moves to the first column and clears the rest of the line.
  terminal << "\r\033[K";
  terminal.flush();
}
