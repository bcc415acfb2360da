// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a function over whole vectors to what a single thread does. Five steps, each a
// rewrite of the function that the next one reads:
//
//   lowerMasks              no vector.mask is left
//   propagateLayouts        every vector has a layout
//   materializeConversions  conversions that move elements between threads go through shared
//                           memory; what is left stays in a thread, except for the lanes of a
//                           reduction or a matrix instruction
//   insertBarriers          a barrier between two accesses of different threads to one place
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

/// The threads of a workgroup along x, y and z; x is the fastest of their flat id.
struct WorkgroupShape {
  std::array<int64_t, 3> threads{1, 1, 1};
  int64_t lanes = 32;

  Workgroup workgroup() const { return {threads[0] * threads[1] * threads[2], lanes}; }
};

/// Distributes every function. Diagnoses what cannot be distributed: calls, vectors that no layout
/// reaches, layouts that do not fit the workgroup, operations without a rule.
llvm::LogicalResult distributeVectors(mlir::ModuleOp module, const WorkgroupShape &shape);

/// Afterwards no `transfer_gather` of memory is left, but operations of the vector dialect.
void lowerGathers(mlir::Operation *root);

// --- The steps ------------------------------------------------------------------------

llvm::LogicalResult lowerMasks(mlir::func::FuncOp function);

llvm::LogicalResult materializeConversions(mlir::func::FuncOp function, LayoutMap &layouts,
                                           Workgroup workgroup);

llvm::LogicalResult insertBarriers(mlir::func::FuncOp function, const LayoutMap &layouts,
                                   Workgroup workgroup);

llvm::LogicalResult emitThreadFunction(mlir::func::FuncOp function, const LayoutMap &layouts,
                                       const WorkgroupShape &shape);

// --- What they share ------------------------------------------------------------------

/// Which matrix instruction a contraction stands for: noted on it by lowerMasks, which finds it
/// at the `to_layout` of its operands.
inline constexpr llvm::StringLiteral mmaKindName = "iree_vector_ext.mma_kind";

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTE_H
