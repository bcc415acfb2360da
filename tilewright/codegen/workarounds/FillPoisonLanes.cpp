// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: instruction selection does not terminate for a shuffle of 64 bytes that repeats 1, 4 or
// 8 bytes of an operation with one use. At -O3, the optimizer makes one such `xor` of each group of
// four bytes that an 8-bit product repeats: it keeps the known lanes of the constant, and makes
// the others poison.
//
// Seen in: LLVM 22.1.8, x86 with AVX512-VBMI (ByteShuffles.cpp).
//
// Avoided: a constant whose known lanes are equal becomes a splat. Instruction selection then
// merges the operations into one with several uses, over which it ends.
//
// Tests: test/codegen/workarounds/byte-shuffles.ll has the reduced input,
// test/cpu/wide-integers.test a kernel.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace tilewright::codegen;

void workarounds::fillPoisonLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!instruction.isBitwiseLogicOp() || !instruction.getType()->isVectorTy())
      continue;
    auto *constant = llvm::dyn_cast<llvm::Constant>(instruction.getOperand(1));
    llvm::Constant *lane = constant ? constant->getSplatValue(/*AllowPoison=*/true) : nullptr;
    if (lane && !constant->getSplatValue())
      instruction.setOperand(
          1, llvm::ConstantVector::getSplat(
                 llvm::cast<llvm::VectorType>(instruction.getType())->getElementCount(), lane));
  }
}
