// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The representation of elements in generated code. In register form, an element is a scalar or a
// vector lane of the type that the processor computes with: i1 to i64, f32 and f64 as such, tf32 as
// an f32, and a pointer as an i64. Other floats are bit patterns in an integer, because no
// processor supports all of them, and LLVM's lowering of bf16 flushes subnormals on some. In a
// tile's buffer, an element is a word: the register form, with a whole byte for i1 and i4.

#ifndef TILEWRIGHT_ELEMENTWISE_ELEMENTS_H
#define TILEWRIGHT_ELEMENTWISE_ELEMENTS_H

#include "mlir/IR/Builders.h"
#include "tilewright/numerics/Format.h"

namespace tilewright::elementwise {

/// The scalar register type of an element of this type (or format).
mlir::Type registerType(mlir::Type elementType);
mlir::Type registerType(numerics::Format format, mlir::MLIRContext *context);

/// The scalar type of an element's word in a buffer, and the size of that word.
mlir::Type wordType(mlir::Type elementType);
int64_t wordBytes(mlir::Type elementType);

/// `scalar`, or a vector of it with as many lanes as `like`.
mlir::Type shapedLike(mlir::Type scalar, mlir::Type like);

/// Convert between register form and words. Types are scalars or vectors.
mlir::Value toWord(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromWord(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                     mlir::Type elementType);

/// The register form of a word in an array: every nonzero byte is a true i1, and the unused bits of
/// a tf32 are arbitrary (types, 2.3).
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                       mlir::Type elementType);

/// The bits of an element in register form: a tf32 uses the upper 19 bits of an f32.
uint64_t registerBits(mlir::Type elementType, uint64_t bits);

/// The conjunction of two conditions, or of two masks with the same number of lanes; null means
/// always true.
mlir::Value conjunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b);

/// A constant of this type, in all lanes. Floats have the bit pattern `value`.
mlir::Value constantBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                         uint64_t value);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ELEMENTS_H
