// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Transfer.h"
#include "tilewright/support/Shape.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;

Transfer::Transfer(Machine &machine, Operation &op, Value memory, ValueRange indices,
                   VectorType vector)
    : machine(machine), op(op), memory(memory), indices(indices), shape(vector.getShape()),
      rank(llvm::cast<MemRefType>(memory.getType()).getRank()), count(vector.getNumElements()),
      steps(count * rank), mover(rank, -1), mayLeave(rank, false), gathered(rank),
      uniform(machine.readsAlike(memory, indices)) {}

void Transfer::moveAlong(AffineMap map, ArrayRef<bool> inBounds) {
  for (auto [vectorDim, result] : llvm::enumerate(map.getResults())) {
    // A constant 0 repeats the same elements along this dimension of the vector.
    auto dim = llvm::dyn_cast<AffineDimExpr>(result);
    if (!dim)
      continue;
    mover[dim.getPosition()] = vectorDim;
    mayLeave[dim.getPosition()] = !inBounds[vectorDim];
  }
  for (int64_t element = 0; element < count; ++element) {
    const auto at = support::coordinatesOf<SmallVector<int64_t>>(shape, element);
    for (size_t dim = 0; dim < rank; ++dim)
      steps[element * rank + dim] = mover[dim] < 0 ? 0 : at[mover[dim]];
  }
}

void Transfer::gatherAlong(unsigned dim, Value vector, llvm::function_ref<int64_t(int64_t)> from) {
  gathered[dim].indices = &machine.of(vector);
  for (int64_t element = 0; element < count; ++element)
    gathered[dim].from.push_back(from(element));
  uniform &= machine.of(vector).uniform;
}

void Transfer::maskElements(const Register &mask) {
  Mask &added = masks.emplace_back();
  added.bits = &mask;
  for (int64_t element = 0; element < count; ++element)
    added.from.push_back(element);
  uniform &= mask.uniform;
}

void Transfer::maskDimensions(const Register &mask) {
  Mask &added = masks.emplace_back();
  added.bits = &mask;
  for (int64_t element = 0; element < count; ++element) {
    int64_t from = 0;
    for (size_t dim = 0; dim < rank; ++dim)
      if (mover[dim] >= 0)
        from = from * shape[mover[dim]] + steps[element * rank + dim];
    added.from.push_back(from);
  }
  uniform &= mask.uniform;
}

Transfer::Where Transfer::find(int64_t thread, int64_t element, ArrayRef<int64_t> base,
                               int64_t &place) {
  for (const Mask &mask : masks) {
    const Element bit = mask.bits->at(thread, mask.from[element]);
    if (bit.poison) {
      (void)machine.stop(Check::Poison, op,
                         llvm::formatv("a bit of the mask of thread {0} is poison", thread),
                         {thread});
      return Where::Failed;
    }
    if (!bit.bits)
      return Where::Skipped;
  }
  const Reference &reference = machine.of(memory).reference(thread);
  SmallVector<int64_t, 6> at(base);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t step = steps[element * rank + dim];
    if (gathered[dim].indices) {
      const Element index = gathered[dim].indices->at(thread, gathered[dim].from[element]);
      if (index.poison) {
        (void)machine.stop(Check::Poison, op,
                           llvm::formatv("an index of thread {0} is poison", thread), {thread});
        return Where::Failed;
      }
      step = index.asSigned();
    }
    // Wraps around like an address, and is then out of bounds.
    at[dim] = int64_t(uint64_t(at[dim]) + uint64_t(step));
    if (mayLeave[dim] && (at[dim] < 0 || at[dim] >= reference.sizes[dim]))
      return Where::Skipped;
  }
  const std::optional<int64_t> found = machine.placeOf(op, thread, reference, at);
  if (!found)
    return Where::Failed;
  place = *found;
  return Where::Inside;
}

LogicalResult Transfer::checkElements(Value vector) {
  const Type inVector = getElementTypeOrSelf(vector.getType());
  const Type inMemory = getElementTypeOrSelf(memory.getType());
  if (formatOf(inVector) == formatOf(inMemory))
    return success();
  return machine.refuse(op,
                        llvm::formatv("'{0}' of elements {1} in memory of {2} cannot be executed",
                                      op.getName(), inVector, inMemory));
}

LogicalResult Transfer::read(Value value, Value otherwise) {
  if (failed(checkElements(value)))
    return failure();
  const Register &other = machine.of(otherwise);
  Register &result = machine.define(value, uniform && other.uniform);
  for (int64_t thread : machine.readersOf(result)) {
    const auto base = machine.indicesOf(op, thread, indices);
    if (!base)
      return failure();
    const Reference &reference = machine.of(memory).reference(thread);
    for (int64_t element = 0; element < count; ++element) {
      int64_t place = 0;
      const Where where = find(thread, element, *base, place);
      if (where == Where::Failed)
        return failure();
      result.set(thread, element,
                 where == Where::Inside ? machine.load({&op, thread}, reference, place)
                                        : other.at(thread, other.count == 1 ? 0 : element));
    }
  }
  return success();
}

LogicalResult Transfer::write(Value vector) {
  if (failed(checkElements(vector)))
    return failure();
  const Register &source = machine.of(vector);
  for (int64_t thread : machine.active()) {
    const auto base = machine.indicesOf(op, thread, indices);
    if (!base)
      return failure();
    const Reference &reference = machine.of(memory).reference(thread);
    for (int64_t element = 0; element < count; ++element) {
      int64_t place = 0;
      const Where where = find(thread, element, *base, place);
      if (where == Where::Failed)
        return failure();
      if (where == Where::Inside)
        machine.store({&op, thread, /*writes=*/true}, reference, place, source.at(thread, element));
    }
  }
  return success();
}
