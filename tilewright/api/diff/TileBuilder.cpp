// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TileBuilder.h.

#include "tilewright/api/diff/TileBuilder.h"
#include "tilewright/lower/Simplify.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Value;
using tile::TileType;

//===-- Scalars -----------------------------------------------------------------------------===//

Value TileBuilder::i32(int64_t value) {
  const TileType type = i32Type();
  return tile::ConstantOp::create(
      *this, location, type,
      mlir::DenseElementsAttr::get(type, llvm::APInt(32, uint64_t(value), /*isSigned=*/false,
                                                     /*implicitTrunc=*/true)));
}

Value TileBuilder::toI32(Value number) {
  const unsigned bits =
      llvm::cast<TileType>(number.getType()).getElementType().getIntOrFloatBitWidth();
  if (bits > 32)
    return tile::TruncIOp::create(*this, location, i32Type(), number);
  if (bits < 32)
    return tile::ExtIOp::create(*this, location, i32Type(), number, tile::Signedness::Unsigned);
  return number;
}

Value TileBuilder::add(Value lhs, Value rhs) {
  return tile::AddIOp::create(*this, location, lhs.getType(), lhs, rhs);
}

Value TileBuilder::mul(Value lhs, Value rhs) {
  return tile::MulIOp::create(*this, location, lhs.getType(), lhs, rhs);
}

Value TileBuilder::isBelow(Value number, int64_t bound) {
  return tile::CmpIOp::create(*this, location, TileType::get({}, getI1Type()),
                              tile::ComparisonPredicate::LessThan, number, i32(bound),
                              tile::Signedness::Unsigned);
}

Value TileBuilder::splat(Value scalar, llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return scalar;
  mlir::Type element = llvm::cast<TileType>(scalar.getType()).getElementType();
  return lower::repeatOver(TileType::get(shape, element), scalar, location, *this);
}

//===-- Memory ------------------------------------------------------------------------------===//

Value TileBuilder::pointersFrom(Value pointer, llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return pointer;
  const auto type = TileType::get(shape, getI32Type());
  Value numbers =
      tile::IotaOp::create(*this, location, TileType::get({type.getNumElements()}, getI32Type()));
  if (shape.size() > 1)
    numbers = tile::ReshapeOp::create(*this, location, type, numbers);
  Value first = splat(pointer, shape);
  return tile::OffsetOp::create(*this, location, first.getType(), first, numbers);
}

mlir::Operation *TileBuilder::store(Value pointer, Value value) {
  Value pointers = pointersFrom(pointer, llvm::cast<TileType>(value.getType()).getShape());
  return tile::StorePtrOp::create(*this, location, tile::TokenType::get(getContext()),
                                  tile::MemoryOrderingSemantics::Weak, tile::MemoryScopeAttr(),
                                  pointers, value, Value(), Value(), tile::OptimizationHintsAttr());
}

Value TileBuilder::load(Value pointer, TileType type) {
  return tile::LoadPtrOp::create(*this, location, type, tile::TokenType::get(getContext()),
                                 tile::MemoryOrderingSemantics::Weak, tile::MemoryScopeAttr(),
                                 pointersFrom(pointer, type.getShape()), Value(), Value(), Value(),
                                 tile::OptimizationHintsAttr())
      .getResult();
}

Value TileBuilder::addParameter(tile::EntryOp entry, numerics::Format format) {
  return addParameter(
      entry, TileType::get({}, tile::PointerType::get(tile::typeOf(format, getContext()))));
}

Value TileBuilder::addParameter(tile::EntryOp entry, TileType type) {
  llvm::SmallVector<mlir::Type> types(entry.getArgumentTypes());
  types.push_back(type);
  entry.setFunctionType(getFunctionType(types, {}));
  if (mlir::ArrayAttr attributes = entry.getArgAttrsAttr()) {
    llvm::SmallVector<mlir::Attribute> all(attributes.getValue());
    all.push_back(getDictionaryAttr({}));
    entry.setArgAttrsAttr(getArrayAttr(all));
  }
  return entry.getBody().addArgument(type, entry.getLoc());
}
