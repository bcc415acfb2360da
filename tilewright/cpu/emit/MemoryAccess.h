// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits loads and stores of the kernel's memory. A contiguous vector takes one access; scattered
// elements take an access each, or gathers where these are fast; f4E2M1FN takes accesses to halves
// of bytes. With a mask, only enabled elements are accessed. Ordered accesses (memory model, 5) are
// emitted element by element, each with its ordering; there are no fences, which ThreadSanitizer
// does not support. Every scope is treated as the widest, except for atomic updates in the scope of
// the tile block (Atomics.h).

#ifndef TILEWRIGHT_CPU_EMIT_MEMORYACCESS_H
#define TILEWRIGHT_CPU_EMIT_MEMORYACCESS_H

#include "tilewright/codegen/AtomicOrdering.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/emit/ModuleGlobals.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// The addresses of the elements at a position of a tile.
struct AddressSet {
  mlir::Value address;   ///< i64, of the first lane; lanes are contiguous,
  mlir::Value addresses; ///< unless each has its own address, as a vector or as scalars;
  llvm::SmallVector<mlir::Value> each; ///< these point to zeros for disabled lanes.
  mlir::Value mask;                    ///< The enabled lanes; null: all.
  mlir::Value shift;                   ///< i8: the bit offset of an f4E2M1FN in its byte, 0 or 4.
};

using codegen::orderingOf;

class MemoryAccess {
public:
  MemoryAccess(LoopBuilder &b, const Frame &frame, ModuleGlobals &globals, const Target &target)
      : b(b), frame(frame), globals(globals), target(target) {}

  /// Reads elements in register form, with `padding` for disabled lanes; it may be null without a
  /// mask.
  mlir::Value read(const AddressSet &from, mlir::Type elementType, mlir::Value padding,
                   int64_t width,
                   mlir::LLVM::AtomicOrdering ordering = mlir::LLVM::AtomicOrdering::not_atomic);
  void write(const AddressSet &to, mlir::Type elementType, mlir::Value value,
             mlir::LLVM::AtomicOrdering ordering = mlir::LLVM::AtomicOrdering::not_atomic);
  /// Stores whole cache lines, bypassing the caches. A fence must follow.
  void writeNonTemporal(const AddressSet &to, mlir::Value value);
  /// Stores non-temporally if `nonTemporal`, an i1, holds; null: never.
  void writeLines(const AddressSet &to, mlir::Type elementType, mlir::Value value,
                  mlir::Value nonTemporal);
  /// Emits the fence, if one of these conditions, which may be null, holds.
  void fenceNonTemporal(llvm::ArrayRef<mlir::Value> nonTemporal);

private:
  mlir::Value readWhole(const AddressSet &from, mlir::Type elementType, mlir::Value padding,
                        int64_t width, mlir::LLVM::AtomicOrdering ordering);
  void writeWhole(const AddressSet &to, mlir::Type elementType, mlir::Value value,
                  mlir::LLVM::AtomicOrdering ordering);
  AddressSet lane(const AddressSet &set, mlir::Type elementType, int64_t i);
  mlir::Value readEach(const AddressSet &from, mlir::VectorType type);
  mlir::Value existing(mlir::Value address, mlir::Value mask);

  LoopBuilder &b;
  const Frame &frame;
  ModuleGlobals &globals;
  const Target &target;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MEMORYACCESS_H
