// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits a thread's accesses to arrays: one element per instruction, with the order and scope of its
// operation; or several contiguous elements, if the access is weak. Barriers between accesses are
// planned (plan/PlanBarriers.cpp).

#ifndef TILEWRIGHT_NVIDIA_EMIT_MEMORYACCESS_H
#define TILEWRIGHT_NVIDIA_EMIT_MEMORYACCESS_H

#include "tilewright/nvidia/emit/ThreadBuilder.h"
#include "tilewright/nvidia/plan/Plan.h"

namespace tilewright::nvidia {

/// The address of an element.
struct Address {
  mlir::Value bytes; ///< i64
  mlir::Value
      shift; ///< i8: the bit offset of an f4E2M1FN in its byte, 0 or 4; null for other types.
  mlir::Value mask; ///< Whether the element exists; null: always.
};

/// The order and scope of an operation.
struct AccessOrder {
  tile::MemoryOrderingSemantics semantics;
  std::optional<tile::MemoryScope> scope;

  static AccessOrder of(tile::MemoryAccessOpInterface access) {
    return {access.getOrdering(), access.getScope()};
  }
};

class MemoryAccess {
public:
  MemoryAccess(ThreadBuilder &b, const Plan &plan)
      : b(b), space(plan.allocas.empty() ? GlobalSpace : GenericSpace) {}

  /// In register form: `padding` (or any value, if that is null) if the element does not exist.
  mlir::Value read(const Address &from, mlir::Type elementType, mlir::Value padding,
                   AccessOrder order);
  /// Half a byte is written by a read-modify-write of its byte: no other thread may write the other
  /// half at the same time.
  void write(const Address &to, mlir::Type elementType, mlir::Value element, AccessOrder order);
  /// A weak load of `width` contiguous elements, aligned to their total size, of which all or none
  /// exist.
  llvm::SmallVector<mlir::Value> readRun(const Address &from, mlir::Type elementType, int64_t width,
                                         mlir::Value padding);
  void writeRun(const Address &to, mlir::ValueRange elements);
  /// Copies 4, 8 or 16 bytes to shared memory asynchronously; zeros, if the elements do not exist.
  void copyRun(const Address &from, mlir::Value to, int64_t bytes);
  mlir::Value pointerTo(mlir::Value address) { return b.pointerTo(address, space); }
  /// `.global`, or nothing if addresses may be in shared memory.
  llvm::StringRef spaceSuffix() const { return space == GlobalSpace ? ".global" : ""; }

private:
  ThreadBuilder &b;
  Space space;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_MEMORYACCESS_H
