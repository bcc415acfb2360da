// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KernelEmitter.h. What all its files use, and the way from a module to its functions.

#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/tile/Globals.h"
#include "tilewright/tile/Places.h"

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
  loops.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
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
    : into(into), target(target), builder(into.getBodyRegion(), &counter), loc(into.getLoc()) {}

llvm::LogicalResult KernelEmitter::unsupported(mlir::Operation *op, const llvm::Twine &what) {
  llvm::raw_string_ostream out(reason);
  out << tile::locationText(op->getLoc()) << ": error: " << op->getName().stripDialect() << ": "
      << what << " is not supported on CPUs yet";
  return llvm::failure();
}

/// Debuggers know files, lines and columns; other locations mean nothing to them.
void KernelEmitter::standAt(mlir::Location place) {
  mlir::FileLineColLoc position = tile::sourcePosition(place);
  loc = position ? mlir::Location(position) : mlir::UnknownLoc::get(place.getContext());
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
  forget(before);
  builder.setInsertionPointToStart(op.elseBlock());
  otherwise();
  forget(before);
}

llvm::SmallVector<Value>
KernelEmitter::chosen(Value condition, llvm::function_ref<llvm::SmallVector<Value>()> then,
                      llvm::function_ref<llvm::SmallVector<Value>()> otherwise) {
  auto region = [&](llvm::function_ref<llvm::SmallVector<Value>()> values) {
    return [this, values](mlir::OpBuilder &, mlir::Location place) {
      size_t before = known.size();
      mlir::scf::YieldOp::create(builder, place, values());
      forget(before);
    };
  };
  return llvm::to_vector_of<Value>(
      mlir::scf::IfOp::create(builder, loc, condition, region(then), region(otherwise))
          .getResults());
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
                                ("tw." + prefix + llvm::Twine(globalCount++)).str(),
                                builder.getStringAttr(bytes), alignment);
}

/// A global is an array in memory, and lives as long as the compiled module is loaded.
llvm::LogicalResult KernelEmitter::emitGlobal(tile::GlobalOp op) {
  standAt(op.getLoc());
  support::Result<uint64_t> alignment = tile::alignmentOf(op);
  if (!alignment) {
    reason = alignment.failure().message;
    return llvm::failure();
  }
  auto values = llvm::cast<mlir::DenseElementsAttr>(op.getValue());
  auto type = llvm::cast<tile::TileType>(values.getType());
  numerics::Format format = *tile::formatOf(type.getElementType());
  std::vector<uint8_t> bytes(numerics::storageBytes(format, type.getNumElements()));
  auto store = [&](int64_t i, const llvm::APInt &bits) {
    numerics::store(bytes.data(), i, numerics::Element::fromBits(format, bits.getZExtValue()));
  };
  if (numerics::info(format).isFloat())
    for (auto [i, value] : llvm::enumerate(values.getValues<llvm::APFloat>()))
      store(i, value.bitcastToAPInt());
  else
    for (auto [i, value] : llvm::enumerate(values.getValues<llvm::APInt>()))
      store(i, value);
  llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  builder.setInsertionPointToEnd(into.getBody());
  LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                         op.getConstant(), LLVM::Linkage::Internal,
                         "tw.global." + cName(op.getSymName()), builder.getStringAttr(text),
                         std::max<uint64_t>(*alignment, Plan::alignment));
  return llvm::success();
}
