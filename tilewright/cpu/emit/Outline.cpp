// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Outline.h.

#include "tilewright/cpu/emit/Outline.h"
#include "tilewright/cpu/Tuning.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Value;
namespace cf = mlir::cf;
namespace LLVM = mlir::LLVM;

namespace {
/// Moves one range of blocks out of its function.
class Outlining {
public:
  Outlining(LLVM::LLVMFuncOp function, const Outliner::Range &range);
  void run(llvm::StringRef name);

private:
  bool isInside(mlir::Block *block);
  void findInputs();
  void findOutputs();
  mlir::Type outputType();
  LLVM::LLVMFuncOp createFunction(llvm::StringRef name);
  void moveBlocks(LLVM::LLVMFuncOp callee);
  void returnOutputs(mlir::Operation *jump);
  void callInstead(mlir::Operation *jump, LLVM::LLVMFuncOp callee);

  LLVM::LLVMFuncOp function;
  const Outliner::Range &range;
  mlir::OpBuilder builder;
  llvm::SetVector<mlir::Block *> blocks;
  llvm::SetVector<Value> constants, inputs, outputs;
};
} // namespace

Outlining::Outlining(LLVM::LLVMFuncOp function, const Outliner::Range &range)
    : function(function), range(range), builder(function.getContext()) {
  for (auto block = range.first->getIterator(); &*block != range.end; ++block)
    blocks.insert(&*block);
}

//===-- Inputs and outputs --------------------------------------------------------------------===//

bool Outlining::isInside(mlir::Block *block) {
  return blocks.contains(function.getBody().findAncestorBlockInRegion(*block));
}

void Outlining::findInputs() {
  for (mlir::Block *block : blocks)
    block->walk([&](mlir::Operation *op) {
      for (Value operand : op->getOperands())
        if (!isInside(operand.getParentBlock()))
          (mlir::matchPattern(operand, mlir::m_Constant()) ? constants : inputs).insert(operand);
    });
}

void Outlining::findOutputs() {
  auto visit = [&](Value value) {
    if (llvm::any_of(value.getUsers(),
                     [&](mlir::Operation *user) { return !isInside(user->getBlock()); }))
      outputs.insert(value);
  };
  for (mlir::Block *block : blocks) {
    llvm::for_each(block->getArguments(), visit);
    for (mlir::Operation &op : *block)
      llvm::for_each(op.getResults(), visit);
  }
}

/// Floats are returned as their bits: x86 returns the third one in an x87 register, which quiets
/// signaling NaNs.
static mlir::Type returnedType(mlir::Type type) {
  bool isFloat = llvm::isa<mlir::FloatType>(type);
  return isFloat ? mlir::IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth()) : type;
}

static Value bitsAs(mlir::Type type, Value value, mlir::OpBuilder &builder) {
  return value.getType() == type
             ? value
             : LLVM::BitcastOp::create(builder, value.getLoc(), type, value).getResult();
}

/// A struct of all outputs.
mlir::Type Outlining::outputType() {
  if (outputs.empty())
    return LLVM::LLVMVoidType::get(builder.getContext());
  SmallVector<mlir::Type> types;
  for (Value output : outputs)
    types.push_back(returnedType(output.getType()));
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
}

//===-- Moving blocks -------------------------------------------------------------------------===//

LLVM::LLVMFuncOp Outlining::createFunction(llvm::StringRef name) {
  SmallVector<mlir::Type> types;
  for (Value input : inputs)
    types.push_back(input.getType());
  builder.setInsertionPoint(function);
  auto callee = LLVM::LLVMFuncOp::create(builder, range.first->front().getLoc(), name,
                                         LLVM::LLVMFunctionType::get(outputType(), types),
                                         LLVM::Linkage::Internal);
  callee.setNoInline(true);
  return callee;
}

