// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Program.h"
#include "tilewright/reference/machine/Checks.h"

using namespace tilewright;
using namespace tilewright::reference;
using support::Failure;
using support::Result;

// ===-- Executors -------------------------------------------------------------------------===//

/// The function that executes operations of this kind; null if there is none.
static Execute executorOf(mlir::Operation *op) {
  for (auto executorAmong : {elementwiseExecutor, shapeExecutor, controlFlowExecutor,
                             aggregatesExecutor, matrixExecutor, assumptionsExecutor, printExecutor,
                             pointerAccessExecutor, viewAccessExecutor, atomicsExecutor})
    if (Execute execute = executorAmong(op))
      return execute;
  return nullptr;
}

//===-- One entry ---------------------------------------------------------------------------===//

static Failure unsupported(mlir::Location location, const std::string &what) {
  return {locationText(location) + ": error: reference machine: " + what};
}

Result<Program> Program::of(tile::EntryOp entry) {
  Program program(entry);
  if (entry.getBody().empty())
    return unsupported(entry.getLoc(), "entry @" + entry.getSymName().str() + " has no body");
  Result<void> added = program.add(entry.getBody().front());
  if (!added)
    return added.failure();
  return program;
}

Result<void> Program::add(mlir::Block &block) {
  for (mlir::Value argument : block.getArguments())
    registers.try_emplace(argument, registers.size());
  Body body;
  for (mlir::Operation &op : block) {
    Execute execute = executorOf(&op);
    if (!execute)
      return unsupported(op.getLoc(),
                         "operation '" + op.getName().getStringRef().str() + "' is not supported");
    body.push_back({&op, execute});
    for (mlir::Value result : op.getResults())
      registers.try_emplace(result, registers.size());
    if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
      constants.try_emplace(&op, tileOf(constant.getValue()));
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        if (Result<void> added = add(inner); !added)
          return added;
  }
  bodies.try_emplace(&block, std::move(body));
  return {};
}

Tile reference::tileOf(mlir::ElementsAttr value) {
  auto type = llvm::cast<tile::TileType>(value.getShapedType());
  auto dense = llvm::cast<mlir::DenseElementsAttr>(value);
  Tile result(type);
  auto fill = [&](auto bitsOf) {
    if (dense.isSplat()) {
      result = Tile::splat(type.getShape(), Element::fromBits(result.format(), bitsOf(0)));
      return;
    }
    for (int64_t i = 0; i < result.size(); ++i)
      result.set(i, Element::fromBits(result.format(), bitsOf(i)));
  };
  if (numerics::info(result.format()).isFloat()) {
    auto values = dense.getValues<llvm::APFloat>();
    fill([&](int64_t i) { return values[i].bitcastToAPInt().getZExtValue(); });
  } else {
    auto values = dense.getValues<llvm::APInt>();
    fill([&](int64_t i) { return values[i].getZExtValue(); });
  }
  return result;
}
