// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that an explored launch executes, in order, with their operands, results and
// memory accesses, and the memory operations that happen immediately before each one.

#ifndef TILEWRIGHT_API_EXPLORE_TRACE_H
#define TILEWRIGHT_API_EXPLORE_TRACE_H

#include "tilewright/api/explore/Accesses.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/reference/machine/TileBlock.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::api {

class ExploredTrace {
public:
  explicit ExploredTrace(const ExploredProgram &program)
      : file(program.file()), names(program.valueNames()), numbers(program.contents()) {}

  /// Before and after each operation. A loop may change the registers of operands in between.
  void begin(reference::TileBlock &block, mlir::Operation *op);
  void end(reference::TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome,
           const Accesses &accesses);

  /// `trace` and `trace_unlisted` of the document.
  llvm::json::Array takeEvents() { return std::move(events); }
  int64_t unlisted() const { return unlistedEvents; }

private:
  bool isFull() const;
  std::string nameOf(mlir::Value value);
  llvm::json::Object valueAsJson(reference::TileBlock &block, mlir::Value value);
  llvm::json::Array valuesAsJson(reference::TileBlock &block, mlir::ValueRange values);
  llvm::json::Array stepsBefore(const reference::VectorClock &clock) const;
  void addOrder(reference::TileBlock &block, mlir::Operation *op, llvm::json::Object &event);

  llvm::StringRef file;
  const ValueNames &names;
  /// Names the values that have none.
  mlir::AsmState numbers;
  llvm::json::Array events, operands;
  int64_t unlistedEvents = 0;
  size_t bytes = 0, valueBytes = 0;

  /// A memory operation: where it is in the order of tokens.
  struct Ordered {
    int64_t step;
    reference::VectorClock clock;
  };
  /// By chain and sequence number.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Ordered> ordered;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_TRACE_H
