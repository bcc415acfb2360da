// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests when an operation becomes a function of the module (OperationCalls.h).

#include "test/support/cpu/EmitTest.h"
#include "tilewright/cpu/emit/OperationCalls.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;

namespace {

class OperationCallsTest : public EmitTest {
protected:
  OperationCallsTest() {
    context.loadDialect<tile::TileDialect>();
    parsed = mlir::parseSourceString<mlir::ModuleOp>(R"(cuda_tile.module @m { entry @k() {
      %x = constant <f64: 2.0> : tile<f64>
      %power = pow %x, %x : tile<f64>
      %sum = addf %x, %x : tile<f64>
    }})",
                                                     &context);
    x = b.constantBits(b.getF64Type(), 0);
  }

  template <typename Op> mlir::Operation *first() {
    mlir::Operation *found = nullptr;
    parsed->walk([&](Op op) { found = op; });
    return found;
  }
  unsigned functions() { return count<mlir::LLVM::LLVMFuncOp>() - 1; }

  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  Target target;
  OperationCalls calls{b, *module, target};
  Value x;
};

TEST_F(OperationCallsTest, manyExpansionsOfALongOperationBecomeCalls) {
  for (int i = 0; i < 200; ++i)
    calls.emit(first<tile::PowOp>(), {x, x});
  EXPECT_EQ(functions(), 1u);
  EXPECT_GT(count<mlir::LLVM::CallOp>(), 100u);
}

TEST_F(OperationCallsTest, aShortOperationIsAlwaysExpanded) {
  for (int i = 0; i < 5000; ++i)
    calls.emit(first<tile::AddFOp>(), {x, x});
  EXPECT_EQ(functions(), 0u);
}

/// The regions of `chooseValue` are filled before their operation is inserted.
TEST_F(OperationCallsTest, theFunctionIsDefinedFromARegionThatIsNotInsertedYet) {
  auto powers = [&] {
    Value last;
    for (int i = 0; i < 200; ++i)
      last = calls.emit(first<tile::PowOp>(), {x, x});
    return last;
  };
  b.chooseValue(condition, powers, [&] { return x; });
  EXPECT_EQ(functions(), 1u);
  mlir::LLVM::ReturnOp::create(b, mlir::ValueRange());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
}

} // namespace
