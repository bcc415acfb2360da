// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the dialect vector that create vectors, and masks.

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;

static LogicalResult executeStep(Machine &machine, vector::StepOp op) {
  Register &result = machine.define(op, true);
  for (int64_t element = 0; element < result.count; ++element)
    result.set(0, element, Element::integer(result.format, element));
  return success();
}

/// Sets the bits whose coordinates are all below the bounds. Bounds beyond the extent act like the
/// extent, and bounds below zero like zero.
static void fillMask(Register &result, int64_t thread, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> bounds) {
  for (int64_t element = 0; element < result.count; ++element) {
    const bool isInside = llvm::all_of(
        llvm::zip(support::coordinatesOf<SmallVector<int64_t>>(shape, element), bounds),
        [](auto both) { return std::get<0>(both) < std::get<1>(both); });
    // A mask of rank 0 has one bound, of 0 or 1.
    result.set(thread, element, Element::boolean(shape.empty() ? bounds[0] > 0 : isInside));
  }
}

static LogicalResult executeCreateMask(Machine &machine, vector::CreateMaskOp op) {
  Register &result = machine.define(op, machine.isUniform(op.getOperands()));
  for (int64_t thread : machine.rowsOf(result)) {
    SmallVector<int64_t> bounds;
    for (Value bound : op.getOperands()) {
      const auto number = machine.decide(*op, thread, bound, "a bound");
      if (!number)
        return failure();
      bounds.push_back(*number);
    }
    fillMask(result, thread, shapeOf(op.getType()), bounds);
  }
  return success();
}

static LogicalResult executeConstantMask(Machine &machine, vector::ConstantMaskOp op) {
  fillMask(machine.define(op, true), 0, shapeOf(op.getType()), op.getMaskDimSizes());
  return success();
}

//===-- Masked operations ----------------------------------------------------------------===//

/// For each element of the result, the corresponding mask element. The mask of a read has the
/// dimension order of the memory, and no dimension for repeated elements.
static SmallVector<int64_t> placesInMask(vector::MaskOp op, int64_t count) {
  SmallVector<int64_t> places(count);
  std::iota(places.begin(), places.end(), 0);
  auto read = dyn_cast_or_null<vector::TransferReadOp>(op.getMaskableOp());
  if (!read)
    return places;
  AffineMap inMask = inversePermutation(compressUnusedDims(read.getPermutationMap()));
  ArrayRef<int64_t> maskShape = cast<VectorType>(op.getMask().getType()).getShape();
  ArrayRef<int64_t> shape = read.getVectorType().getShape();
  for (int64_t &place : places) {
    SmallVector<int64_t> at =
        inMask.compose(support::coordinatesOf<SmallVector<int64_t>>(shape, place));
    place = support::numberOf(maskShape, at);
  }
  return places;
}

/// Merges the result with the passthru vector, which is used where the mask is false.
static LogicalResult mergeMasked(Machine &machine, vector::MaskOp op, const Register &made) {
  const Register &mask = machine.of(op.getMask());
  const Register &other = machine.of(op.getPassthru());
  Register &result =
      machine.define(op->getResult(0), mask.uniform && other.uniform && made.uniform);
  if (!isa_and_nonnull<vector::TransferReadOp>(op.getMaskableOp()) && result.count != mask.count)
    return machine.refuse(*op, llvm::formatv("a mask of type {0} for values of type {1} cannot be "
                                             "executed",
                                             op.getMask().getType(), op->getResult(0).getType()));
  SmallVector<int64_t> places = placesInMask(op, result.count);
  for (int64_t thread : machine.rowsOf(result))
    for (int64_t element = 0; element < result.count; ++element)
      result.set(thread, element,
                 numerics::select(mask.at(thread, places[element]), made.at(thread, element),
                                  other.at(thread, element)));
  return success();
}

/// A poison bit would decide whether an element is accessed or computed.
static LogicalResult checkMask(Machine &machine, vector::MaskOp op) {
  const Register &mask = machine.of(op.getMask());
  for (int64_t thread : machine.rowsOf(mask))
    for (int64_t element = 0; element < mask.count; ++element)
      if (mask.at(thread, element).poison)
        return machine.stop(Check::Poison, *op,
                            llvm::formatv("a bit of the mask of thread {0} is poison", thread),
                            {thread});
  return success();
}

static LogicalResult executeMask(Machine &machine, vector::MaskOp op) {
  if (failed(checkMask(machine, op)))
    return failure();
  Block &body = *op.getMaskBlock();
  if (op.isEmpty()) {
    if (op.getPassthru())
      return mergeMasked(machine, op, Register(machine.of(body.getTerminator()->getOperand(0))));
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), body.getTerminator()->getOperands()))
      machine.assign(result, Register(machine.of(value)));
    return success();
  }
  machine.setMask(machine.of(op.getMask()));
  Operation &inner = body.front();
  if (failed(machine.step(inner)))
    return failure();
  if (machine.takeMask())
    return machine.refuse(inner, "this operation cannot be executed with a mask");
  if (op.getPassthru())
    return mergeMasked(machine, op, Register(machine.of(inner.getResult(0))));
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), body.getTerminator()->getOperands()))
    machine.assign(result, machine.of(value));
  return success();
}

void simt::addVectors(Table &table) {
  table.add<vector::StepOp, executeStep>();
  table.add<vector::CreateMaskOp, executeCreateMask>();
  table.add<vector::ConstantMaskOp, executeConstantMask>();
  table.add<vector::MaskOp, executeMask>();
  table.addElementwise<vector::FMAOp>(
      [](Operation &, ArrayRef<Element> in, unsigned) { return fuse(in[0], in[1], in[2]); });
}
