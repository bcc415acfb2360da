// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Unit.h. Each block of the grid is one execution.

#include "tilewright/api/diff/Unit.h"
#include "tilewright/api/diff/Devices.h"
#include "tilewright/api/diff/History.h"
#include "tilewright/api/diff/TileBuilder.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/tile/Loops.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;
using numerics::Format;
using support::Failure;
using support::Result;
using tile::TileType;

//===-- What can be isolated ----------------------------------------------------------------===//

std::vector<Value> api::valuesReadBy(Operation *op) {
  llvm::SetVector<Value> values;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!operand.getDefiningOp<tile::ConstantOp>() &&
          !op->isAncestor(operand.getParentBlock()->getParentOp()))
        values.insert(operand);
  });
  return {values.begin(), values.end()};
}

static bool isInMemoryForm(mlir::Type type) {
  auto tile = llvm::dyn_cast<TileType>(type);
  const auto format = tile ? tile::formatOf(tile.getElementType()) : std::nullopt;
  return format && *format != Format::Pointer && numerics::info(*format).storageBits >= 8;
}

static bool canIsolate(Operation *op) {
  // Without operands, only `iota` depends on nothing but its type.
  if (op->getNumOperands() == 0 && !llvm::isa<tile::IotaOp>(op))
    return false;
  if (op->getNumRegions() != 0 && !tile::isAggregate(op))
    return false;
  return op->getNumResults() != 0 && !llvm::isa<tile::MemoryAccessOpInterface>(op) &&
         llvm::all_of(op->getResultTypes(), isInMemoryForm);
}

//===-- The kernel --------------------------------------------------------------------------===//

mlir::OwningOpRef<tile::ModuleOp> api::withoutEntries(tile::ModuleOp module) {
  mlir::OwningOpRef<tile::ModuleOp> made(llvm::cast<tile::ModuleOp>(module->cloneWithoutRegions()));
  mlir::Block &body = made->getBodyRegion().emplaceBlock();
  for (Operation &op : *module.getBody().begin())
    if (!llvm::isa<tile::EntryOp>(op))
      body.push_back(op.clone());
  return made;
}

static Format formatOf(Value value) {
  return *tile::formatOf(llvm::cast<TileType>(value.getType()).getElementType());
}

/// The pointer of this block's tile.
static Value ownPart(TileBuilder &b, Value pointer, Value block, mlir::Type type) {
  Value first = b.mul(block, b.i32(llvm::cast<TileType>(type).getNumElements()));
  return tile::OffsetOp::create(b, b.location, pointer.getType(), pointer, first);
}

std::optional<Unit> Unit::of(Operation *op) {
  Unit unit(op);
  unit.inputs = valuesReadBy(op);
  if (!canIsolate(op) ||
      !llvm::all_of(unit.inputs, [](Value value) { return isInMemoryForm(value.getType()); }))
    return std::nullopt;
  auto around = op->getParentOfType<tile::EntryOp>();
  unit.module = withoutEntries(around->getParentOfType<tile::ModuleOp>());
  TileBuilder b(op);
  b.setInsertionPointToEnd(&unit.module->getBodyRegion().front());
  unit.entry =
      tile::EntryOp::create(b, op->getLoc(), around.getSymName(), b.getFunctionType({}, {}),
                            mlir::ArrayAttr(), mlir::ArrayAttr(), tile::OptimizationHintsAttr());
  mlir::Block &body = unit.entry.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&body);
  Value block = tile::GetTileBlockIdOp::create(b, op->getLoc()).getBlockIdX();
  mlir::IRMapping mapping;
  for (Value input : unit.inputs) {
    Value pointer = b.addParameter(unit.entry, formatOf(input));
    mapping.map(input, b.load(ownPart(b, pointer, block, input.getType()),
                              llvm::cast<TileType>(input.getType())));
  }
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto constant = operand.getDefiningOp<tile::ConstantOp>();
          constant && !op->isAncestor(constant) && !mapping.contains(operand))
        mapping.map(operand, b.clone(*constant)->getResult(0));
  });
  Operation *copy = b.clone(*op, mapping);
  for (Value result : copy->getResults()) {
    Value pointer = b.addParameter(unit.entry, formatOf(result));
    b.store(ownPart(b, pointer, block, result.getType()), result);
  }
  tile::ReturnOp::create(b, op->getLoc(), mlir::ValueRange());
  return unit;
}

//===-- Evaluation --------------------------------------------------------------------------===//

Result<Unit::Tiles> Unit::evaluate(const Tiles &operands, int64_t executions) const {
  std::vector<std::vector<uint8_t>> memory;
  std::vector<Argument> arguments;
  auto add = [&](Format format, int64_t count) -> Result<void> {
    memory.emplace_back(size_t(numerics::storageBytes(format, count)));
    const int64_t shape[] = {count};
    Result<Array> array = Array::create(memory.back().data(), format, shape);
    if (!array)
      return array.failure();
    arguments.push_back(*std::move(array));
    return {};
  };
  for (const auto &[value, elements] : llvm::zip_equal(inputs, operands)) {
    if (Result<void> added = add(formatOf(value), int64_t(elements.size())); !added)
      return added.failure();
    for (const auto &[i, element] : llvm::enumerate(elements))
      numerics::store(memory.back().data(), int64_t(i), element);
  }
  for (Value result : op->getResults())
    if (Result<void> added = add(
            formatOf(result), executions * llvm::cast<TileType>(result.getType()).getNumElements());
        !added)
      return added.failure();
  const Result<runtime::Grid> grid = runtime::Grid::create(executions);
  if (!grid)
    return grid.failure();
  MemoryHistory history;
  DeviceLaunch launch{entry, *grid, arguments, "", /*checks=*/false, &history};
  const Result<DeviceOutcome> ran = runOn({Device::Reference}, launch);
  if (!ran)
    return ran.failure();
  if (ran->outcome != Outcome::Succeeded)
    return Failure{"the reference machine does not run the operation '" +
                   op->getName().getStringRef().str() + "' by itself to its end"};

  Tiles results;
  for (const auto &[i, result] : llvm::enumerate(op->getResults())) {
    const Array &array = std::get<Array>(arguments[inputs.size() + i]);
    const Format format = array.format();
    std::vector<Element> &elements = results.emplace_back();
    for (int64_t at = 0; at < array.shape()[0]; ++at) {
      Element element = numerics::load(array.bytes().data(), at, format);
      element.poison = !history.isSpecified(array.bytes().data() +
                                            at * (numerics::info(format).storageBits / 8));
      elements.push_back(element);
    }
  }
  return results;
}
