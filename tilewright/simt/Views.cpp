// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of memory: other offsets, extents and strides over the same elements.

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;

/// Defines a result as a reference computed from the source reference.
template <typename Function>
static LogicalResult refer(Machine &machine, Operation &op, Value source, Function function) {
  Register &result = machine.define(op.getResult(0), machine.isUniform(op.getOperands()));
  for (int64_t thread : machine.rowsOf(result)) {
    std::optional<Reference> reference = function(thread, machine.of(source).reference(thread));
    if (!reference)
      return failure();
    result.references[result.row(thread)] = std::move(*reference);
  }
  return success();
}

/// Merges static and dynamic numbers into one list.
static std::optional<SmallVector<int64_t>> numbersOf(Machine &machine, Operation &op,
                                                     int64_t thread, ArrayRef<OpFoldResult> mixed) {
  SmallVector<int64_t> numbers;
  for (OpFoldResult one : mixed) {
    std::optional<int64_t> number = getConstantIntValue(one);
    if (!number)
      number = machine.decide(op, thread, llvm::cast<Value>(one), "an extent, offset or stride");
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Checks that the part lies inside, unless it is empty.
static bool checkPart(Machine &machine, Operation &op, int64_t thread, const Reference &source,
                      ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                      ArrayRef<int64_t> strides) {
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const __int128 last = offsets[dim] + __int128(sizes[dim] - 1) * strides[dim];
    if (sizes[dim] == 0 || (std::min<__int128>(offsets[dim], last) >= 0 &&
                            std::max<__int128>(offsets[dim], last) < source.sizes[dim]))
      continue;
    (void)machine.stop(Check::OutOfBounds, op,
                       formatv("thread {0} takes indices {1} to {2} of dimension {3}, which has "
                               "extent {4}",
                               thread, offsets[dim], int64_t(last), dim, source.sizes[dim]),
                       {thread, &machine.memory(source.memory)});
    return false;
  }
  return true;
}

static LogicalResult executeSubView(Machine &machine, memref::SubViewOp op) {
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  return refer(machine, *op, op.getSource(),
               [&](int64_t thread, const Reference &source) -> std::optional<Reference> {
                 const auto offsets = numbersOf(machine, *op, thread, op.getMixedOffsets());
                 const auto sizes = numbersOf(machine, *op, thread, op.getMixedSizes());
                 const auto strides = numbersOf(machine, *op, thread, op.getMixedStrides());
                 if (!offsets || !sizes || !strides ||
                     !checkPart(machine, *op, thread, source, *offsets, *sizes, *strides))
                   return std::nullopt;
                 Reference part = {source.memory, source.offset, {}, {}};
                 for (size_t dim = 0; dim < sizes->size(); ++dim) {
                   part.offset += (*offsets)[dim] * source.strides[dim];
                   if (dropped.test(dim))
                     continue;
                   part.sizes.push_back((*sizes)[dim]);
                   part.strides.push_back((*strides)[dim] * source.strides[dim]);
                 }
                 return part;
               });
}

static LogicalResult executeReinterpret(Machine &machine, memref::ReinterpretCastOp op) {
  return refer(machine, *op, op.getSource(),
               [&](int64_t thread, const Reference &source) -> std::optional<Reference> {
                 const auto offset = numbersOf(machine, *op, thread, op.getMixedOffsets());
                 const auto sizes = numbersOf(machine, *op, thread, op.getMixedSizes());
                 const auto strides = numbersOf(machine, *op, thread, op.getMixedStrides());
                 if (!offset || !sizes || !strides)
                   return std::nullopt;
                 return Reference{source.memory, offset->front(), SmallVector<int64_t>(*sizes),
                                  SmallVector<int64_t>(*strides)};
               });
}

/// In each group of dimensions, the last one keeps the stride of the source.
static LogicalResult executeExpand(Machine &machine, memref::ExpandShapeOp op) {
  return refer(machine, *op, op.getSrc(),
               [&](int64_t thread, const Reference &source) -> std::optional<Reference> {
                 const auto sizes = numbersOf(machine, *op, thread, op.getMixedOutputShape());
                 if (!sizes)
                   return std::nullopt;
                 Reference wide = source;
                 wide.sizes.assign(sizes->begin(), sizes->end());
                 wide.strides.assign(sizes->size(), 1);
                 for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
                   int64_t stride = source.strides[dim];
                   for (int64_t part : llvm::reverse(group)) {
                     wide.strides[part] = stride;
                     stride *= wide.sizes[part];
                   }
                 }
                 return wide;
               });
}

/// The verifier has checked, or assumes, that each group is contiguous.
static LogicalResult executeCollapse(Machine &machine, memref::CollapseShapeOp op) {
  return refer(machine, *op, op.getSrc(),
               [&](int64_t, const Reference &source) -> std::optional<Reference> {
                 Reference narrow = {source.memory, source.offset, {}, {}};
                 for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
                   int64_t size = 1, stride = 1;
                   for (int64_t dim : group) {
                     size *= source.sizes[dim];
                     if (source.sizes[dim] != 1)
                       stride = source.strides[dim];
                   }
                   narrow.sizes.push_back(size);
                   narrow.strides.push_back(stride);
                 }
                 return narrow;
               });
}

static LogicalResult executeTranspose(Machine &machine, memref::TransposeOp op) {
  return refer(machine, *op, op.getIn(),
               [&](int64_t, const Reference &source) -> std::optional<Reference> {
                 Reference turned = source;
                 for (auto [dim, result] : llvm::enumerate(op.getPermutation().getResults())) {
                   const unsigned from = llvm::cast<AffineDimExpr>(result).getPosition();
                   turned.sizes[dim] = source.sizes[from];
                   turned.strides[dim] = source.strides[from];
                 }
                 return turned;
               });
}

/// The same memory with another type.
template <typename Op> static LogicalResult executeSame(Machine &machine, Op op) {
  machine.assign(op->getResult(0), Register(machine.of(op->getOperand(0))));
  return success();
}

static LogicalResult executeDim(Machine &machine, memref::DimOp op) {
  Register &result = machine.define(op, machine.isUniform(op->getOperands()));
  for (int64_t thread : machine.rowsOf(result)) {
    const auto dim = machine.decide(*op, thread, op.getIndex(), "the dimension");
    if (!dim)
      return failure();
    const Reference &source = machine.of(op.getSource()).reference(thread);
    if (*dim < 0 || *dim >= int64_t(source.sizes.size()))
      return machine.stop(Check::OutOfBounds, *op,
                          formatv("dimension {0} of memory of rank {1}", *dim, source.sizes.size()),
                          {thread, &machine.memory(source.memory)});
    result.set(thread, 0, Element::integer(result.format, source.sizes[*dim]));
  }
  return success();
}

void simt::addViews(Table &table) {
  table.add<memref::SubViewOp, executeSubView>();
  table.add<memref::ReinterpretCastOp, executeReinterpret>();
  table.add<memref::ExpandShapeOp, executeExpand>();
  table.add<memref::CollapseShapeOp, executeCollapse>();
  table.add<memref::TransposeOp, executeTranspose>();
  table.add<memref::CastOp, executeSame<memref::CastOp>>();
  table.add<memref::MemorySpaceCastOp, executeSame<memref::MemorySpaceCastOp>>();
  table.add<memref::AssumeAlignmentOp, executeSame<memref::AssumeAlignmentOp>>();
  table.add<memref::DimOp, executeDim>();
}
