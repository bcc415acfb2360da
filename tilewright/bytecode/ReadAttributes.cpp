// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadAttributes.h.

#include "tilewright/bytecode/ReadAttributes.h"
#include "tilewright/bytecode/Tags.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

Attribute AttributeReader::readTagged(Cursor &cursor) {
  if (nesting == maxNesting)
    cursor.fail("attributes are nested deeper than " + Twine(maxNesting) + " levels");
  uint64_t tag = cursor.varint("the tag of an attribute");
  if (!cursor.ok())
    return {};
  ++nesting;
  llvm::scope_exit leave([&] { --nesting; });
  switch (tag) {
  case uint64_t(AttributeTag::Integer):
    return readInteger(cursor);
  case uint64_t(AttributeTag::Float):
    return readFloat(cursor);
  case uint64_t(AttributeTag::Bool):
    return BoolAttr::get(input.context, cursor.byte("a boolean") != 0);
  case uint64_t(AttributeTag::Type): {
    Type type = types.read(cursor, "a type attribute");
    return type ? TypeAttr::get(type) : TypeAttr();
  }
  case uint64_t(AttributeTag::String):
    return StringAttr::get(input.context, strings.read(cursor, "a string attribute"));
  case uint64_t(AttributeTag::Array):
    return readArray(cursor);
  case uint64_t(AttributeTag::DivBy):
    return readDivBy(cursor);
  case uint64_t(AttributeTag::SameElements):
    return readSameElements(cursor);
  case uint64_t(AttributeTag::Dictionary):
    return readDictionary(cursor);
  case uint64_t(AttributeTag::OptimizationHints):
    return readHints(cursor);
  case uint64_t(AttributeTag::Bounded):
    return readBounded(cursor);
  case uint64_t(AttributeTag::DenseElements):
    cursor.fail("attributes of tag 7 (dense elements) are not supported; nobody writes them");
    return {};
  default:
    cursor.fail("there is no attribute with tag " + Twine(tag));
    return {};
  }
}

//===-- Numbers -----------------------------------------------------------------------------===//

Attribute AttributeReader::readInteger(Cursor &cursor) {
  auto type = types.readAs<IntegerType>(cursor, "the type of an integer", "an integer type");
  if (!type)
    return {};
  unsigned width = type.getWidth();
  uint64_t value = width == 1 ? cursor.byte("a boolean") != 0 : cursor.varint("an integer");
  if (cursor.ok() && !llvm::isUIntN(width, value))
    cursor.fail("the integer " + Twine(value) + " has more than " + Twine(width) + " bits");
  return cursor.ok() ? IntegerAttr::get(type, APInt(width, value)) : Attribute();
}

/// Reads the bit pattern of a float of more than 8 bits: zig-zag (1.3), or the 65 bits that one
/// writer emits for a negative f64; no zig-zag number has such a last byte (17, item 4). They are
/// twice the pattern, so an odd number cannot be one of them.
static uint64_t readPattern(Cursor &cursor, unsigned width) {
  Cursor ahead = cursor;
  ArrayRef<uint8_t> bytes = ahead.varintBytes("a float");
  bool isTwice = width == 64 && bytes.size() == 10 && (bytes.back() == 2 || bytes.back() == 3) &&
                 bytes.front() % 2 == 0;
  if (!isTwice)
    return cursor.svarint("a float");
  cursor = ahead;
  uint64_t pattern = uint64_t(1) << 63; // 64 bits of the number divided by two
  for (auto [i, byte] : llvm::enumerate(bytes.drop_back()))
    pattern |= i == 0 ? (byte & 0x7F) >> 1 : uint64_t(byte & 0x7F) << (7 * i - 1);
  return pattern | uint64_t(bytes.back() & 1) << 62;
}

Attribute AttributeReader::readFloat(Cursor &cursor) {
  auto type = types.readAs<FloatType>(cursor, "the type of a float", "a float type");
  if (!type)
    return {};
  unsigned width = type.getWidth();
  uint64_t pattern = width <= 8 ? cursor.byte("a float") : readPattern(cursor, width);
  if (cursor.ok() && !llvm::isUIntN(width, pattern))
    cursor.fail("the bit pattern of the float has more than " + Twine(width) + " bits");
  if (!cursor.ok())
    return {};
  return FloatAttr::get(type, APFloat(type.getFloatSemantics(), APInt(width, pattern)));
}

//===-- Arrays and dictionaries -------------------------------------------------------------===//

ArrayAttr AttributeReader::readArray(Cursor &cursor) {
  size_t count = cursor.count("the size of an array");
  SmallVector<Attribute> elements;
  for (size_t i = 0; i < count && cursor.ok(); ++i)
    elements.push_back(readTagged(cursor));
  return cursor.ok() ? ArrayAttr::get(input.context, elements) : ArrayAttr();
}

ArrayAttr AttributeReader::readTypedArray(Cursor &cursor) {
  uint64_t start = cursor.offset();
  ArrayAttr array = readArray(cursor);
  if (array && !llvm::all_of(array, llvm::IsaPred<IntegerAttr, FloatAttr, StringAttr>)) {
    cursor.failAt(start, "the array must hold integers, floats, booleans or strings only");
    return {};
  }
  return array;
}

