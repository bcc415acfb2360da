// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/TileBlock.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::Twine;

/// A tile of false conditions has one finding per element; nobody reads a million.
static constexpr size_t listedFindings = 1000;

TileBlock::TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters)
    : ofLaunch(launch), blockId(id), registers(launch.program.registerCount()) {
  tile::EntryOp entry = launch.program.entry();
  mlir::Block &body = entry.getBody().front();
  for (auto [argument, parameter] : llvm::zip_equal(body.getArguments(), parameters))
    (void)define(argument, Tile::scalar(parameter));
  enter(entry, body);
}

LogicalResult TileBlock::step() {
  Activation &top = stack.back();
  const Instruction &instruction = (*top.body)[top.next++];
  return instruction.execute(*this, instruction.op);
}

void TileBlock::defineAll(mlir::ValueRange values, llvm::ArrayRef<Register> contents) {
  for (auto [value, content] : llvm::zip_equal(values, contents))
    (void)define(value, content);
}

llvm::SmallVector<Register> TileBlock::getAll(mlir::ValueRange values) const {
  return llvm::map_to_vector(values, [&](mlir::Value value) { return get(value); });
}

//===-- Bodies ------------------------------------------------------------------------------===//

Activation &TileBlock::enter(mlir::Operation *owner, mlir::Block &body) {
  return stack.emplace_back(Activation{owner, &ofLaunch.program.body(&body)});
}

static void releaseAllocas(Memory &memory, Activation &activation) {
  for (Allocation *allocation : activation.allocas)
    memory.release(*allocation);
  activation.allocas.clear();
}

void TileBlock::leave() {
  releaseAllocas(memory(), stack.back());
  stack.pop_back();
}

void TileBlock::startAgain() {
  releaseAllocas(memory(), stack.back());
  stack.back().next = 0;
}

void TileBlock::end() {
  while (!stack.empty())
    leave();
}

Activation &TileBlock::allocationScope() {
  // An `if` is no scope: what it allocates lives as long as the body around it.
  for (Activation &activation : llvm::reverse(stack))
    if (!llvm::isa<tile::IfOp>(activation.owner))
      return activation;
  llvm_unreachable("the outermost body is that of the entry");
}

//===-- Complaints ----------------------------------------------------------------------------===//

llvm::StringRef reference::nameOf(mlir::Operation *op) { return op->getName().stripDialect(); }

void TileBlock::add(FindingKind kind, mlir::Operation *op, const Twine &what) {
  LaunchResult &result = ofLaunch.result;
  if (result.findings.size() == listedFindings)
    return (void)++result.unlistedFindings;
  std::string block =
      ("block (" + Twine(blockId.x) + ", " + Twine(blockId.y) + ", " + Twine(blockId.z) + "): ")
          .str();
  result.findings.push_back({kind, op->getLoc(), block + what.str()});
}

LogicalResult TileBlock::misbehaves(mlir::Operation *op, const Twine &what) {
  add(FindingKind::Misbehaviour, op, nameOf(op) + ": " + what);
  return llvm::failure();
}

void TileBlock::reportOnce(mlir::Operation *op, const Twine &what) {
  if (ofLaunch.reported.insert(op).second)
    (void)misbehaves(op, what);
}

LogicalResult TileBlock::unsupported(mlir::Operation *op, const Twine &what) {
  add(FindingKind::Unsupported, op,
      nameOf(op) + ": " + what + " is not supported by the reference machine");
  return llvm::failure();
}

LogicalResult TileBlock::requireDefined(mlir::Operation *op, const Tile &tile, const Twine &use) {
  std::optional<int64_t> poison = tile.firstPoison();
  if (!poison)
    return llvm::success();
  std::string element = tile.rank() ? ", element " + coordinateText(tile.shape(), *poison) : "";
  return misbehaves(op, use + " is undefined" + element);
}
