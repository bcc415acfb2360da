// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OperationCalls.h.

#include "tilewright/cpu/emit/OperationCalls.h"
#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Ops.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
namespace LLVM = mlir::LLVM;

/// The operation's types as a function type: from the operands' element types and register types to
/// the result's element type.
static mlir::Type signatureOf(mlir::Operation *op, mlir::ValueRange in) {
  llvm::SmallVector<mlir::Type> from;
  for (Value operand : op->getOperands())
    from.push_back(mlir::getElementTypeOrSelf(operand));
  llvm::append_range(from, in.getTypes());
  return mlir::FunctionType::get(op->getContext(), from,
                                 mlir::getElementTypeOrSelf(op->getResult(0)));
}

OperationCalls::Uses &OperationCalls::usesOf(mlir::Operation *op, mlir::ValueRange in) {
  return uses[{op->getName(), op->getAttrDictionary(), signatureOf(op, in)}];
}

Value OperationCalls::emit(mlir::Operation *op, mlir::ValueRange in) {
  if (in.empty())
    return emitElementwise(b, target, op, in);
  Uses &mine = usesOf(op, in);
  if (mine.operations < target.tuning.mostInlineOperations ||
      mine.longest < target.tuning.leastCalledOperations) {
    unsigned before = b.operationCount();
    Value result = emitElementwise(b, target, op, in);
    mine.longest = std::max(mine.longest, b.operationCount() - before);
    mine.operations += b.operationCount() - before;
    return result;
  }
  return call(op, in);
}

Value OperationCalls::call(mlir::Operation *op, mlir::ValueRange in) {
  Uses &mine = usesOf(op, in);
  if (!mine.function)
    mine.function = define(op, in);
  return LLVM::CallOp::create(b, op->getLoc(), mine.function, in).getResult();
}

LLVM::LLVMFuncOp OperationCalls::define(mlir::Operation *op, mlir::ValueRange in) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(into.getBody());
  mlir::Type element = mlir::getElementTypeOrSelf(op->getResult(0));
  auto type = LLVM::LLVMFunctionType::get(shapedLike(registerType(element), in.front().getType()),
                                          llvm::to_vector(in.getTypes()));
  std::string name = ("tw." + op->getName().stripDialect() + llvm::Twine(functions++)).str();
  auto function = LLVM::LLVMFuncOp::create(b, op->getLoc(), name, type, LLVM::Linkage::Internal);
  function.setNoInline(true);
  mlir::Block *body = function.addEntryBlock(b);
  b.setInsertionPointToStart(body);
  Value result = emitElementwise(b, target, op, body->getArguments());
  LLVM::ReturnOp::create(b, op->getLoc(), result);
  return function;
}
