// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes a function over whole vectors to threads: the result is the function of a single
// thread. There are five steps, each of which rewrites the function for the next one:
//
//   lowerMasks              no vector.mask is left
//   propagateLayouts        every vector has a layout
//   materializeConversions  data move between threads through shared memory only, except for
//                           reductions over lanes and matrix instructions
//   insertBarriers          a barrier between conflicting accesses of different threads
//   emitThreadFunction      the function of a thread
//
// Sections "layouts, 3.x" are those of the specification of `iree_vector_ext`.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTE_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTE_H

#include "tilewright/layout/algebra/Layout.h"
#include "tilewright/layout/propagate/LayoutMap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <array>

namespace tilewright::layout {

/// The threads of a workgroup along x, y and z; x varies fastest in the flat id.
struct WorkgroupShape {
  std::array<int64_t, 3> threads{1, 1, 1};
  int64_t lanes = 32;

  Workgroup workgroup() const { return {threads[0] * threads[1] * threads[2], lanes}; }
};

/// Distributes every function. Emits an error for what cannot be distributed: calls, vectors
/// without layout, layouts that do not fit the workgroup, and operations without a rule.
llvm::LogicalResult distributeVectors(mlir::ModuleOp module, const WorkgroupShape &shape);

/// Lowers every `transfer_gather` of memory to the vector dialect.
void lowerGathers(mlir::Operation *root);

// --- The steps ------------------------------------------------------------------------

llvm::LogicalResult lowerMasks(mlir::func::FuncOp function);

llvm::LogicalResult materializeConversions(mlir::func::FuncOp function, LayoutMap &layouts,
                                           Workgroup workgroup);

llvm::LogicalResult insertBarriers(mlir::func::FuncOp function, const LayoutMap &layouts,
                                   Workgroup workgroup);

llvm::LogicalResult emitThreadFunction(mlir::func::FuncOp function, const LayoutMap &layouts,
                                       const WorkgroupShape &shape);

// --- Shared by the steps --------------------------------------------------------------

/// The matrix instruction for a contraction, as an attribute of it. lowerMasks sets it, from the
/// `to_layout` of the operands.
inline constexpr llvm::StringLiteral mmaKindName = "iree_vector_ext.mma_kind";

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTE_H
