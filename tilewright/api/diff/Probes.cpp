// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts the stores of probes. See Probes.h.

#include "tilewright/api/diff/Probes.h"
#include "tilewright/api/diff/TileBuilder.h"
#include "tilewright/tile/Loops.h"

#include "mlir/IR/IRMapping.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Format;

namespace {
class Inserter {
public:
  Inserter(ProbedProgram &program, mlir::IRMapping &mapping, const ProbeLayout &layout,
           const runtime::Grid &grid)
      : program(program), mapping(mapping), layout(layout), grid(grid), b(program.entry) {}

  void insert();

private:
  void countIterations();
  Value addCounter(tile::LoopOp loop);
  Value numberInFor(tile::ForOp loop);
  Value blockNumber();
  Value storedForm(const Probe &probe, Value value);
  Value placeOf(const Probe &probe, llvm::ArrayRef<Value> numbers);
  void moveBehind(Value value);
  void insert(size_t index);

  ProbedProgram &program;
  mlir::IRMapping &mapping;
  const ProbeLayout &layout;
  const runtime::Grid &grid;
  TileBuilder b;
  /// Of the block, from the first observed one.
  Value block;
  std::vector<Value> pointers;
  /// The number of the iteration, for each loop of the program.
  llvm::DenseMap<Operation *, Value> iterations;
};
} // namespace

//===-- Iterations and blocks ---------------------------------------------------------------===//

/// (induction variable - lower bound) / step
Value Inserter::numberInFor(tile::ForOp loop) {
  b.setInsertionPointToStart(loop.body());
  const mlir::Type type = loop.inductionVar().getType();
  Value number =
      tile::SubIOp::create(b, loop.getLoc(), type, loop.inductionVar(), loop.getLowerBound());
  number = tile::DivIOp::create(b, loop.getLoc(), type, number, loop.getStep(),
                                tile::Signedness::Unsigned);
  return b.toI32(number);
}

/// A `loop` has no induction variable, so it carries its number.
Value Inserter::addCounter(tile::LoopOp loop) {
  b.setInsertionPoint(loop);
  mlir::OperationState state(loop.getLoc(), tile::LoopOp::getOperationName());
  state.addOperands(loop.getOperands());
  state.addOperands(b.i32(0));
  state.addTypes(loop.getResultTypes());
  state.addAttributes(loop->getAttrs());
  state.addRegion()->takeBody(loop.getRegion());
  auto made = llvm::cast<tile::LoopOp>(b.create(state));
  Operation *original = program.originals.lookup(loop);
  program.originals.erase(loop);
  program.originals[made] = original;
  mapping.map(original->getResults(), made.getResults());
  loop.replaceAllUsesWith(made.getResults());
  loop.erase();
  Value number = made.body()->addArgument(b.i32Type(), made.getLoc());
  for (Operation *jump : tile::continuesOf(made)) {
    b.setInsertionPoint(jump);
    Value next = tile::AddIOp::create(b, jump->getLoc(), b.i32Type(), number, b.i32(1));
    jump->insertOperands(jump->getNumOperands(), next);
  }
  return number;
}

void Inserter::countIterations() {
  llvm::SmallPtrSet<Operation *, 8> needed;
  for (const Probe &probe : layout.probes())
    for (Operation *loop : loopsAround(probe.value))
      needed.insert(loop);
  llvm::SmallVector<std::pair<Operation *, Operation *>> loops;
  for (const auto &[copy, original] : program.originals)
    if (needed.contains(original))
      loops.push_back({copy, original});
  for (const auto &[copy, original] : loops)
    if (auto loop = llvm::dyn_cast<tile::ForOp>(copy))
      iterations[original] = numberInFor(loop);
    else
      iterations[original] = addCounter(llvm::cast<tile::LoopOp>(copy));
}

