// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates the body of an entry to the code of a thread; together, the threads of a CTA run one
// tile block. A BodyEmitter walks the operations in order, or those that its role executes
// (plan/Roles.h). Each kind of operation has an emitter in this folder; this class owns all of
// them, and dispatches operations to them.

#ifndef TILEWRIGHT_NVIDIA_EMIT_BODYEMITTER_H
#define TILEWRIGHT_NVIDIA_EMIT_BODYEMITTER_H

#include "tilewright/nvidia/emit/Aggregates.h"
#include "tilewright/nvidia/emit/Atomics.h"
#include "tilewright/nvidia/emit/ControlFlow.h"
#include "tilewright/nvidia/emit/DelayedProducts.h"
#include "tilewright/nvidia/emit/GlobalPool.h"
#include "tilewright/nvidia/emit/HostCalls.h"
#include "tilewright/nvidia/emit/MatrixProducts.h"
#include "tilewright/nvidia/emit/Moves.h"
#include "tilewright/nvidia/emit/Pointers.h"
#include "tilewright/nvidia/emit/Products.h"
#include "tilewright/nvidia/emit/TensorProducts.h"

namespace tilewright::nvidia {

class BodyEmitter final : OperationEmitter {
public:
  BodyEmitter(mlir::ModuleOp into, const Plan &plan, ThreadBuilder &b, Role role,
              SharedMemory &shared, GlobalPool &pool);

  /// Emits the body from here on, for the thread of this number; a `return` jumps to `exit`.
  void emitBody(mlir::LLVM::LLVMFuncOp function, mlir::Value thread, mlir::Block *exit);
  /// Emits the questions of the plan (plan/Roles.h), and returns whether all answers are yes.
  mlir::Value emitQuestions(mlir::LLVM::LLVMFuncOp function, mlir::Value thread);
  /// Bytes of local memory per thread.
  int64_t localBytes() const { return tiles.localBytes; }

private:
  mlir::Value answerTo(const Question &question);
  void readParameters(mlir::LLVM::LLVMFuncOp function);
  void electThread();
  void emitSlice(mlir::Block &body);

  void emit(mlir::Block &body) override;
  void emit(mlir::Operation *op) override;
  void emitBlockId(tile::GetTileBlockIdOp op);
  using PartOfGrid = mlir::Value (ThreadBuilder::*)(llvm::StringRef);
  void defineAll(mlir::Operation *op, PartOfGrid partOfGrid);
  void emitTogether(llvm::ArrayRef<mlir::Operation *> ops);
  void waitForEarlier();
  void emitFence(mlir::Operation *op);
  void emitGlobalAddress(tile::GetGlobalOp op);

  const Plan &plan;
  const Role role;

  ThreadBuilder &b;
  Tiles tiles;
  SharedMemory shared;
  MemoryAccess memory;
  Moves moves;
  Views views;
  Pointers pointers;
  Atomics atomics;
  Aggregates aggregates;
  Products products;
  TensorMaps maps;
  Rings rings;
  Operands operands;
  MatrixProducts matrices;
  DelayedProducts delayed;
  TensorProducts tensor;
  HostCalls host;
  GlobalPool &pool;
  ControlFlow control;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_BODYEMITTER_H
