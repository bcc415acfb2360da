// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In what form does an element travel through generated code? In a register it is a
// value of the type that the machine computes with, scalar or a vector of lanes: i1 to
// i64, f32 and f64 as they are, tf32 as the f32 of the same value, a pointer as i64. Other
// floats are the pattern of their bits, in an integer: no machine has all of them, and
// what LLVM makes of bf16 flushes subnormals on some. In a tile's buffer an element is a
// word: the register form, with a whole byte for i1 and i4.

#ifndef TILEWRIGHT_ELEMENTWISE_ELEMENTS_H
#define TILEWRIGHT_ELEMENTWISE_ELEMENTS_H

#include "mlir/IR/Builders.h"
#include "tilewright/numerics/Format.h"

namespace tilewright::elementwise {

/// The scalar type of an element of this type (or format) in a register.
mlir::Type registerType(mlir::Type elementType);
mlir::Type registerType(numerics::Format format, mlir::MLIRContext *context);

/// The scalar type of its word in a buffer, and that word's size.
mlir::Type wordType(mlir::Type elementType);
int64_t wordBytes(mlir::Type elementType);

/// `scalar`, or a vector of as many lanes as `like` has.
mlir::Type shapedLike(mlir::Type scalar, mlir::Type like);

/// A register form in a register that is as wide as the word, and back. Types are scalars or
/// vectors.
mlir::Value toWord(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromWord(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                     mlir::Type elementType);

/// The register form of a word of an array: any byte but 0 is a true i1, and a tf32 may have
/// anything in its unused bits (types, 2.3).
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                       mlir::Type elementType);

/// The bits of an element in register form: a tf32 is in the upper 19 bits of an f32.
uint64_t registerBits(mlir::Type elementType, uint64_t bits);

/// Both of two conditions, or masks of as many lanes; null holds always.
mlir::Value conjunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b);

/// A constant of this type, scalar or in all lanes. Floats take the bits of `value`.
mlir::Value constantBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                         uint64_t value);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ELEMENTS_H
