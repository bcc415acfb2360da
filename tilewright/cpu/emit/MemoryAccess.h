// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is memory of the kernel read and written? A vector of neighbours by one access, scattered
// elements by an access each, or gathers where these are fast, f4E2M1FN by halves of bytes; under a
// mask only what is enabled. What is ordered (memory model, 5) is done element by element, each
// access in that order; there are no fences, which ThreadSanitizer does not support. Every scope is
// implemented as the widest, except that of the tile block by atomic updates (Atomics.h).

#ifndef TILEWRIGHT_CPU_EMIT_MEMORYACCESS_H
#define TILEWRIGHT_CPU_EMIT_MEMORYACCESS_H

#include "tilewright/codegen/AtomicOrdering.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/emit/ModuleGlobals.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// The elements of memory that belong to a position of a tile.
struct AddressSet {
  mlir::Value address;   ///< i64, of the first lane; lanes follow each other,
  mlir::Value addresses; ///< unless each has an address of its own, in lanes or as scalars:
  llvm::SmallVector<mlir::Value> each; ///< these point to zeros where the mask does not hold.
  mlir::Value mask;                    ///< Which lanes there are; null: all.
  mlir::Value shift;                   ///< i8: where in its byte an f4E2M1FN is, 0 or 4.
};

using codegen::orderingOf;

class MemoryAccess {
public:
  MemoryAccess(LoopBuilder &b, const Frame &frame, ModuleGlobals &globals, const Target &target)
      : b(b), frame(frame), globals(globals), target(target) {}

  /// In register form; `padding` where the mask does not hold, which may be null without mask.
  mlir::Value read(const AddressSet &from, mlir::Type elementType, mlir::Value padding,
                   int64_t width,
                   mlir::LLVM::AtomicOrdering ordering = mlir::LLVM::AtomicOrdering::not_atomic);
  void write(const AddressSet &to, mlir::Type elementType, mlir::Value value,
             mlir::LLVM::AtomicOrdering ordering = mlir::LLVM::AtomicOrdering::not_atomic);
  /// Whole cache lines, past the caches. A fence has to follow.
  void writeNonTemporal(const AddressSet &to, mlir::Value value);
  /// That where `nonTemporal`, an i1, holds; null: nowhere.
  void writeLines(const AddressSet &to, mlir::Type elementType, mlir::Value value,
                  mlir::Value nonTemporal);
  /// The fence, where one of these, which may be null, holds.
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
