// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates an entry to the function that each thread of a CTA runs; together, the threads run one
// tile block. A KernelEmitter walks the operations in order. Each kind of operation has an emitter
// in this folder; this class owns all of them, and dispatches operations to them.

#ifndef TILEWRIGHT_NVIDIA_EMIT_KERNELEMITTER_H
#define TILEWRIGHT_NVIDIA_EMIT_KERNELEMITTER_H

#include "tilewright/nvidia/emit/Aggregates.h"
#include "tilewright/nvidia/emit/Atomics.h"
#include "tilewright/nvidia/emit/ControlFlow.h"
#include "tilewright/nvidia/emit/GlobalPool.h"
#include "tilewright/nvidia/emit/HostCalls.h"
#include "tilewright/nvidia/emit/MatrixProducts.h"
#include "tilewright/nvidia/emit/Moves.h"
#include "tilewright/nvidia/emit/Pointers.h"
#include "tilewright/nvidia/emit/Products.h"

namespace tilewright::nvidia {

class KernelEmitter final : OperationEmitter {
public:
  KernelEmitter(mlir::ModuleOp into, const Plan &plan, Symbols &symbols);

  void emitEntry();
  /// Bytes of local memory per thread.
  int64_t localBytes() const { return tiles.localBytes; }

private:
  void beginFunction();
  void readParameters(mlir::LLVM::LLVMFuncOp function);

  void emit(mlir::Block &body) override;
  void emit(mlir::Operation *op) override;
  void defineAll(mlir::Operation *op, llvm::StringRef registers);
  void emitTogether(llvm::ArrayRef<mlir::Operation *> ops);
  void emitFence(mlir::Operation *op);
  void emitGlobalAddress(tile::GetGlobalOp op);

  mlir::ModuleOp into;
  const Plan &plan;

  ThreadBuilder b;
  Tiles tiles;
  SharedMemory shared;
  MemoryAccess memory;
  Moves moves;
  Views views;
  Pointers pointers;
  Atomics atomics;
  Aggregates aggregates;
  Products products;
  Operands operands;
  MatrixProducts matrices;
  HostCalls host;
  GlobalPool pool;
  ControlFlow control;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_KERNELEMITTER_H
