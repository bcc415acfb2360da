// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constant data of a compiled module, and its declarations of runtime functions.

#ifndef TILEWRIGHT_CPU_EMIT_MODULEGLOBALS_H
#define TILEWRIGHT_CPU_EMIT_MODULEGLOBALS_H

#include "tilewright/cpu/emit/LoopBuilder.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::cpu {

class ModuleGlobals {
public:
  ModuleGlobals(LoopBuilder &b, mlir::ModuleOp into) : b(b), into(into) {}

  /// Declares a runtime function; a null type means that it has no result.
  mlir::LLVM::LLVMFuncOp hostFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Type> arguments,
                                      mlir::Type result = {});
  mlir::LLVM::GlobalOp constantBytes(llvm::StringRef prefix, llvm::StringRef bytes,
                                     int64_t alignment);
  /// Eight bytes of constant data: a number, or the address of other data (null: 0).
  struct Field {
    int64_t number;
    mlir::LLVM::GlobalOp pointee;
  };
  mlir::LLVM::GlobalOp constantStruct(llvm::ArrayRef<Field> fields);
  /// The address of a zero of any type, as an i64.
  mlir::Value addressOfZero();

private:
  LoopBuilder &b;
  mlir::ModuleOp into;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> hostFunctions; ///< The declared functions.
  unsigned count = 0;
  mlir::LLVM::GlobalOp zero;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MODULEGLOBALS_H
