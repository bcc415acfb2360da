// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Loops.h. A module becomes its globals and one function per entry.

#include "tilewright/cpu/Loops.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/tile/Globals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
namespace LLVM = mlir::LLVM;

static KernelInfo describe(const Plan &plan) {
  tile::EntryOp entry = plan.entry;
  KernelInfo info;
  info.name = entry.getSymName().str();
  info.arenaBytes = plan.arena.bytes();
  info.parameterCount = entry.getNumArguments();
  info.mayWait = plan.mayWait();
  info.usesAmx = plan.usesAmx();
  info.columnsInTurn = plan.columnsInTurn;
  entry.walk([&](tile::PrintOp) { info.prints = true; });
  return info;
}

/// A global is an array in memory that lives as long as the compiled module is loaded.
static support::Result<void> emitGlobal(tile::GlobalOp op, mlir::ModuleOp into, LoopBuilder &b) {
  b.setPlace(op.getLoc());
  support::Result<uint64_t> alignment = tile::alignmentOf(op);
  if (!alignment)
    return alignment.failure();
  std::string bytes = tile::storedBytes(op);
  b.setInsertionPointToEnd(into.getBody());
  LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()), op.getConstant(),
                         LLVM::Linkage::Internal, "tw.global." + cName(op.getSymName()),
                         b.getStringAttr(bytes), std::max<uint64_t>(*alignment, arenaAlignment));
  return {};
}

void cpu::registerLoopDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, LLVM::LLVMDialect>();
}

support::Result<Loops> cpu::emitLoops(tile::ModuleOp module, const std::deque<Plan> &plans,
                                      const Target &target) {
  mlir::MLIRContext *context = module.getContext();
  mlir::DialectRegistry registry;
  registerLoopDialects(registry);
  context->appendDialectRegistry(registry);
  for (llvm::StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);

  Loops loops;
  loops.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  ModuleEmission emission(*loops.module, target);
  for (auto global : module.getBody().getOps<tile::GlobalOp>())
    if (support::Result<void> done = emitGlobal(global, *loops.module, emission.b); !done)
      return done.failure();
  for (const Plan &plan : plans) {
    KernelInfo &info = loops.kernels.emplace_back(describe(plan));
    KernelEmitter emitter(emission, plan, info.mayWait);
    if (llvm::failed(emitter.emitEntry(plan.entry)))
      return support::Failure{emitter.why()};
  }
  return loops;
}
