// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the kernel of an entry: the function, the prologue of all threads, and the body of the
// entry for each role (plan/Roles.h).

#ifndef TILEWRIGHT_NVIDIA_EMIT_KERNELEMITTER_H
#define TILEWRIGHT_NVIDIA_EMIT_KERNELEMITTER_H

#include "tilewright/nvidia/emit/BodyEmitter.h"

namespace tilewright::nvidia {

class KernelEmitter {
public:
  KernelEmitter(mlir::ModuleOp into, const Plan &plan, Symbols &symbols);

  void emitEntry();
  /// Bytes of local memory per thread.
  int64_t localBytes() const { return bytesOfLocals; }

private:
  mlir::LLVM::LLVMFuncOp beginFunction();
  void declarePanels();
  void emitExit(mlir::Block *exit, const Plan &ofRole);
  void emitQuestions(mlir::LLVM::LLVMFuncOp function, mlir::Block *exit);
  void emitRoles(mlir::LLVM::LLVMFuncOp function, mlir::Block *exit);
  mlir::Value numberFor(const Plan &ofRole, Role role);
  void beginShared(const Plan &ofAll);
  void emitRole(const Plan &plan, Role role, mlir::LLVM::LLVMFuncOp function, mlir::Block *exit);

  mlir::ModuleOp into;
  const Plan &plan;

  ThreadBuilder b;
  Tiles tiles;
  SharedMemory shared;
  GlobalPool pool;
  int64_t bytesOfLocals = 0;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_KERNELEMITTER_H
