// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a thread read and write elements of arrays? One element by one instruction, in the
// order and scope that its operation names; or several that follow each other, if the access is
// weak. Where threads wait for each other between two accesses is planned (plan/PlanBarriers.cpp).

#ifndef TILEWRIGHT_NVIDIA_EMIT_MEMORYACCESS_H
#define TILEWRIGHT_NVIDIA_EMIT_MEMORYACCESS_H

#include "tilewright/nvidia/emit/ThreadBuilder.h"
#include "tilewright/nvidia/plan/Plan.h"

namespace tilewright::nvidia {

/// Where an element is.
struct Address {
  mlir::Value bytes; ///< i64
  mlir::Value shift; ///< i8: where in its byte an f4E2M1FN is, 0 or 4; null for others.
  mlir::Value mask;  ///< Whether it is there; null: always.
};

/// Of an operation.
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

  /// In register form: `padding` (or any value, if that is null) where it is not there.
  mlir::Value read(const Address &from, mlir::Type elementType, mlir::Value padding,
                   AccessOrder order);
  /// The other half of a byte is read, and written as it was: nobody else may write it meanwhile.
  void write(const Address &to, mlir::Type elementType, mlir::Value element, AccessOrder order);
  /// Weak, of `width` elements that follow each other from an address that is a multiple of their
  /// size, all of which are there or none.
  llvm::SmallVector<mlir::Value> readRun(const Address &from, mlir::Type elementType, int64_t width,
                                         mlir::Value padding);
  void writeRun(const Address &to, mlir::ValueRange elements);
  /// To shared memory, 4, 8 or 16 bytes asynchronously; zeros, if the run is not there.
  void copyRun(const Address &from, mlir::Value to, int64_t bytes);
  mlir::Value pointerTo(mlir::Value address) { return b.pointerTo(address, space); }
  /// `.global`, or nothing if addresses may be those of shared memory.
  llvm::StringRef spaceSuffix() const { return space == GlobalSpace ? ".global" : ""; }

private:
  ThreadBuilder &b;
  Space space;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_MEMORYACCESS_H
