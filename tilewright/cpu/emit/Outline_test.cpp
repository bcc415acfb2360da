// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that long kernels are outlined, and short ones are not (Outline.h).

#include "test/support/cpu/EmitTest.h"
#include "tilewright/cpu/emit/Outline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace LLVM = mlir::LLVM;

namespace {

class OutlineTest : public EmitTest {
protected:
  OutlineTest() { frame.function = function; }

  /// A chain of `count` additions.
  Value addUp(Value sum, int count) {
    for (int i = 0; i < count; ++i)
      sum = mlir::arith::AddIOp::create(b, sum, number);
    return sum;
  }
  /// A kernel of stretches of 3,000 additions each, which read results of earlier ones.
  void emitKernel(int stretches) {
    outliner.beginKernel();
    Value sum = number;
    for (int i = 0; i < stretches; ++i) {
      Outliner::Start start = outliner.start();
      sum = addUp(sum, 3000);
      outliner.end(start);
    }
    LLVM::StoreOp::create(b, sum, b.asPointers(number));
    LLVM::ReturnOp::create(b, mlir::ValueRange());
    outliner.endKernel();
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  }

  Frame frame;
  Tuning tuning;
  Outliner outliner{b, frame, tuning};
};

TEST_F(OutlineTest, aLongKernelCallsAFunctionForEachStretch) {
  emitKernel(2);
  EXPECT_EQ(count<LLVM::LLVMFuncOp>(), 3u);
  EXPECT_EQ(count<LLVM::CallOp>(), 2u);
  unsigned left = 0;
  function.walk([&](mlir::arith::AddIOp) { ++left; });
  EXPECT_EQ(left, 0u);
}

TEST_F(OutlineTest, floatsAreReturnedAsTheirBits) {
  outliner.beginKernel();
  Outliner::Start start = outliner.start();
  Value loaded = LLVM::LoadOp::create(b, b.getF32Type(), b.asPointers(number));
  Value sum = addUp(number, 5000);
  outliner.end(start);
  LLVM::StoreOp::create(b, loaded, b.asPointers(sum));
  LLVM::ReturnOp::create(b, mlir::ValueRange());
  outliner.endKernel();
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  LLVM::CallOp call;
  function.walk([&](LLVM::CallOp op) { call = op; });
  ASSERT_TRUE(call);
  auto types = llvm::cast<LLVM::LLVMStructType>(call.getResult().getType()).getBody();
  EXPECT_TRUE(types[0].isInteger(32));
}

TEST_F(OutlineTest, aShortKernelIsOneFunction) {
  emitKernel(1);
  EXPECT_EQ(count<LLVM::LLVMFuncOp>(), 1u);
  EXPECT_EQ(count<mlir::arith::AddIOp>(), 3000u);
}

TEST_F(OutlineTest, aShortStretchIsNotCut) {
  Outliner::Start start = outliner.start();
  addUp(number, 100);
  EXPECT_FALSE(outliner.isLong(start));
  outliner.end(start);
  EXPECT_EQ(function.getBody().getBlocks().size(), 1u);
}

} // namespace
