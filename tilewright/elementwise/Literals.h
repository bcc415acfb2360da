// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of constants in generated code.

#ifndef TILEWRIGHT_ELEMENTWISE_LITERALS_H
#define TILEWRIGHT_ELEMENTWISE_LITERALS_H

#include "tilewright/tile/Ops.h"

#include <string>

namespace tilewright::elementwise {

/// The bits of element i in register form.
uint64_t registerBits(tile::ConstantOp op, int64_t i);

/// The bits of an identity as an element; an identity of type f16 may be given for bf16, and vice
/// versa (operations, 4.11).
uint64_t identityBits(mlir::Attribute identity, mlir::Type elementType);

/// All elements, as words of a buffer.
std::string wordsOf(tile::ConstantOp op);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_LITERALS_H
