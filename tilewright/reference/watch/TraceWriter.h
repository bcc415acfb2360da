// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces a launch with one line for each executed operation:
//
//     k.mlir:9:10: block (0, 0, 0): addf(%0 = 4xf32 [1, 2, 3, 4], ...) -> %2 = 4xf32 [...]
//
// A line shows the operands, the results, and the memory elements that were accessed. Values have
// their names from the canonical text. docs/running.md describes the format.

#ifndef TILEWRIGHT_REFERENCE_WATCH_TRACEWRITER_H
#define TILEWRIGHT_REFERENCE_WATCH_TRACEWRITER_H

#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/watch/Observer.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringSet.h"

namespace tilewright::reference {

/// What to show; an empty set shows everything.
struct TraceFilter {
  llvm::DenseSet<int64_t> blocks = {}; ///< By number.
  llvm::StringSet<> operations = {};   ///< By mnemonic.

  bool includes(const TileBlock &block) const {
    return blocks.empty() || blocks.contains(block.id().number);
  }
  bool includes(mlir::Operation *op) const {
    return operations.empty() || operations.contains(nameOf(op));
  }
};

/// A line of a trace.
struct TraceLine {
  mlir::Location location;
  const runtime::Block &block;
  llvm::StringRef operation; ///< `addf`; `entry` when a block starts or ends.
  llvm::StringRef text;      ///< The whole line, without line break.
};

/// A summary of a register: `f32 2.5`, `1024xf32 [0, 1, ...] (min 0, max 1023)`, `tensor_view of
/// parameter 1 (4xf32)[0], extents [4], strides [1]`, `token 1.2`.
std::string summaryOf(TileBlock &block, mlir::Value value);

class TraceWriter : public Observer {
public:
  using Writer = std::function<void(const TraceLine &)>;

  TraceWriter(tile::EntryOp entry, TraceFilter filter, Writer write);

  void onStart(TileBlock &block) override;
  void onEnd(TileBlock &block) override;
  void beforeOperation(TileBlock &block, mlir::Operation *op) override;
  void afterOperation(TileBlock &block, mlir::Operation *op, LogicalResult outcome) override;
  void onAccess(TileBlock &block, const MemoryOperation &operation,
                const Segment &segment) override;

private:
  bool includes(TileBlock &block, mlir::Operation *op) const {
    return filter.includes(block) && filter.includes(op);
  }
  void writeLine(TileBlock &block, mlir::Operation *op, const llvm::Twine &what);
  std::string listOf(TileBlock &block, mlir::ValueRange values);
  std::string outcomeOf(TileBlock &block, mlir::Operation *op);
  std::string effectsText() const;

  /// Consecutive array elements that were accessed one after the other.
  struct Range {
    std::string array;
    int64_t first, last;
  };
  void addRange(TileBlock &block, const MemoryOperation &operation, const Segment &segment);
  void forgetEffects();

  TraceFilter filter;
  Writer write;
  mlir::AsmState names;

  /// Name and operands of the current operation, saved because a loop may change them.
  std::string call;
  // The elements that it has accessed so far.
  llvm::StringRef verb;
  llvm::SmallVector<Range> ranges;
  bool hasMoreRanges = false;
  int64_t touched = 0;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_TRACEWRITER_H
