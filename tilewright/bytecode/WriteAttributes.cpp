// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteAttributes.h.

#include "tilewright/bytecode/WriteAttributes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

static void writeTag(AttributeTag tag, Bytes &out) { out.varint(uint64_t(tag)); }

static void writeDivBy(tile::DivByAttr attr, Bytes &out) {
  writeTag(AttributeTag::DivBy, out);
  out.varint(attr.getDivisor());
  out.byte((attr.getEvery() ? HasFirst : 0) | (attr.getAlong() ? HasSecond : 0));
  if (attr.getEvery())
    out.svarint(*attr.getEvery());
  if (attr.getAlong())
    out.svarint(*attr.getAlong());
}

static void writeBounded(tile::BoundedAttr attr, Bytes &out) {
  writeTag(AttributeTag::Bounded, out);
  out.byte((attr.getLb() ? HasFirst : 0) | (attr.getUb() ? HasSecond : 0));
  if (attr.getLb())
    out.svarint(*attr.getLb());
  if (attr.getUb())
    out.svarint(*attr.getUb());
}

LogicalResult AttributeWriter::writeTagged(Operation *op, Attribute attribute, Bytes &out) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](IntegerAttr attr) { return writeInteger(op, attr, out); })
      .Case([&](FloatAttr attr) { return writeFloat(op, attr, out); })
      .Case([&](TypeAttr attr) {
        writeTag(AttributeTag::Type, out);
        return writeType(op, attr.getValue(), out);
      })
      .Case([&](StringAttr attr) {
        writeTag(AttributeTag::String, out);
        out.varint(strings.indexOf(attr.getValue()));
        return success();
      })
      .Case([&](ArrayAttr attr) {
        writeTag(AttributeTag::Array, out);
        return writeArray(op, attr, out);
      })
      .Case([&](DictionaryAttr attr) {
        writeTag(AttributeTag::Dictionary, out);
        return writeDictionary(op, attr, out);
      })
      .Case([&](tile::OptimizationHintsAttr attr) {
        writeTag(AttributeTag::OptimizationHints, out);
        return writeHints(op, attr, out);
      })
      .Case([&](tile::DivByAttr attr) {
        writeDivBy(attr, out);
        return success();
      })
      .Case([&](tile::BoundedAttr attr) {
        writeBounded(attr, out);
        return success();
      })
      .Case([&](tile::SameElementsAttr attr) {
        writeTag(AttributeTag::SameElements, out);
        out.numbers(attr.getValues());
        return success();
      })
      .Default([&](Attribute attr) {
        return op->emitError("bytecode cannot hold the attribute ") << attr;
      });
}

LogicalResult AttributeWriter::writeType(Operation *op, Type type, Bytes &out) {
  std::optional<uint32_t> index = types.indexOf(type);
  if (!index)
    return op->emitError("bytecode cannot hold the type ") << type;
  out.varint(*index);
  return success();
}

/// The format has no signed integer types: `si8` is written as `i8`.
static Type withoutSign(Type type) {
  return type.isInteger() ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth())
                          : type;
}

/// The value is zero-extended, whatever its sign; booleans are integers of one bit.
LogicalResult AttributeWriter::writeInteger(Operation *op, IntegerAttr value, Bytes &out) {
  writeTag(AttributeTag::Integer, out);
  if (failed(writeType(op, withoutSign(value.getType()), out)))
    return failure();
  out.varint(value.getValue().getZExtValue());
  return success();
}

LogicalResult AttributeWriter::writeFloat(Operation *op, FloatAttr value, Bytes &out) {
  writeTag(AttributeTag::Float, out);
  if (failed(writeType(op, value.getType(), out)))
    return failure();
  APInt pattern = value.getValue().bitcastToAPInt();
  if (pattern.getBitWidth() <= 8)
    out.byte(pattern.getZExtValue());
  else
    out.svarint(int64_t(pattern.getZExtValue()));
  return success();
}

LogicalResult AttributeWriter::writeArray(Operation *op, ArrayAttr array, Bytes &out) {
  out.varint(array.size());
  for (Attribute element : array)
    if (failed(writeTagged(op, element, out)))
      return failure();
  return success();
}

/// Dictionaries are sorted by key.
LogicalResult AttributeWriter::writeDictionary(Operation *op, DictionaryAttr dictionary,
                                               Bytes &out) {
  out.varint(dictionary.size());
  for (NamedAttribute entry : dictionary) {
    out.varint(strings.indexOf(entry.getName().getValue()));
    if (failed(writeTagged(op, entry.getValue(), out)))
      return failure();
  }
  return success();
}
