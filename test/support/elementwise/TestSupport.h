// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes emitted code: wraps it in a loop over arrays, compiles the loop for a target, and runs
// it in this process.

#ifndef TILEWRIGHT_TEST_SUPPORT_ELEMENTWISE_TESTSUPPORT_H
#define TILEWRIGHT_TEST_SUPPORT_ELEMENTWISE_TESTSUPPORT_H

#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/Jit.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"
#include <optional>
#include <string>
#include <vector>

namespace tilewright::elementwise::testing {

/// This machine with f64 treated as slow, as on GPUs.
inline constexpr const char *slowF64 = "slow-f64";

/// The targets that this machine can run: itself and its usual subsets.
inline std::vector<std::string> runnableTargets() {
  std::vector<std::string> names = {"native"};
  if (codegen::TargetMachine::host().hasFma)
    names.push_back(slowF64);
  if (!llvm::StringRef(llvm::sys::getProcessTriple()).starts_with("x86_64"))
    return names;
  auto features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx2") && features.lookup("fma") && features.lookup("bmi2"))
    names.push_back("x86-64-v3");
  names.push_back("x86-64");
  return names;
}

/// One of them.
inline codegen::TargetMachine targetNamed(const std::string &name) {
  using codegen::TargetMachine;
  if (name != "native" && name != slowF64)
    return *TargetMachine::of("x86_64-unknown-linux-gnu", name);
  TargetMachine host = TargetMachine::host();
  if (name == slowF64)
    host.hasFastF64 = host.hasAvx512Floats = false;
  return host;
}

/// result[i] = body(a[i], b[i], ...) for arrays of register-form words.
class CompiledMap {
public:
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                              llvm::ArrayRef<mlir::Value>)>;

  /// Processes `lanes` elements at a time; 0 means scalars.
  CompiledMap(const codegen::TargetMachine &target, llvm::ArrayRef<mlir::Type> operands,
              mlir::Type result, int64_t lanes, Body body)
      : lanes(lanes) {
    mlir::MLIRContext *context = result.getContext();
    mlir::OpBuilder builder(context);
    mlir::Location loc = builder.getUnknownLoc();
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    emitLoop(builder, loc, operands, result, body);
    support::Result<std::string> object = codegen::compileLoops(*module, target);
    EXPECT_TRUE(bool(object)) << object.failure().message;
    support::Result<codegen::LoadedCode> loaded = codegen::LoadedCode::load(*object);
    EXPECT_TRUE(bool(loaded)) << loaded.failure().message;
    code.emplace(std::move(*loaded));
    support::Result<void *> address = code->lookup("map");
    EXPECT_TRUE(bool(address)) << address.failure().message;
    function = reinterpret_cast<Function *>(*address);
  }

  /// `count` must be a multiple of the lanes.
  void operator()(const void *a, const void *b, const void *c, void *result, int64_t count) const {
    EXPECT_EQ(count % std::max<int64_t>(lanes, 1), 0);
    function(a, b, c, result, count);
  }

private:
  using Function = void(const void *, const void *, const void *, void *, int64_t);

  void emitLoop(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::Type> operands,
                mlir::Type result, Body body) {
    namespace arith = mlir::arith;
    namespace llvmir = mlir::LLVM;
    mlir::MLIRContext *context = builder.getContext();
    mlir::Type pointer = llvmir::LLVMPointerType::get(context), i64 = builder.getI64Type();
    auto type = llvmir::LLVMFunctionType::get(llvmir::LLVMVoidType::get(context),
                                              {pointer, pointer, pointer, pointer, i64});
    auto function = llvmir::LLVMFuncOp::create(builder, loc, "map", type);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    auto constant = [&](int64_t value) -> mlir::Value {
      return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
    };
    auto inLanes = [&](mlir::Type scalar) -> mlir::Type {
      return lanes == 0 ? scalar : mlir::VectorType::get({lanes}, scalar);
    };
    auto addressOf = [&](int64_t array, mlir::Type element, mlir::Value position) -> mlir::Value {
      return llvmir::GEPOp::create(builder, loc, pointer, element, function.getArgument(array),
                                   position);
    };
    auto loop = mlir::scf::ForOp::create(builder, loc, constant(0), function.getArgument(4),
                                         constant(std::max<int64_t>(lanes, 1)));
    builder.setInsertionPointToStart(loop.getBody());
    mlir::Value position = loop.getInductionVar();
    llvm::SmallVector<mlir::Value> in;
    for (auto [array, element] : llvm::enumerate(operands))
      in.push_back(llvmir::LoadOp::create(builder, loc, inLanes(element),
                                          addressOf(array, element, position),
                                          element.getIntOrFloatBitWidth() / 8));
    mlir::Value value = body(builder, loc, in);
    llvmir::StoreOp::create(builder, loc, value, addressOf(3, result, position),
                            result.getIntOrFloatBitWidth() / 8);
    builder.setInsertionPointAfter(loop);
    llvmir::ReturnOp::create(builder, loc, mlir::ValueRange());
  }

  int64_t lanes;
  std::optional<codegen::LoadedCode> code;
  Function *function = nullptr;
};

} // namespace tilewright::elementwise::testing

#endif // TILEWRIGHT_TEST_SUPPORT_ELEMENTWISE_TESTSUPPORT_H
