// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KernelEmitter.h. What all its files use, and the way from a module to its functions.

#include "tilewright/cpu/KernelEmitter.h"
#include "tilewright/cpu/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

void cpu::registerLoopDialects(mlir::DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, LLVM::LLVMDialect>();
}

support::Result<Loops> cpu::emitLoops(tile::ModuleOp module, const Target &target) {
  mlir::MLIRContext *context = module.getContext();
  mlir::DialectRegistry registry;
  registerLoopDialects(registry);
  context->appendDialectRegistry(registry);
  for (llvm::StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);

  Loops loops;
  loops.module = mlir::ModuleOp::create(module.getLoc());
  KernelEmitter emitter(*loops.module, target);
  auto failed = [&]() { return support::Failure{emitter.why()}; };
  for (auto global : module.getBody().getOps<tile::GlobalOp>())
    if (llvm::failed(emitter.emitGlobal(global)))
      return failed();
  for (auto entry : module.getBody().getOps<tile::EntryOp>()) {
    KernelInfo &info = loops.kernels.emplace_back();
    if (llvm::failed(emitter.emitEntry(entry, info)))
      return failed();
  }
  return loops;
}

KernelEmitter::KernelEmitter(mlir::ModuleOp into, const Target &target)
    : into(into), target(target), builder(into.getBodyRegion()), loc(into.getLoc()) {}

llvm::LogicalResult KernelEmitter::unsupported(mlir::Operation *op, const llvm::Twine &what) {
  llvm::raw_string_ostream out(reason);
  out << op->getLoc() << ": " << op->getName().stripDialect() << ": " << what
      << " is not supported on CPUs yet";
  return llvm::failure();
}

//===-- Integers and addresses ----------------------------------------------------------------===//

Value KernelEmitter::i64(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value KernelEmitter::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value KernelEmitter::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

Value KernelEmitter::zeroExtended(Value value) {
  if (value.getType().isInteger(64))
    return value;
  return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(), value);
}

Value KernelEmitter::wordAddress(Value base, mlir::Type word, Value words) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), word, base, words);
}

Value KernelEmitter::byteAddress(Value base, Value bytes) {
  return wordAddress(base, builder.getI8Type(), bytes);
}

Value KernelEmitter::arenaAddress(int64_t offset) { return byteAddress(arena, i64(offset)); }

void KernelEmitter::branch(Value condition, llvm::function_ref<void()> then,
                           llvm::function_ref<void()> otherwise) {
  auto op = mlir::scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  size_t before = known.size();
  builder.setInsertionPointToStart(op.thenBlock());
  then();
  known.truncate(before);
  builder.setInsertionPointToStart(op.elseBlock());
  otherwise();
  known.truncate(before);
}

LLVM::LLVMFuncOp KernelEmitter::hostFunction(llvm::StringRef name,
                                             llvm::ArrayRef<mlir::Type> arguments) {
  if (auto known = into.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(into.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), arguments);
  return LLVM::LLVMFuncOp::create(builder, loc, name, type);
}

//===-- Constant data -------------------------------------------------------------------------===//

LLVM::GlobalOp KernelEmitter::constantBytes(llvm::StringRef prefix, llvm::StringRef bytes,
                                            int64_t alignment) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(into.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                (prefix + llvm::Twine(globalCount++)).str(),
                                builder.getStringAttr(bytes), alignment);
}
