// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits prints and assertions, with CUDA's functions `vprintf` and `__assertfail`. One thread
// prints: a tile with few elements in a single call, whose text is not interleaved with others,
// otherwise element by element.

#ifndef TILEWRIGHT_NVIDIA_EMIT_HOSTCALLS_H
#define TILEWRIGHT_NVIDIA_EMIT_HOSTCALLS_H

#include "tilewright/nvidia/emit/SharedMemory.h"
#include "tilewright/runtime/Print.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::nvidia {

class HostCalls {
public:
  HostCalls(mlir::ModuleOp into, ThreadBuilder &b, const Plan &plan, Tiles &tiles,
            SharedMemory &shared)
      : into(into), b(b), plan(plan), tiles(tiles), shared(shared) {}

  void emit(tile::PrintOp op);
  void emit(tile::AssertOp op);

private:
  mlir::Value text(llvm::StringRef text);
  mlir::LLVM::LLVMFuncOp function(llvm::StringRef name, mlir::Type result,
                                  llvm::ArrayRef<mlir::Type> arguments);
  void print(llvm::StringRef format, mlir::ValueRange values);
  void printPlain(llvm::StringRef text);
  void printTile(mlir::Value tile, const runtime::Specifier &specifier, int64_t bytes);
  mlir::Value promoted(mlir::Value element, mlir::Type elementType,
                       const runtime::Specifier &specifier);

  mlir::ModuleOp into;
  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts; ///< The strings that text() has created.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_HOSTCALLS_H
