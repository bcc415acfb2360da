// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which instructions access memory (MemoryAccess.h).

#include "test/support/cpu/EmitTest.h"
#include "tilewright/cpu/emit/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace LLVM = mlir::LLVM;

namespace {

class MemoryAccessTest : public EmitTest {
protected:
  Target target;
  Frame frame;
  MemoryAccess memory{b, frame, globals, target};

  MemoryAccessTest() { frame.launch = b.asPointers(number); }
  mlir::Type f32 = b.getF32Type();

  AddressSet row(Value mask = {}) {
    AddressSet set;
    set.address = number;
    set.mask = mask;
    return set;
  }
  Value zeros(int64_t width) { return b.constantBits(mlir::VectorType::get({width}, f32), 0); }
};

TEST_F(MemoryAccessTest, contiguousLanesAreOneAccess) {
  memory.write(row(), f32, memory.read(row(), f32, {}, 16));
  EXPECT_EQ(count<LLVM::LoadOp>(), 1u);
  EXPECT_EQ(count<LLVM::StoreOp>(), 1u);
  memory.read(row(mask), f32, zeros(16), 16);
  EXPECT_EQ(count<LLVM::MaskedLoadOp>(), 1u);
}

/// Disabled lanes must not touch an unmapped page.
TEST_F(MemoryAccessTest, noLanesAreAccessedWhereThereIsMemory) {
  memory.read(row(mask), f32, zeros(16), 16);
  EXPECT_EQ(count<mlir::arith::SelectOp>(), 1u);
  memory.write(row(mask), f32, zeros(16));
  EXPECT_EQ(count<mlir::arith::SelectOp>(), 2u);
  memory.write(row(), f32, memory.read(row(), f32, {}, 16));
  EXPECT_EQ(count<mlir::arith::SelectOp>(), 2u);
}

TEST_F(MemoryAccessTest, aConditionOfAllLanesIsABranch) {
  Value both = b.conjunction(b.splat(condition, 16), mask);
  memory.read(row(both), f32, zeros(16), 16);
  EXPECT_EQ(count<mlir::scf::IfOp>(), 1u);
  EXPECT_EQ(count<LLVM::MaskedLoadOp>(), 1u);
  memory.read(row(b.splat(condition, 16)), f32, zeros(16), 16);
  EXPECT_EQ(count<mlir::scf::IfOp>(), 2u);
  EXPECT_EQ(count<LLVM::MaskedLoadOp>(), 1u);
  EXPECT_EQ(count<LLVM::LoadOp>(), 1u);
}

TEST_F(MemoryAccessTest, narrowMaskedVectorsAreAccessedLaneByLane) {
  // 16 lanes of one byte are 16 bytes, 8 are not.
  mlir::Type byte = b.getI8Type();
  memory.write(row(mask), byte, b.constantBits(mlir::VectorType::get({16}, byte), 1));
  EXPECT_EQ(count<LLVM::MaskedStoreOp>(), 1u);
  Value half = b.constantBits(mlir::VectorType::get({8}, byte), 1);
  Value enabled = mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::eq, half, half);
  memory.write(row(enabled), byte, half);
  EXPECT_EQ(count<LLVM::MaskedStoreOp>(), 1u);
  EXPECT_EQ(count<LLVM::StoreOp>(), 8u);
}

TEST_F(MemoryAccessTest, gathersAreUsedWhereTheyAreFast) {
  AddressSet set;
  set.addresses = numbers;
  set.mask = mask;
  memory.read(set, f32, zeros(16), 16);
  EXPECT_EQ(count<LLVM::masked_gather>(), 0u);
  EXPECT_EQ(count<LLVM::LoadOp>(), 16u); // disabled lanes read a zero
  EXPECT_EQ(count<LLVM::GlobalOp>(), 1u);
  target.hasFastGather = true;
  memory.read(set, f32, zeros(16), 16);
  EXPECT_EQ(count<LLVM::masked_gather>(), 1u);
  EXPECT_EQ(count<LLVM::LoadOp>(), 16u);
}

TEST_F(MemoryAccessTest, aHalfOfAByteIsWrittenAtomically) {
  AddressSet half = row();
  half.shift = b.constantBits(b.getI8Type(), 4);
  memory.write(half, mlir::Float4E2M1FNType::get(&context), b.constantBits(b.getI8Type(), 5));
  EXPECT_EQ(count<LLVM::AtomicRMWOp>(), 2u); // clear and set: the other half may change in between
  EXPECT_EQ(count<LLVM::StoreOp>(), 0u);
}

TEST_F(MemoryAccessTest, nonTemporalStoresSaySo) {
  memory.writeNonTemporal(row(), zeros(16));
  function.walk([](LLVM::StoreOp store) {
    EXPECT_TRUE(store.getNontemporal());
    EXPECT_EQ(store.getAlignment(), 64u);
  });
  EXPECT_EQ(count<LLVM::StoreOp>(), 1u);
}

} // namespace
