// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits accesses through tiles of pointers. Each lane has its own address, and a mask selects the
// accessed lanes (operations, 7). Addresses that are known to be consecutive (a base plus 0, 1, 2,
// ...) take a single access.

#ifndef TILEWRIGHT_CPU_EMIT_POINTERACCESS_H
#define TILEWRIGHT_CPU_EMIT_POINTERACCESS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/Evaluator.h"
#include "tilewright/cpu/emit/MemoryAccess.h"
#include "tilewright/cpu/emit/OperationEmitter.h"
#include "tilewright/cpu/plan/Accesses.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilewright::cpu {

/// The address of a contiguous row, and whether its stores are non-temporal (null: never); by
/// access.
struct PointerRow {
  mlir::Value address, nonTemporal;
};
using PointerRows = llvm::MapVector<mlir::Operation *, PointerRow>;

class PointerAccess : EmitContext {
public:
  explicit PointerAccess(const EmitContext &context) : EmitContext(context) {}

  llvm::LogicalResult emitLoad(tile::LoadPtrOp op);
  llvm::LogicalResult emitStore(tile::StorePtrOp op);
  void emitAlloca(tile::AllocaOp op);
  /// The address of a row, and whether all its elements are contiguous and enabled, as an i1.
  struct WholeRow {
    mlir::Value address, isWhole;
  };
  /// Tests the row at the position, for an access whose rows are tested (Access::rowMask).
  WholeRow testRow(mlir::Operation *op, const Position &row, int64_t dim);
  bool isTestedByRows(mlir::Operation *op) const;
  /// The addresses of the elements at a position in a contiguous row.
  AddressSet inRow(mlir::Value row, mlir::Type pointee, const Position &position);
  /// The rows that are known to be contiguous in the code that is emitted as long as the returned
  /// scope exists; `rows` may change meanwhile.
  [[nodiscard]] llvm::SaveAndRestore<const PointerRows *> scope(const PointerRows &rows) {
    return {wholeRows, &rows};
  }
  /// The elements of a load at a position.
  mlir::Value read(tile::LoadPtrOp op, const Position &position);
  /// Stores the elements at a position.
  void write(tile::StorePtrOp op, const Position &position);

private:
  llvm::LogicalResult checkPointee(mlir::Operation *op, mlir::Value pointers);
  mlir::Value isRange(tile::CmpIOp op, const Position &first, const Position &last,
                      int64_t distance);
  mlir::Value areContiguous(mlir::Value pointers, const Position &position, mlir::Value &first);
  Position cacheLane(const Position &position, size_t count, int64_t i);
  AddressSet eachLaneOf(tile::LoadPtrOp op, mlir::Value mask, const Position &position);
  void forEachPosition(mlir::Operation *op, llvm::function_ref<void(const Position &)> body);

  const PointerRows *wholeRows = nullptr; ///< Null: none.
};

/// The addresses at the position, if pointers are accessed one by one.
AddressSet addressesOf(Evaluator &evaluator, mlir::Value pointers, mlir::Value mask,
                       const Position &position);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_POINTERACCESS_H
