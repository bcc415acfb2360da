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
    : into(into), target(target), b(into, cache, &counter), globals(b, into) {}

llvm::LogicalResult KernelEmitter::unsupported(mlir::Operation *op, const llvm::Twine &what) {
  llvm::raw_string_ostream out(reason);
  out << tile::locationText(op->getLoc()) << ": error: " << op->getName().stripDialect() << ": "
      << what << " is not supported on CPUs yet";
  return llvm::failure();
}

/// A global is an array in memory, and lives as long as the compiled module is loaded.
llvm::LogicalResult KernelEmitter::emitGlobal(tile::GlobalOp op) {
  b.setPlace(op.getLoc());
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
  b.setInsertionPointToEnd(into.getBody());
  LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()), op.getConstant(),
                         LLVM::Linkage::Internal, "tw.global." + cName(op.getSymName()),
                         b.getStringAttr(text), std::max<uint64_t>(*alignment, Plan::alignment));
  return llvm::success();
}
