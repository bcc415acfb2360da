// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IrBuilder.h.

#include "tilewright/emit/IrBuilder.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace tilewright;
using emit::IrBuilder;
using mlir::Value;
namespace arith = mlir::arith;
namespace cf = mlir::cf;
namespace LLVM = mlir::LLVM;

void IrBuilder::setPlace(mlir::Location place) { setLoc(tile::plainLocation(place)); }

//===-- Values --------------------------------------------------------------------------------===//

Value IrBuilder::i64(int64_t value) { return arith::ConstantIntOp::create(*this, value, 64); }

Value IrBuilder::add(Value a, Value b) { return createOrFold<arith::AddIOp>(a, b); }

Value IrBuilder::mul(Value a, Value b) { return createOrFold<arith::MulIOp>(a, b); }

Value IrBuilder::zeroExtended(Value value) {
  if (value.getType().isInteger(64))
    return value;
  return createOrFold<arith::ExtUIOp>(getI64Type(), value);
}

Value IrBuilder::constantBits(mlir::Type type, uint64_t bits) {
  return elementwise::constantBits(*this, getLoc(), type, bits);
}

Value IrBuilder::constantElement(mlir::Type elementType, uint64_t bits) {
  return constantBits(elementwise::registerType(elementType),
                      elementwise::registerBits(elementType, bits));
}

Value IrBuilder::conjunction(Value a, Value b) {
  return elementwise::conjunction(*this, getLoc(), a, b);
}

//===-- Blocks of the function ----------------------------------------------------------------===//

LLVM::LLVMFuncOp IrBuilder::function() {
  return getInsertionBlock()->getParent()->getParentOfType<LLVM::LLVMFuncOp>();
}

mlir::Block *IrBuilder::newBlock(llvm::ArrayRef<mlir::Type> arguments) {
  mlir::Region &body = function().getBody();
  InsertionGuard guard(*this);
  llvm::SmallVector<mlir::Location> locations(arguments.size(), getLoc());
  return createBlock(&body, body.end(), arguments, locations);
}

void IrBuilder::jump(mlir::Block *to, mlir::ValueRange values) {
  cf::BranchOp::create(*this, to, values);
}

void IrBuilder::jumpIf(Value condition, mlir::Block *then, mlir::ValueRange thenValues,
                       mlir::Block *otherwise, mlir::ValueRange otherwiseValues) {
  cf::CondBranchOp::create(*this, condition, then, thenValues, otherwise, otherwiseValues);
}

void IrBuilder::jumpIf(Value condition, mlir::Block *then, mlir::Block *otherwise) {
  jumpIf(condition, then, {}, otherwise, {});
}