/// Constants are rematerialized; other values from outside become arguments.
void Outlining::moveBlocks(LLVM::LLVMFuncOp callee) {
  mlir::Block *entry = callee.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  auto replace = [&](Value outside, Value inside) {
    outside.replaceUsesWithIf(
        inside, [&](mlir::OpOperand &use) { return isInside(use.getOwner()->getBlock()); });
  };
  for (auto [input, argument] : llvm::zip_equal(inputs, entry->getArguments()))
    replace(input, argument);
  for (Value constant : constants)
    replace(constant, builder.clone(*constant.getDefiningOp())->getResult(0));
  cf::BranchOp::create(builder, callee.getLoc(), range.first);
  callee.getBody().getBlocks().splice(callee.getBody().end(), function.getBody().getBlocks(),
                                      range.first->getIterator(), range.end->getIterator());
}

/// Replaces the jump to the end of the range by a return.
void Outlining::returnOutputs(mlir::Operation *jump) {
  builder.setInsertionPoint(jump);
  mlir::Location loc = jump->getLoc();
  if (outputs.empty()) {
    LLVM::ReturnOp::create(builder, loc, mlir::ValueRange());
  } else {
    Value all = LLVM::PoisonOp::create(builder, loc, outputType());
    for (auto [i, output] : llvm::enumerate(outputs))
      all = LLVM::InsertValueOp::create(builder, loc, all,
                                        bitsAs(returnedType(output.getType()), output, builder), i);
    LLVM::ReturnOp::create(builder, loc, all);
  }
  jump->erase();
}

/// Replaces the jump to the range by a call.
void Outlining::callInstead(mlir::Operation *jump, LLVM::LLVMFuncOp callee) {
  builder.setInsertionPoint(jump);
  mlir::Location loc = jump->getLoc();
  auto call = LLVM::CallOp::create(builder, loc, callee, inputs.getArrayRef());
  for (auto [i, inside] : llvm::enumerate(outputs)) {
    Value output = inside;
    Value outside = bitsAs(
        output.getType(), LLVM::ExtractValueOp::create(builder, loc, call.getResult(), i), builder);
    output.replaceUsesWithIf(outside, [&](mlir::OpOperand &use) {
      return use.getOwner()->getParentOfType<LLVM::LLVMFuncOp>() == function;
    });
  }
  cf::BranchOp::create(builder, loc, range.end);
  jump->erase();
}

void Outlining::run(llvm::StringRef name) {
  mlir::Operation *jumpThere = nullptr, *jumpBack = nullptr;
  for (mlir::Block *before : range.first->getPredecessors())
    jumpThere = before->getTerminator();
  for (mlir::Block *last : range.end->getPredecessors())
    jumpBack = last->getTerminator();
  findInputs();
  findOutputs();
  LLVM::LLVMFuncOp callee = createFunction(name);
  moveBlocks(callee);
  if (jumpBack) // otherwise the range has no exit
    returnOutputs(jumpBack);
  callInstead(jumpThere, callee);
  // Code after an `if` whose branches both leave is unreachable.
  mlir::IRRewriter rewriter(builder);
  (void)mlir::eraseUnreachableBlocks(rewriter, callee->getRegions());
}

//===-- Choosing ranges -----------------------------------------------------------------------===//

Outliner::Start Outliner::start() {
  LLVM::LLVMFuncOp function = frame.function;
  mlir::Block *block = b.getInsertionBlock();
  return {block, block->empty() ? nullptr : &block->back(), &function.getBody().back(),
          b.operationCount()};
}

bool Outliner::isLong(const Start &start) const {
  return b.operationCount() - start.count >= tuning.leastOutlinedOperations;
}

void Outliner::end(const Start &start) {
  if (!isLong(start))
    return;
  mlir::Block *end = b.newBlock();
  b.jump(end);
  auto from = start.last ? std::next(start.last->getIterator()) : start.block->begin();
  mlir::Block *first = start.block->splitBlock(from);
  first->moveBefore(start.lastBlock->getNextNode());
  b.setInsertionPointToEnd(start.block);
  b.jump(first);
  b.setInsertionPointToStart(end);
  ranges.push_back({first, end});
}

void Outliner::endKernel() {
  if (b.operationCount() - countBefore < tuning.leastLongKernelOperations)
    return;
  LLVM::LLVMFuncOp function = frame.function;
  for (auto [number, range] : llvm::enumerate(ranges))
    Outlining(function, range).run((function.getName() + ".part" + llvm::Twine(number)).str());
}
