// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Outline.h.

#include "tilewright/cpu/emit/Outline.h"

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
/// One part on its way out of its function.
class Outlining {
public:
  Outlining(LLVM::LLVMFuncOp function, const Part &part);
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
  const Part &part;
  mlir::OpBuilder builder;
  llvm::SetVector<mlir::Block *> blocks;
  llvm::SetVector<Value> constants, inputs, outputs;
};
} // namespace

Outlining::Outlining(LLVM::LLVMFuncOp function, const Part &part)
    : function(function), part(part), builder(function.getContext()) {
  for (auto block = part.first->getIterator(); &*block != part.end; ++block)
    blocks.insert(&*block);
}

//===-- What goes in and out ------------------------------------------------------------------===//

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

/// A structure of all outputs.
mlir::Type Outlining::outputType() {
  if (outputs.empty())
    return LLVM::LLVMVoidType::get(builder.getContext());
  SmallVector<mlir::Type> types;
  for (Value output : outputs)
    types.push_back(output.getType());
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
}

//===-- Moving --------------------------------------------------------------------------------===//

LLVM::LLVMFuncOp Outlining::createFunction(llvm::StringRef name) {
  SmallVector<mlir::Type> types;
  for (Value input : inputs)
    types.push_back(input.getType());
  builder.setInsertionPoint(function);
  auto callee = LLVM::LLVMFuncOp::create(builder, part.first->front().getLoc(), name,
                                         LLVM::LLVMFunctionType::get(outputType(), types),
                                         LLVM::Linkage::Internal);
  callee.setNoInline(true);
  return callee;
}

/// Constants are made again, what else comes from outside is an argument.
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
  cf::BranchOp::create(builder, callee.getLoc(), part.first);
  callee.getBody().getBlocks().splice(callee.getBody().end(), function.getBody().getBlocks(),
                                      part.first->getIterator(), part.end->getIterator());
}

/// In place of the jump to what comes after the part.
void Outlining::returnOutputs(mlir::Operation *jump) {
  builder.setInsertionPoint(jump);
  mlir::Location loc = jump->getLoc();
  if (outputs.empty()) {
    LLVM::ReturnOp::create(builder, loc, mlir::ValueRange());
  } else {
    Value all = LLVM::PoisonOp::create(builder, loc, outputType());
    for (auto [i, output] : llvm::enumerate(outputs))
      all = LLVM::InsertValueOp::create(builder, loc, all, output, i);
    LLVM::ReturnOp::create(builder, loc, all);
  }
  jump->erase();
}

/// In place of the jump to the part.
void Outlining::callInstead(mlir::Operation *jump, LLVM::LLVMFuncOp callee) {
  builder.setInsertionPoint(jump);
  mlir::Location loc = jump->getLoc();
  auto call = LLVM::CallOp::create(builder, loc, callee, inputs.getArrayRef());
  for (auto [i, inside] : llvm::enumerate(outputs)) {
    Value output = inside;
    Value outside = LLVM::ExtractValueOp::create(builder, loc, call.getResult(), i);
    output.replaceUsesWithIf(outside, [&](mlir::OpOperand &use) {
      return use.getOwner()->getParentOfType<LLVM::LLVMFuncOp>() == function;
    });
  }
  cf::BranchOp::create(builder, loc, part.end);
  jump->erase();
}

void Outlining::run(llvm::StringRef name) {
  mlir::Operation *jumpThere = nullptr, *jumpBack = nullptr;
  for (mlir::Block *before : part.first->getPredecessors())
    jumpThere = before->getTerminator();
  for (mlir::Block *last : part.end->getPredecessors())
    jumpBack = last->getTerminator();
  findInputs();
  findOutputs();
  LLVM::LLVMFuncOp callee = createFunction(name);
  moveBlocks(callee);
  if (jumpBack) // else it is never left
    returnOutputs(jumpBack);
  callInstead(jumpThere, callee);
  // What follows an `if` whose branches both leave.
  mlir::IRRewriter rewriter(builder);
  (void)mlir::eraseUnreachableBlocks(rewriter, callee->getRegions());
}

void cpu::outlineParts(LLVM::LLVMFuncOp function, llvm::ArrayRef<Part> parts) {
  for (auto [number, part] : llvm::enumerate(parts))
    Outlining(function, part).run((function.getName() + ".part" + llvm::Twine(number)).str());
}
