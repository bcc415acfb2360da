// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps Tile IR memory orderings to LLVM's.

#ifndef TILEWRIGHT_CODEGEN_ATOMICORDERING_H
#define TILEWRIGHT_CODEGEN_ATOMICORDERING_H

#include "tilewright/tile/Ops.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilewright::codegen {

/// The ordering of each element's access; weak operations are not atomic.
inline mlir::LLVM::AtomicOrdering orderingOf(tile::MemoryOrderingSemantics semantics) {
  switch (semantics) {
  case tile::MemoryOrderingSemantics::Weak:
    return mlir::LLVM::AtomicOrdering::not_atomic;
  case tile::MemoryOrderingSemantics::Relaxed:
    return mlir::LLVM::AtomicOrdering::monotonic;
  case tile::MemoryOrderingSemantics::Acquire:
    return mlir::LLVM::AtomicOrdering::acquire;
  case tile::MemoryOrderingSemantics::Release:
    return mlir::LLVM::AtomicOrdering::release;
  case tile::MemoryOrderingSemantics::AcqRel:
    return mlir::LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("orderings are listed above");
}

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_ATOMICORDERING_H
