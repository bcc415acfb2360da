// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the conversions of elements between memory and registers (Elements.h).

#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include <gtest/gtest.h>

using namespace tilewright::elementwise;

namespace {

class ElementsTest : public testing::Test {
protected:
  ElementsTest() { context.loadDialect<mlir::arith::ArithDialect>(); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::OpBuilder b = mlir::OpBuilder::atBlockBegin(module->getBody());
  mlir::Location loc = b.getUnknownLoc();
};

TEST_F(ElementsTest, anyByteButZeroIsTrue) {
  mlir::Value word = constantBits(b, loc, b.getI8Type(), 2);
  auto isTrue = fromMemory(b, loc, word, b.getI1Type()).getDefiningOp<mlir::arith::CmpIOp>();
  ASSERT_TRUE(isTrue);
  EXPECT_EQ(isTrue.getPredicate(), mlir::arith::CmpIPredicate::ne);
}

TEST_F(ElementsTest, tf32IsInTheUpperBitsOfARegister) {
  EXPECT_EQ(registerBits(mlir::FloatTF32Type::get(&context), 0x1FC00), 0x3F800000u);
  EXPECT_EQ(registerBits(b.getF32Type(), 0x3F800000), 0x3F800000u);
}

} // namespace
