// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: the code generator aborted on a copy of a vector of hundreds of i1. InstCombine
// bitcasts to such a vector to extract one bit of an element.
//
// Seen in: LLVM 22 (the commit that added the rewrite gives no patch version), x86 with AVX-512.
// Not reproduced with 22.1.8: neither the kernel of that commit nor variants of its LLVM IR abort
// llc.
//
// Avoided: the bit is shifted out of its element.
//
// Tests: test/cpu/wide-integers.test checks the rewrite. test/codegen/workarounds/extract-bits.ll
// shows no bug: it checks that LLVM compiles such an extraction.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace tilewright::codegen;

void workarounds::extractBits(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *part = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
    auto *cast = part ? llvm::dyn_cast<llvm::BitCastInst>(part->getVectorOperand()) : nullptr;
    auto *index = part ? llvm::dyn_cast<llvm::ConstantInt>(part->getIndexOperand()) : nullptr;
    auto *from = cast ? llvm::dyn_cast<llvm::FixedVectorType>(cast->getSrcTy()) : nullptr;
    if (!index || !from || !part->getType()->isIntegerTy(1) ||
        !from->getElementType()->isIntegerTy())
      continue;
    const unsigned bits = from->getScalarSizeInBits();
    if (index->getValue().uge(uint64_t(bits) * from->getNumElements()))
      continue;
    llvm::IRBuilder<> builder(part);
    const uint64_t at = index->getZExtValue();
    llvm::Value *element = builder.CreateExtractElement(cast->getOperand(0), at / bits);
    part->replaceAllUsesWith(
        builder.CreateTrunc(builder.CreateLShr(element, at % bits), builder.getInt1Ty()));
    part->eraseFromParent();
  }
}
