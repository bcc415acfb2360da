// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: for AVX-512, a masked store of truncated elements whose constant mask enables one lane
// stores the element before truncation, and overwrites its neighbour.
//
// Seen in: LLVM 22.1.8, x86. It looks like llvm/llvm-project#179489.
//
// Avoided: a masked store that enables one lane becomes a scalar store of that element.
//
// Tests: test/codegen/workarounds/store-single-lanes.ll has the reduced input, test/cpu/edges.test
// a kernel.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace tilewright::codegen;

/// The only lane that a constant mask selects; none if there are others, or not known.
static std::optional<unsigned> onlyLane(const llvm::Constant *mask) {
  std::optional<unsigned> only;
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto *bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(mask->getAggregateElement(lane));
    if (!bit || (bit->isOne() && only))
      return std::nullopt;
    if (bit->isOne())
      only = lane;
  }
  return only;
}

void workarounds::storeSingleLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
      continue;
    auto *mask = llvm::dyn_cast<llvm::Constant>(store->getArgOperand(store->arg_size() - 1));
    std::optional<unsigned> lane = mask ? onlyLane(mask) : std::nullopt;
    if (!lane)
      continue;
    llvm::IRBuilder<> builder(store);
    llvm::Value *element = builder.CreateExtractElement(store->getArgOperand(0), *lane);
    llvm::Value *address =
        builder.CreateConstGEP1_32(element->getType(), store->getArgOperand(1), *lane);
    builder.CreateAlignedStore(element, address, llvm::Align(1));
    store->eraseFromParent();
  }
}
