// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution rules: what one thread does for each kind of operation over whole vectors
// (layouts, 3.6). Layouts have been checked: operands have the layouts that requiredLayouts
// returns.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTIONRULES_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTIONRULES_H

#include "tilewright/layout/dialect/Ops.h"
#include "tilewright/layout/distribute/ThreadFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::layout {

/// A permutation of the dimensions of a vector, extended to its distributed value: it permutes
/// batches, outers and elements alike.
llvm::SmallVector<int64_t> permutationOfDistributed(llvm::ArrayRef<int64_t> permutation);

// ShapeRules.cpp: rearrangement, and values that follow from the thread's position
llvm::LogicalResult distribute(mlir::arith::ConstantOp constant, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::StepOp step, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::BroadcastOp broadcast, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::TransposeOp transpose, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::ShapeCastOp cast, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::ExtractOp extract, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::ScanOp scan, ThreadFunction &thread);
llvm::LogicalResult distribute(ToLayoutOp to, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::CreateMaskOp mask, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::ConstantMaskOp mask, ThreadFunction &thread);

// TransferRules.cpp
llvm::LogicalResult distribute(mlir::vector::TransferReadOp read, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::TransferWriteOp write, ThreadFunction &thread);
llvm::LogicalResult distribute(TransferGatherOp gather, ThreadFunction &thread);

// ReductionRules.cpp
llvm::LogicalResult distribute(mlir::vector::MultiDimReductionOp reduction, ThreadFunction &thread);
llvm::LogicalResult distribute(mlir::vector::ContractionOp contraction, ThreadFunction &thread);

// MatrixRules.cpp: a contraction as matrix instructions of the kind in its attribute
llvm::LogicalResult distributeToMma(mlir::vector::ContractionOp contraction, mlir::Attribute kind,
                                    ThreadFunction &thread);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_DISTRIBUTIONRULES_H
