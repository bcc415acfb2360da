// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions on floats have no upstream operation, and where are they used? Those of
// AVX-512 that replace a formula, through LLVM's intrinsics.

#ifndef TILEWRIGHT_ELEMENTWISE_INSTRUCTIONS_H
#define TILEWRIGHT_ELEMENTWISE_INSTRUCTIONS_H

#include "tilewright/elementwise/ArithmeticExpression.h"

#include <optional>

namespace tilewright::elementwise {

/// Whether the machine has AVX-512, and the value is a vector that fills one or several registers.
bool hasVectorInstructions(const Expression &like);

/// The result of an instruction of AVX-512, by LLVM's name (`scalef`) and with an immediate operand
/// if it takes one. It gives a vector of the type of its operands. None without vector
/// instructions.
std::optional<Expression> vectorInstruction(llvm::StringRef name,
                                            llvm::ArrayRef<Expression> operands,
                                            std::optional<int32_t> immediate = {});

/// The patterns of bf16 nearest to vectors of f32, by an instruction that takes subnormal numbers
/// for zeros and leaves NaNs as they are; and whether there are such ones, an i1. None without the
/// instruction, or where registers are not full.
struct Bf16Rounding {
  Expression patterns;
  mlir::Value hasOthers;
};
std::optional<Bf16Rounding> bf16Rounding(const Expression &single);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_INSTRUCTIONS_H
