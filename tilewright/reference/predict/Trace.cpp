// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trace.h.

#include "tilewright/reference/predict/Trace.h"
#include "tilewright/reference/memory/Access.h"

using namespace tilewright::reference;

/// The limit on recorded places: they and what Reversals.cpp keeps about them take 100 MB.
static constexpr size_t mostPlaces = size_t(1) << 20;

void ExecutionTrace::beforeOperation(TileBlock &block, mlir::Operation *) {
  hasStopped = stops && block.launch().hasError;
}

void ExecutionTrace::onAccess(TileBlock &block, const MemoryOperation &operation,
                              const Segment &segment) {
  const int64_t number = block.id().number;
  performed.run(number, operation.number);
  isFull |= places.size() + segment.count > mostPlaces;
  if (operation.semantics.isWeak() || isFull)
    return;
  if (operations.empty() || operations.back().block != number ||
      operations.back().number != operation.number)
    operations.push_back({operation.op, number, operation.number, operation.effect != Effect::Load,
                          observes(operation), places.size()});
  for (int64_t i = 0; i < segment.count; ++i) {
    const Place place = segment.at(i);
    places.push_back(2 * place.address + place.isUpperHalf);
  }
  operations.back().placeCount += segment.count;
}
