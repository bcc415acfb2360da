// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What probes observe, and where they store it. See Probes.h.

#include "tilewright/api/diff/Probes.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/Types.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Format;

llvm::SmallVector<Operation *, 2> api::loopsAround(Operation *op) {
  llvm::SmallVector<Operation *, 2> loops;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (tile::isLoop(parent))
      loops.push_back(parent);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

llvm::SmallVector<Operation *, 2> api::loopsAround(Value value) {
  if (Operation *op = value.getDefiningOp())
    return loopsAround(op);
  Operation *owner = llvm::cast<mlir::BlockArgument>(value).getOwner()->getParentOp();
  llvm::SmallVector<Operation *, 2> loops = loopsAround(owner);
  if (tile::isLoop(owner))
    loops.push_back(owner);
  return loops;
}

//===-- What is observable ------------------------------------------------------------------===//

static bool isPointer(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type && llvm::isa<tile::PointerType>(type.getElementType());
}

/// The parameter that a pointer is computed from; null if it is not known.
static Value rootOf(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (op->getNumRegions() != 0 || llvm::count_if(op->getOperands(), isPointer) != 1)
      return {};
    pointer = *llvm::find_if(op->getOperands(), isPointer);
  }
  auto argument = llvm::cast<mlir::BlockArgument>(pointer);
  Operation *owner = argument.getOwner()->getParentOp();
  if (llvm::isa<tile::EntryOp>(owner))
    return pointer;
  if (auto loop = llvm::dyn_cast<tile::ForOp>(owner); loop && argument.getArgNumber() > 0)
    return rootOf(loop.getInitValues()[argument.getArgNumber() - 1]);
  return {};
}

static std::optional<Probe> probeOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  const auto format = type ? tile::formatOf(type.getElementType()) : std::nullopt;
  if (!format || value.getDefiningOp<tile::ConstantOp>())
    return std::nullopt;
  Probe probe{value, *format};
  if (*format == Format::Pointer) {
    probe.format = Format::I64;
    probe.root = rootOf(value);
    if (!probe.root || probe.root == value)
      return std::nullopt;
  }
  if (numerics::info(probe.format).storageBits < 8)
    return std::nullopt;
  probe.shape.assign(type.getShape().begin(), type.getShape().end());
  probe.size = type.getNumElements();
  return probe;
}

std::vector<Value> api::observableValues(tile::EntryOp entry) {
  std::vector<Value> values;
  auto add = [&](mlir::ValueRange range) {
    llvm::copy_if(range, std::back_inserter(values), [](Value value) { return probeOf(value); });
  };
  entry.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() == 0 || tile::isAggregate(op))
      add(op->getResults());
    if (tile::isLoop(op))
      add(op->getRegion(0).getArguments());
    return tile::isAggregate(op) ? mlir::WalkResult::skip() : mlir::WalkResult::advance();
  });
  // The results of control flow follow the values of its body.
  entry.getBody().walk([&](Operation *op) {
    if (op->getNumRegions() != 0 && !tile::isAggregate(op))
      add(op->getResults());
  });
  return values;
}

//===-- Places ------------------------------------------------------------------------------===//

ProbeLayout::ProbeLayout(llvm::ArrayRef<Value> values, const TripCounts &trips, int64_t firstBlock,
                         int64_t blocks)
    : first(firstBlock), count(blocks) {
  for (Value value : values) {
    std::optional<Probe> probe = probeOf(value);
    for (Operation *loop : loopsAround(value))
      probe->trips.push_back(std::max<int64_t>(trips.lookup(loop), 1));
    indices[value] = all.size();
    all.push_back(*std::move(probe));
  }
  allocate();
}

/// Halves the number of blocks, and then of iterations, until the arrays fit.
void ProbeLayout::allocate() {
  constexpr int64_t mostBytes = int64_t(256) << 20;
  while (true) {
    memory.clear();
    int64_t bytes = 0;
    for (Probe &probe : all) {
      auto array = llvm::find_if(
          memory, [&](const ProbeArray &known) { return known.format == probe.format; });
      if (array == memory.end())
        array = memory.insert(array, {probe.format, 0});
      probe.array = size_t(array - memory.begin());
      probe.first = array->size;
      const int64_t size = (placesOf(probe) + 1) * probe.size;
      array->size += size;
      bytes += size * numerics::info(probe.format).storageBits / 8;
    }
    if (bytes <= mostBytes)
      return;
    bool isSmaller = count > 1;
    count = (count + 1) / 2;
    for (Probe &probe : all)
      for (int64_t &trip : probe.trips) {
        isSmaller |= trip > 1;
        trip = count > 1 ? trip : (trip + 1) / 2;
      }
    if (!isSmaller)
      return;
  }
}

const Probe *ProbeLayout::find(Value value) const {
  const auto found = indices.find(value);
  return found == indices.end() ? nullptr : &all[found->second];
}

int64_t ProbeLayout::placesOf(const Probe &probe) const {
  int64_t places = count;
  for (int64_t trip : probe.trips)
    places *= trip;
  return places;
}

std::optional<int64_t> ProbeLayout::placeOf(const Probe &probe, const Execution &execution) const {
  int64_t place = execution.block - first;
  if (place < 0 || place >= count)
    return std::nullopt;
  for (const auto &[i, trip] : llvm::enumerate(probe.trips)) {
    if (i >= execution.iterations.size() || execution.iterations[i] >= trip)
      return std::nullopt;
    place = place * trip + execution.iterations[i];
  }
  return place;
}

Execution ProbeLayout::executionAt(const Probe &probe, int64_t place) const {
  Execution execution{0};
  for (int64_t trip : llvm::reverse(probe.trips)) {
    execution.iterations.insert(execution.iterations.begin(), place % trip);
    place /= trip;
  }
  execution.block = first + place;
  return execution;
}
