// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that transfer vectors from and to memory, implemented with Transfer.

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"
#include "tilewright/simt/Transfer.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tilewright/layout/dialect/Ops.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;

static SmallVector<bool> boolsOf(ArrayAttr attributes) {
  return SmallVector<bool>(attributes.getAsValueRange<BoolAttr>());
}

/// Applies the mask of the operation and that of an enclosing `vector.mask`.
static void maskBoth(Machine &machine, Transfer &transfer, Value mask) {
  if (const Register *around = machine.takeMask())
    transfer.maskDimensions(*around);
  if (mask)
    transfer.maskDimensions(machine.of(mask));
}

static LogicalResult executeTransferRead(Machine &machine, vector::TransferReadOp op) {
  Transfer transfer(machine, *op, op.getBase(), op.getIndices(), op.getVectorType());
  transfer.moveAlong(op.getPermutationMap(), boolsOf(op.getInBounds()));
  maskBoth(machine, transfer, op.getMask());
  return transfer.read(op.getVector(), op.getPadding());
}

static LogicalResult executeTransferWrite(Machine &machine, vector::TransferWriteOp op) {
  Transfer transfer(machine, *op, op.getBase(), op.getIndices(), op.getVectorType());
  transfer.moveAlong(op.getPermutationMap(), boolsOf(op.getInBounds()));
  maskBoth(machine, transfer, op.getMask());
  return transfer.write(op.getVector());
}

/// Implements the specification of the slice (layouts, 2.5.3).
static LogicalResult executeTransferGather(Machine &machine, layout::TransferGatherOp op) {
  Transfer transfer(machine, *op, op.getSource(), op.getIndices(), op.getVectorType());
  transfer.moveAlong(op.getPermutationMap(), boolsOf(op.getInBounds()));
  for (auto [dim, vector, map] :
       llvm::zip_equal(op.getGatheredDims(), op.getIndexVecs(), op.getIndexedMapValues())) {
    const ArrayRef<int64_t> shape = shapeOf(vector.getType());
    transfer.gatherAlong(dim, vector, [&, map = map](int64_t element) {
      SmallVector<int64_t> at;
      for (AffineExpr result : map.getResults())
        at.push_back(transfer.stepsOf(element)[llvm::cast<AffineDimExpr>(result).getPosition()]);
      return support::numberOf(shape, at);
    });
  }
  maskBoth(machine, transfer, op.getMask());
  return transfer.read(op.getVector(), op.getPadding());
}

//===-- Contiguous -----------------------------------------------------------------------===//

/// The dimensions of the vector are the innermost ones of the memory.
static Transfer contiguous(Machine &machine, Operation &op, Value memory, ValueRange indices,
                           VectorType vector) {
  Transfer transfer(machine, op, memory, indices, vector);
  const unsigned rank = llvm::cast<MemRefType>(memory.getType()).getRank();
  transfer.moveAlong(AffineMap::getMinorIdentityMap(rank, vector.getRank(), op.getContext()),
                     SmallVector<bool>(vector.getRank(), true));
  return transfer;
}

static LogicalResult executeLoad(Machine &machine, vector::LoadOp op) {
  // Every element is read, so the replacement value is not used.
  return contiguous(machine, *op, op.getBase(), op.getIndices(), op.getVectorType())
      .read(op, op.getBase());
}

static LogicalResult executeStore(Machine &machine, vector::StoreOp op) {
  return contiguous(machine, *op, op.getBase(), op.getIndices(), op.getVectorType())
      .write(op.getValueToStore());
}

static LogicalResult executeMaskedLoad(Machine &machine, vector::MaskedLoadOp op) {
  Transfer transfer = contiguous(machine, *op, op.getBase(), op.getIndices(), op.getVectorType());
  transfer.maskElements(machine.of(op.getMask()));
  return transfer.read(op, op.getPassThru());
}

static LogicalResult executeMaskedStore(Machine &machine, vector::MaskedStoreOp op) {
  Transfer transfer = contiguous(machine, *op, op.getBase(), op.getIndices(), op.getVectorType());
  transfer.maskElements(machine.of(op.getMask()));
  return transfer.write(op.getValueToStore());
}

// ===-- Indexed --------------------------------------------------------------------------===//

/// The vector of indices applies to the last dimension of the memory, so there must be one.
template <typename Op> static LogicalResult checkRank(Machine &machine, Op op) {
  if (llvm::cast<MemRefType>(op.getBase().getType()).getRank() > 0)
    return success();
  return machine.refuse(
      *op, llvm::formatv("'{0}' in memory of rank 0 cannot be executed", op->getName()));
}

template <typename Op> static Transfer scattered(Machine &machine, Op op, VectorType vector) {
  Transfer transfer(machine, *op, op.getBase(), op.getOffsets(), vector);
  const unsigned rank = llvm::cast<MemRefType>(op.getBase().getType()).getRank();
  transfer.gatherAlong(rank - 1, op.getIndices(), [](int64_t element) { return element; });
  if (const Register *around = machine.takeMask())
    transfer.maskElements(*around);
  transfer.maskElements(machine.of(op.getMask()));
  return transfer;
}

static LogicalResult executeGather(Machine &machine, vector::GatherOp op) {
  if (failed(checkRank(machine, op)))
    return failure();
  return scattered(machine, op, op.getVectorType()).read(op, op.getPassThru());
}

static LogicalResult executeScatter(Machine &machine, vector::ScatterOp op) {
  if (failed(checkRank(machine, op)))
    return failure();
  return scattered(machine, op, op.getVectorType()).write(op.getValueToStore());
}

void simt::addTransfers(Table &table) {
  table.add<vector::TransferReadOp, executeTransferRead>();
  table.add<vector::TransferWriteOp, executeTransferWrite>();
  table.add<layout::TransferGatherOp, executeTransferGather>();
  table.add<vector::LoadOp, executeLoad>();
  table.add<vector::StoreOp, executeStore>();
  table.add<vector::MaskedLoadOp, executeMaskedLoad>();
  table.add<vector::MaskedStoreOp, executeMaskedStore>();
  table.add<vector::GatherOp, executeGather>();
  table.add<vector::ScatterOp, executeScatter>();
}