DictionaryAttr AttributeReader::readDictionary(Cursor &cursor) {
  size_t count = cursor.count("the size of a dictionary", /*bytesEach=*/2);
  uint64_t start = cursor.itemOffset();
  SmallVector<NamedAttribute> entries;
  for (size_t i = 0; i < count && cursor.ok(); ++i) {
    StringRef key = strings.readName(cursor, "the key of a dictionary");
    Attribute value = readTagged(cursor);
    if (cursor.ok())
      entries.emplace_back(StringAttr::get(input.context, key), value);
  }
  if (!cursor.ok())
    return {};
  if (auto twice = DictionaryAttr::findDuplicate(entries, /*isSorted=*/false)) {
    cursor.failAt(start, "the dictionary has the key '" + twice->getName().getValue() +
                             "' more than once");
    return {};
  }
  return DictionaryAttr::get(input.context, entries);
}

tile::OptimizationHintsAttr AttributeReader::readHints(Cursor &cursor) {
  uint64_t start = cursor.offset();
  DictionaryAttr targets = readDictionary(cursor);
  if (!targets)
    return {};
  for (NamedAttribute target : targets)
    if (!isa<DictionaryAttr>(target.getValue())) {
      cursor.failAt(start,
                    "the hints for target '" + target.getName().getValue() + "' are no dictionary");
      return {};
    }
  return tile::OptimizationHintsAttr::get(input.context, targets);
}

tile::OptimizationHintsAttr AttributeReader::readTaggedHints(Cursor &cursor) {
  uint64_t tag = cursor.varint("the tag of the optimization hints");
  if (cursor.ok() && tag != uint64_t(AttributeTag::OptimizationHints))
    cursor.fail("the optimization hints have tag " + Twine(tag) + ", but must have 11");
  return cursor.ok() ? readHints(cursor) : tile::OptimizationHintsAttr();
}

void AttributeReader::readArgumentAttributes(Cursor &cursor) {
  uint64_t tag = cursor.varint("the tag of the argument attributes");
  if (cursor.ok() && tag != uint64_t(AttributeTag::Array))
    cursor.fail("the argument attributes have tag " + Twine(tag) + ", but must have 6");
  size_t count = cursor.count("the number of argument attributes", /*bytesEach=*/2);
  for (size_t i = 0; i < count && cursor.ok(); ++i)
    readArgumentDictionary(cursor);
}

/// No keys are defined yet.
void AttributeReader::readArgumentDictionary(Cursor &cursor) {
  uint64_t tag = cursor.varint("the tag of an argument attribute");
  if (cursor.ok() && tag != uint64_t(AttributeTag::Dictionary))
    cursor.fail("an argument attribute has tag " + Twine(tag) + ", but must have 10");
  if (cursor.count("the size of a dictionary", /*bytesEach=*/2) == 0 || !cursor.ok())
    return;
  StringRef key = strings.readName(cursor, "the key of a dictionary");
  if (cursor.ok())
    cursor.fail("there is no argument attribute '" + key + "'");
}

//===-- Assume predicates -------------------------------------------------------------------===//

tile::AssumePredicate AttributeReader::readPredicate(Cursor &cursor) {
  uint64_t start = cursor.offset();
  Attribute attribute = readTagged(cursor);
  auto predicate = dyn_cast_if_present<tile::AssumePredicate>(attribute);
  if (attribute && !predicate)
    cursor.failAt(start, "the predicate must be of tag 8 (div_by), 9 (same_elements) or 12 "
                         "(bounded)");
  return predicate;
}

/// Reads which of two optional numbers follow.
uint8_t AttributeReader::readPresence(Cursor &cursor, const char *what) {
  uint8_t flags = cursor.byte(what);
  if (flags & ~(HasFirst | HasSecond))
    cursor.fail(Twine(what) + " are " + Twine(unsigned(flags)) + ", but only two are known");
  return flags;
}

tile::DivByAttr AttributeReader::readDivBy(Cursor &cursor) {
  uint64_t divisor = cursor.varint("a divisor");
  uint8_t flags = readPresence(cursor, "the flags of a div_by");
  std::optional<int64_t> every, along;
  if (flags & HasFirst)
    every = cursor.svarint("'every' of a div_by");
  if (flags & HasSecond)
    along = cursor.svarint("'along' of a div_by");
  return cursor.ok() ? tile::DivByAttr::get(input.context, divisor, every, along)
                     : tile::DivByAttr();
}

tile::BoundedAttr AttributeReader::readBounded(Cursor &cursor) {
  uint8_t flags = readPresence(cursor, "the flags of a bounded");
  std::optional<int64_t> lower, upper;
  if (flags & HasFirst)
    lower = cursor.svarint("a lower bound");
  if (flags & HasSecond)
    upper = cursor.svarint("an upper bound");
  return cursor.ok() ? tile::BoundedAttr::get(input.context, lower, upper) : tile::BoundedAttr();
}

tile::SameElementsAttr AttributeReader::readSameElements(Cursor &cursor) {
  auto values = cursor.numbers<int64_t>("the rank of same_elements");
  for (int64_t value : values)
    if (value == std::numeric_limits<int64_t>::min() ||
        value == std::numeric_limits<int64_t>::max())
      cursor.fail("same_elements has the forbidden value " + Twine(value));
  return cursor.ok() ? tile::SameElementsAttr::get(input.context, values)
                     : tile::SameElementsAttr();
}
