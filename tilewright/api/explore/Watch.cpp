// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Watch.h.

#include "tilewright/api/explore/Watch.h"
#include "tilewright/reference/memory/MemoryOperation.h"

using namespace tilewright;
using namespace tilewright::api;
using reference::Allocation;
using reference::Effect;
using reference::MemoryOperation;
using reference::Segment;
using reference::TileBlock;

static llvm::StringRef nameOf(Effect effect) {
  switch (effect) {
  case Effect::Load:
    return "load";
  case Effect::Store:
    return "store";
  case Effect::Update:
  case Effect::CompareSwap:
    return "update";
  }
  llvm_unreachable("every effect has a name");
}

void Watch::beforeOperation(TileBlock &block, mlir::Operation *op) {
  accesses = {};
  trace.begin(block, op);
}

void Watch::afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) {
  views.add(block, op, accesses);
  trace.end(block, op, outcome, accesses);
}

void Watch::onAccess(TileBlock &block, const MemoryOperation &operation, const Segment &segment) {
  accesses.kind = nameOf(operation.effect);
  accesses.semantics = operation.semantics;
  accesses.tile.assign(operation.shapedLikeElements().shape());
  const auto kind =
      operation.effect == Effect::Load ? reference::AccessKind::Read : reference::AccessKind::Write;
  const auto allowed = [&](const Segment &part) {
    return block.memory().allowed(part.place, part.count, kind, block.id().number);
  };
  if (const Allocation *allocation = allowed(segment))
    return add(block, operation, segment, allocation);
  // Some elements may lie inside an allocation.
  for (int64_t i = 0; i < segment.count; ++i) {
    const Segment part{segment.element + i, 1, segment.at(i)};
    if (const Allocation *allocation = allowed(part))
      add(block, operation, part, allocation);
  }
}

void Watch::add(TileBlock &block, const MemoryOperation &operation, const Segment &segment,
                const Allocation *allocation) {
  const auto first = arrays.find(*allocation, segment.place);
  if (!first) {
    accesses.elements[std::nullopt].add(allocation->elementAt(segment.place), segment.count);
    return;
  }
  // The array's elements may have another size than the accessed ones.
  reference::Place end = segment.at(segment.count - 1);
  end.address += segment.elementBytes() - 1;
  const auto last = arrays.find(*allocation, end);
  const int64_t count = (last ? last->element : first->element) - first->element + 1;
  if (operation.effect != Effect::Load)
    arrays.markWritten(*first, count);
  accesses.elements[first->array].add(first->element, count);
}