/// Numbers have x fastest.
Value Inserter::blockNumber() {
  b.setInsertionPointToStart(&program.entry.getBody().front());
  auto id = tile::GetTileBlockIdOp::create(b, program.entry.getLoc());
  Value number = id.getBlockIdZ();
  number = b.add(b.mul(number, b.i32(grid.y())), id.getBlockIdY());
  number = b.add(b.mul(number, b.i32(grid.x())), id.getBlockIdX());
  return b.add(number, b.i32(-layout.firstBlock()));
}

//===-- Stores ------------------------------------------------------------------------------===//

/// The value itself, or the distance of a pointer from its root.
Value Inserter::storedForm(const Probe &probe, Value value) {
  if (!probe.root)
    return value;
  auto type = tile::TileType::get(probe.shape, b.getI64Type());
  Value address = tile::PtrToIntOp::create(b, value.getLoc(), type, value);
  Value root = tile::PtrToIntOp::create(b, value.getLoc(), tile::TileType::get({}, b.getI64Type()),
                                        mapping.lookup(probe.root));
  return tile::SubIOp::create(b, value.getLoc(), type, address, b.splat(root, probe.shape));
}

Value Inserter::placeOf(const Probe &probe, llvm::ArrayRef<Value> numbers) {
  Value place = block, isObserved = b.isBelow(block, layout.blocks());
  for (const auto &[number, trip] : llvm::zip_equal(numbers, probe.trips)) {
    isObserved = tile::AndIOp::create(b, place.getLoc(), isObserved.getType(), isObserved,
                                      b.isBelow(number, trip));
    place = b.add(b.mul(place, b.i32(trip)), number);
  }
  place = tile::SelectOp::create(b, place.getLoc(), place.getType(), isObserved, place,
                                 b.i32(layout.placesOf(probe)));
  return b.add(b.mul(place, b.i32(probe.size)), b.i32(probe.first));
}

/// Sets the insertion point behind the definition of a value, and behind what numbers the
/// iteration.
void Inserter::moveBehind(Value value) {
  if (Operation *op = value.getDefiningOp())
    return b.setInsertionPointAfter(op);
  mlir::Block *body = llvm::cast<mlir::BlockArgument>(value).getOwner();
  b.setInsertionPointToStart(body);
  if (Operation *loop = body->getParentOp(); llvm::isa<tile::ForOp>(loop))
    b.setInsertionPointAfterValue(iterations[program.originals.lookup(loop)]);
}

void Inserter::insert(size_t index) {
  const Probe &probe = layout.probes()[index];
  Value value = mapping.lookup(probe.value);
  moveBehind(value);
  llvm::SmallVector<Value, 2> numbers;
  for (Operation *loop : loopsAround(probe.value))
    numbers.push_back(iterations[loop]);
  b.location = value.getLoc();
  Value pointer = tile::OffsetOp::create(b, b.location, pointers[probe.array].getType(),
                                         pointers[probe.array], placeOf(probe, numbers));
  program.stores[b.store(pointer, storedForm(probe, value))] = index;
}

void Inserter::insert() {
  countIterations();
  for (const ProbeLayout::ProbeArray &array : layout.arrays())
    pointers.push_back(b.addParameter(program.entry, array.format));
  block = blockNumber();
  // Back to front, so that the stores at one place keep the order of the probes.
  for (size_t index = layout.probes().size(); index-- > 0;)
    insert(index);
}

ProbedProgram api::insertProbes(tile::EntryOp entry, const ProbeLayout &layout,
                                const runtime::Grid &grid) {
  mlir::IRMapping mapping;
  auto module = entry->getParentOfType<tile::ModuleOp>();
  ProbedProgram program;
  program.module = llvm::cast<tile::ModuleOp>(module->clone(mapping));
  program.entry = llvm::cast<tile::EntryOp>(mapping.lookup(entry.getOperation()));
  for (const auto &[original, copy] : mapping.getOperationMap())
    program.originals[copy] = original;
  Inserter(program, mapping, layout, grid).insert();
  return program;
}
