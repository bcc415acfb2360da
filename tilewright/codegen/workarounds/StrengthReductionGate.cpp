// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symptom: straight-line strength reduction (slsr), with which LLVM's code generator for GPUs
// begins, takes time that is quadratic in the number of sums, products and addresses of a
// function: it compares each with the earlier ones that dominate it. 100,000 in one block take
// half an hour.
//
// Seen in: LLVM 22.1.8, NVPTX.
//
// Avoided: the pass is left out where there are more of them than tiles in registers need.
//
// Tests: test/codegen/workarounds/strength-reduction.test. bench/compile_time.py measures the
// limit.

#include "tilewright/codegen/workarounds/Workarounds.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace tilewright::codegen;

static constexpr ptrdiff_t mostCompared = 1700;

static bool isCompared(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::GetElementPtr:
    return true;
  default:
    return false;
  }
}

workarounds::StrengthReductionGate::StrengthReductionGate(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    hasTooMany |= llvm::count_if(llvm::instructions(function), isCompared) > mostCompared;
}
