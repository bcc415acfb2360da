// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: instruction selection crashes on a shuffle of zeros with a vector that is a bitcast of
// an integer wider than 64 bits. GVN extracts such an integer to reuse part of a loaded vector.
//
// Seen in: LLVM 22.1.8, x86 with AVX-512.
//
// Avoided: a shuffle extracts that part of the vector.
//
// Tests: test/codegen/workarounds/extract-lanes.ll has the reduced input,
// test/cpu/wide-integers.test a kernel.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <numeric>

using namespace tilewright::codegen;

void workarounds::extractLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    auto *part = cast ? llvm::dyn_cast<llvm::ExtractElementInst>(cast->getOperand(0)) : nullptr;
    auto *lanes = cast ? llvm::dyn_cast<llvm::FixedVectorType>(cast->getType()) : nullptr;
    auto *index = part ? llvm::dyn_cast<llvm::ConstantInt>(part->getIndexOperand()) : nullptr;
    auto *whole =
        part ? llvm::dyn_cast<llvm::FixedVectorType>(part->getVectorOperandType()) : nullptr;
    if (!lanes || !index || !whole || !part->getType()->isIntegerTy() ||
        part->getType()->getIntegerBitWidth() <= 64)
      continue;
    const unsigned count = lanes->getNumElements(), parts = whole->getNumElements();
    if (index->getValue().uge(parts))
      continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Value *all =
        builder.CreateBitCast(part->getVectorOperand(),
                              llvm::FixedVectorType::get(lanes->getElementType(), count * parts));
    llvm::SmallVector<int> mask(count);
    std::iota(mask.begin(), mask.end(), int(index->getZExtValue() * count));
    cast->replaceAllUsesWith(builder.CreateShuffleVector(all, mask));
    cast->eraseFromParent();
  }
}
