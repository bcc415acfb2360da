// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of this folder: a function in a module, and a builder in its entry block.

#ifndef TILEWRIGHT_TEST_SUPPORT_CPU_EMITTEST_H
#define TILEWRIGHT_TEST_SUPPORT_CPU_EMITTEST_H

#include "tilewright/cpu/Loops.h"
#include "tilewright/cpu/emit/ModuleGlobals.h"

#include "mlir/IR/Matchers.h"
#include "gtest/gtest.h"

namespace tilewright::cpu {

class EmitTest : public testing::Test {
protected:
  EmitTest() {
    mlir::Type word = b.getI64Type(), bit = b.getI1Type();
    auto type = mlir::LLVM::LLVMFunctionType::get(
        mlir::LLVM::LLVMVoidType::get(&context),
        {word, bit, mlir::VectorType::get({16}, bit), mlir::VectorType::get({16}, word)});
    b.setInsertionPointToEnd(module->getBody());
    function = mlir::LLVM::LLVMFuncOp::create(b, "f", type);
    b.setInsertionPointToStart(function.addEntryBlock(b));
    number = function.getArgument(0);
    condition = function.getArgument(1);
    mask = function.getArgument(2);
    numbers = function.getArgument(3);
  }

  template <typename Op> unsigned count() {
    unsigned found = 0;
    module->walk([&](Op) { ++found; });
    return found;
  }
  static std::optional<int64_t> constantOf(mlir::Value value) {
    llvm::APInt constant;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
      return constant.getSExtValue();
    return std::nullopt;
  }

  mlir::MLIRContext context{[] {
                              mlir::DialectRegistry registry;
                              registerLoopDialects(registry);
                              return registry;
                            }(),
                            mlir::MLIRContext::Threading::DISABLED};
  bool areLoaded = (context.loadAllAvailableDialects(), true);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  ValueCache cache;
  LoopBuilder b{*module, cache};
  ModuleGlobals globals{b, *module};
  mlir::LLVM::LLVMFuncOp function;
  mlir::Value number, condition, mask, numbers; ///< i64, i1, 16 x i1, 16 x i64.
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_TEST_SUPPORT_CPU_EMITTEST_H
