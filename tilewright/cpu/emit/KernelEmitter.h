// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates an entry to a function. A KernelEmitter walks the operations in order. Values in
// registers are emitted at their definition; tiles with a buffer, as a loop nest that fills it;
// fused tiles, by the evaluator at their uses. Each kind of operation has an emitter in this
// folder, which references the others that it uses; this class owns all of them, and dispatches
// operations to them.
//
// The function runs a range of the tile blocks of a grid, one after the other, in an arena that the
// caller provides (runtime/Kernel.h, twKernelFunction).

#ifndef TILEWRIGHT_CPU_EMIT_KERNELEMITTER_H
#define TILEWRIGHT_CPU_EMIT_KERNELEMITTER_H

#include "tilewright/cpu/emit/Atomics.h"
#include "tilewright/cpu/emit/ControlFlow.h"
#include "tilewright/cpu/emit/FusionGroups.h"
#include "tilewright/cpu/emit/Multimem.h"
#include "tilewright/cpu/emit/Networks.h"
#include "tilewright/cpu/emit/Transposes.h"
#include "tilewright/cpu/emit/folds/Reductions.h"
#include "tilewright/cpu/emit/matmul/Matmul.h"

namespace tilewright::cpu {

/// State that all kernels of a module share.
struct ModuleEmission {
  ModuleEmission(mlir::ModuleOp into, const Target &target)
      : into(into), target(target), b(into, cache), globals(b, into), calls(b, into, target) {}

  mlir::ModuleOp into;
  const Target &target;
  ValueCache cache;
  LoopBuilder b;
  ModuleGlobals globals;
  OperationCalls calls;
};

class KernelEmitter final : OperationEmitter {
public:
  KernelEmitter(ModuleEmission &emission, const Plan &plan, bool mayWait);

  llvm::LogicalResult emitEntry(tile::EntryOp entry);
  /// Why emitting failed.
  const std::string &why() const { return reason; }

private:
  void beginFunction(tile::EntryOp entry);
  void readParameters(tile::EntryOp entry);
  void beginBlock();
  void findBlock(mlir::Value turn);

  llvm::LogicalResult emit(mlir::Block &body) override;
  llvm::LogicalResult emit(mlir::Operation *op) override;
  llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what) override;
  llvm::LogicalResult emitUnlessStored(mlir::Operation *op, const FusionGroup *group);
  void defineAll(mlir::Operation *op, mlir::ValueRange scalars);
  void emitGlobalAddress(tile::GetGlobalOp op);
  void emitElements(mlir::Operation *op);

  ModuleEmission &emission;
  LoopBuilder &b;
  ValueCache &cache;
  const Plan &plan;
  std::string reason;

  const EmitContext context; ///< Refers to the members below, too.
  Frame frame;
  Buffers buffers;
  MemoryAccess memory;
  Evaluator evaluator;
  ViewAccess views;
  FusedLoads loads;
  CacheHints hints;
  Outliner outliner;

  Transposes transposes;
  PointerAccess pointers;
  Atomics atomics;
  Multimem multimem;
  HostCalls host;
  CombinerBodies bodies;
  Reductions reductions;
  LoopReductions loopReductions;
  Scans scans;
  FusionGroups groups;
  Networks networks;
  FinalStores finalStores;
  SharedFactors sharedFactors;
  MatmulOperands operands;
  MatmulAmx amx;
  Matmul matmul;
  ControlFlow control;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_KERNELEMITTER_H
