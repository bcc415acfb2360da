// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is each operation executed? One overload of `execute` per operation, here in the
// order of the chapters and files that define them. Elementwise operations have one
// function between them: what they compute is `evalElement`, in the room `tile`.

#ifndef TILEWRIGHT_REFERENCE_OPERATIONS_H
#define TILEWRIGHT_REFERENCE_OPERATIONS_H

#include "tilewright/reference/Mark.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::reference {

class TileBlock;
struct TensorView;
using llvm::LogicalResult;

// Elementwise.cpp
LogicalResult execute(TileBlock &block, tile::ElementwiseOpInterface op);
/// Is it a shift by the width or more?
bool isWideShift(mlir::Operation *op, llvm::ArrayRef<numerics::Element> in);
/// The mark of what the operation makes of these, which have none.
Mark markMadeBy(tile::ElementwiseOpInterface op, llvm::ArrayRef<numerics::Element> in);

// Shape.cpp
LogicalResult execute(TileBlock &block, tile::ConstantOp op);
LogicalResult execute(TileBlock &block, tile::IotaOp op);
LogicalResult execute(TileBlock &block, tile::BroadcastOp op);
LogicalResult execute(TileBlock &block, tile::ReshapeOp op);
LogicalResult execute(TileBlock &block, tile::PermuteOp op);
LogicalResult execute(TileBlock &block, tile::CatOp op);
LogicalResult execute(TileBlock &block, tile::ExtractOp op);
LogicalResult execute(TileBlock &block, tile::PackOp op);
LogicalResult execute(TileBlock &block, tile::UnpackOp op);
LogicalResult execute(TileBlock &block, tile::GetTileBlockIdOp op);
LogicalResult execute(TileBlock &block, tile::GetNumTileBlocksOp op);

// ControlFlow.cpp
LogicalResult execute(TileBlock &block, tile::IfOp op);
LogicalResult execute(TileBlock &block, tile::ForOp op);
LogicalResult execute(TileBlock &block, tile::LoopOp op);
LogicalResult execute(TileBlock &block, tile::BreakOp op);
LogicalResult execute(TileBlock &block, tile::ContinueOp op);
LogicalResult execute(TileBlock &block, tile::YieldOp op);
LogicalResult execute(TileBlock &block, tile::ReturnOp op);

// Aggregates.cpp
LogicalResult execute(TileBlock &block, tile::ReduceOp op);
LogicalResult execute(TileBlock &block, tile::ScanOp op);

// Matrix.cpp
LogicalResult execute(TileBlock &block, tile::MmaFOp op);
LogicalResult execute(TileBlock &block, tile::MmaIOp op);
LogicalResult execute(TileBlock &block, tile::MmaFScaledOp op);

// Promises.cpp
LogicalResult execute(TileBlock &block, tile::AssertOp op);
LogicalResult execute(TileBlock &block, tile::AssumeOp op);
/// Reports promises about strides that are false where the view uses the stride.
void checkStridePromises(TileBlock &block, tile::MakeTensorViewOp op, const TensorView &view);

// Print.cpp
LogicalResult execute(TileBlock &block, tile::PrintOp op);

// PointerAccess.cpp
LogicalResult execute(TileBlock &block, tile::MakeTokenOp op);
LogicalResult execute(TileBlock &block, tile::JoinTokensOp op);
LogicalResult execute(TileBlock &block, tile::GetGlobalOp op);
LogicalResult execute(TileBlock &block, tile::AllocaOp op);
LogicalResult execute(TileBlock &block, tile::LoadPtrOp op);
LogicalResult execute(TileBlock &block, tile::StorePtrOp op);

// ViewAccess.cpp
LogicalResult execute(TileBlock &block, tile::MakeTensorViewOp op);
LogicalResult execute(TileBlock &block, tile::MakePartitionViewOp op);
LogicalResult execute(TileBlock &block, tile::MakeStridedViewOp op);
LogicalResult execute(TileBlock &block, tile::MakeGatherScatterViewOp op);
LogicalResult execute(TileBlock &block, tile::GetIndexSpaceShapeOp op);
LogicalResult execute(TileBlock &block, tile::GetTensorShapeOp op);
LogicalResult execute(TileBlock &block, tile::LoadViewOp op);
LogicalResult execute(TileBlock &block, tile::StoreViewOp op);

// Atomics.cpp
LogicalResult execute(TileBlock &block, tile::AtomicRMWOp op);
LogicalResult execute(TileBlock &block, tile::AtomicCASOp op);
LogicalResult execute(TileBlock &block, tile::AtomicRedViewOp op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPERATIONS_H
