// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: a signed conversion of i1 to bf16 yields +1 for true, which is -1: the bit is
// zero-extended to the i32 that cvt.rn.bf16.s32 converts. Conversions to f16 are right.
//
// Seen in: LLVM 22.1.8, NVPTX, sm_90. For sm_80, which has no such instruction, the code is right.
//
// Avoided: a select of the two results replaces the conversion, after the optimizer, which may
// fold a sign extension of i1 into a conversion.
//
// Test: test/codegen/workarounds/select-converted-bits.ll.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace tilewright::codegen;

void workarounds::selectConvertedBits(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Type *type = instruction.getType();
    if (!llvm::isa<llvm::SIToFPInst>(instruction) ||
        !instruction.getOperand(0)->getType()->isIntOrIntVectorTy(1))
      continue;
    llvm::IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(builder.CreateSelect(instruction.getOperand(0),
                                                        llvm::ConstantFP::get(type, -1.0),
                                                        llvm::ConstantFP::get(type, 0.0)));
    instruction.eraseFromParent();
  }
}
