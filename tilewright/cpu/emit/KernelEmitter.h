// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an entry become a function? A KernelEmitter walks its operations in order. What has
// a register is emitted once, where it stands; what has a buffer is emitted as a nest of
// loops that fills it; what is fused is emitted by the evaluator, where it is used. For each kind
// of operation there is an emitter in this folder that holds what it uses of the others; this class
// has them all, and a table that says which operation is whose.
//
// The function runs a range of the tile blocks of a grid, one after the other, in an arena that its
// caller gives (runtime/Kernel.h, twKernelFunction).

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

/// What all kernels of a module share.
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
