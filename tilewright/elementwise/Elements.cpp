// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Elements.h.

#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/types/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tilewright;
using mlir::Type;
using mlir::Value;
using numerics::Format;

Type elementwise::registerType(Format format, mlir::MLIRContext *context) {
  switch (format) {
  case Format::TF32:
  case Format::F32:
    return mlir::Float32Type::get(context);
  case Format::F64:
    return mlir::Float64Type::get(context);
  default: {
    // Other floats are bit patterns; f4E2M1FN takes a byte.
    const numerics::FormatInfo &facts = numerics::info(format);
    return mlir::IntegerType::get(context, facts.isFloat() && facts.bits < 8 ? 8 : facts.bits);
  }
  }
}

Type elementwise::registerType(Type elementType) {
  return registerType(*tile::formatOf(elementType), elementType.getContext());
}

Type elementwise::wordType(Type elementType) {
  Type type = registerType(elementType);
  return type.getIntOrFloatBitWidth() < 8 ? mlir::IntegerType::get(type.getContext(), 8) : type;
}

int64_t elementwise::wordBytes(Type elementType) {
  return wordType(elementType).getIntOrFloatBitWidth() / 8;
}

Type elementwise::shapedLike(Type scalar, Type like) {
  auto vector = llvm::dyn_cast<mlir::VectorType>(like);
  return vector ? Type(mlir::VectorType::get(vector.getShape(), scalar)) : scalar;
}

Value elementwise::toWord(mlir::OpBuilder &builder, mlir::Location loc, Value value) {
  if (mlir::getElementTypeOrSelf(value).getIntOrFloatBitWidth() >= 8)
    return value;
  return mlir::arith::ExtUIOp::create(builder, loc,
                                      shapedLike(builder.getI8Type(), value.getType()), value);
}

Value elementwise::fromWord(mlir::OpBuilder &builder, mlir::Location loc, Value word,
                            Type elementType) {
  Type type = registerType(elementType);
  if (type.getIntOrFloatBitWidth() >= 8)
    return word;
  return mlir::arith::TruncIOp::create(builder, loc, shapedLike(type, word.getType()), word);
}

mlir::Value elementwise::conjunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                                     mlir::Value b) {
  return a && b ? mlir::arith::AndIOp::create(builder, loc, a, b).getResult() : a ? a : b;
}

Value elementwise::fromMemory(mlir::OpBuilder &builder, mlir::Location loc, Value word,
                              Type elementType) {
  if (elementType.isInteger(1))
    return mlir::arith::CmpIOp::create(builder, loc, mlir::arith::CmpIPredicate::ne, word,
                                       constantBits(builder, loc, word.getType(), 0));
  if (!llvm::isa<mlir::FloatTF32Type>(elementType))
    return fromWord(builder, loc, word, elementType);
  Type bits = shapedLike(builder.getI32Type(), word.getType());
  Value kept = mlir::arith::BitcastOp::create(builder, loc, bits, word);
  kept =
      mlir::arith::AndIOp::create(builder, loc, kept, constantBits(builder, loc, bits, 0xFFFFE000));
  return mlir::arith::BitcastOp::create(builder, loc, word.getType(), kept);
}

uint64_t elementwise::registerBits(Type elementType, uint64_t bits) {
  return llvm::isa<mlir::FloatTF32Type>(elementType) ? bits << 13 : bits;
}

Value elementwise::constantBits(mlir::OpBuilder &builder, mlir::Location loc, Type type,
                                uint64_t value) {
  Type scalar = mlir::getElementTypeOrSelf(type);
  mlir::TypedAttr attribute;
  if (auto floating = llvm::dyn_cast<mlir::FloatType>(scalar))
    attribute = mlir::FloatAttr::get(
        floating, llvm::APFloat(floating.getFloatSemantics(),
                                llvm::APInt(floating.getWidth(), value, false, true)));
  else
    attribute = mlir::IntegerAttr::get(
        scalar, llvm::APInt(scalar.getIntOrFloatBitWidth(), value, false, true));
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    attribute = mlir::DenseElementsAttr::get(vector, mlir::Attribute(attribute));
  return mlir::arith::ConstantOp::create(builder, loc, attribute);
}
