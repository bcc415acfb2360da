// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVX-512 float instructions that replace a formula and have no upstream operation. They are
// emitted through LLVM intrinsics.

#ifndef TILEWRIGHT_ELEMENTWISE_INSTRUCTIONS_H
#define TILEWRIGHT_ELEMENTWISE_INSTRUCTIONS_H

#include "tilewright/elementwise/ArithmeticExpression.h"

#include <optional>

namespace tilewright::elementwise {

/// Whether the target has AVX-512 and the value is a vector that fills one or several registers.
bool hasVectorInstructions(const Expression &like);

/// Emits an AVX-512 instruction by its LLVM name (`scalef`), with an immediate operand if it takes
/// one. The result is a vector of the operands' type; none if the target has no such instructions.
std::optional<Expression> vectorInstruction(llvm::StringRef name,
                                            llvm::ArrayRef<Expression> operands,
                                            std::optional<int32_t> immediate = {});

/// Rounds f32 vectors to bf16 patterns by an instruction that treats subnormals as zeros and keeps
/// NaNs; `hasOthers` is an i1 that is true if there are any such lanes. None if the target has no
/// such instruction, or if the vector does not fill its registers.
struct Bf16Rounding {
  Expression patterns;
  mlir::Value hasOthers;
};
std::optional<Bf16Rounding> bf16Rounding(const Expression &single);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_INSTRUCTIONS_H
