// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes the entries of the constant section into elements (bytecode format, 5). An entry has no
// type; its length shows whether it holds one element for all, or each.

#include "tilewright/bytecode/Tables.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "elements are taken from the file as they are");

ConstantTable::ConstantTable(Input &input) : input(input) {
  Cursor cursor = input.open(SectionId::Constant);
  if (!cursor.atEnd())
    entries.read(cursor, "the number of constants");
  // Allows each constant to be used with a few types. Without a bound, a small file could need
  // memory quadratic in its size.
  constexpr uint64_t uses = 16, slack = 1 << 20;
  budget = uses * input.file.size + slack;
}

DenseElementsAttr ConstantTable::read(Cursor &cursor, tile::TileType type) {
  uint64_t index = cursor.varint("the constant");
  if (cursor.ok() && index >= entries.size())
    cursor.fail("the value is constant " + Twine(index) + ", but there are " +
                Twine(entries.size()));
  if (!cursor.ok())
    return {};
  auto [entry, isNew] = constants.try_emplace({index, type});
  if (isNew)
    entry->second = decode(index, type);
  return entry->second;
}

/// Decodes the elements of an i1 tile in either of the two forms (5.1); empty if it is neither.
static SmallVector<bool> readBooleans(ArrayRef<uint8_t> raw, size_t elements) {
  auto all = [](bool value) { return SmallVector<bool>(1, value); };
  if (raw.size() == 1 && (raw[0] == 0x00 || raw[0] == 0xFF))
    return all(raw[0]);
  if (raw.size() == 1 && elements == 1)
    return all(true);
  if (raw.size() == 1 && elements > 8)
    return raw[0] == 0x01 ? all(true) : SmallVector<bool>();
  SmallVector<bool> values;
  if (raw.size() == elements)
    for (uint8_t byte : raw)
      values.push_back(byte != 0);
  else if (raw.size() == llvm::divideCeil(elements, 8))
    for (size_t i = 0; i < elements; ++i)
      values.push_back(raw[i / 8] >> (i % 8) & 1);
  return values;
}

/// Whether the bits that the format does not use are zero in every element.
static bool unusedBitsAreZero(ArrayRef<uint8_t> raw, size_t bits, size_t bytes) {
  if (bits == bytes * 8)
    return true;
  for (size_t top = bytes - 1; top < raw.size(); top += bytes)
    if (raw[top] >> (bits % 8))
      return false;
  return true;
}

DenseElementsAttr ConstantTable::decode(size_t index, tile::TileType type) {
  Cursor cursor = input.open(SectionId::Constant, entries.entry(index), entries.fileOffset(index));
  uint64_t size = cursor.count("the size of a constant");
  uint64_t sizeOffset = cursor.itemOffset();
  ArrayRef<uint8_t> raw = cursor.take(size, "a constant");
  cursor.expectEnd("in the entry of a constant");
  Type element = type.getElementType();
  if (cursor.ok() && (!tile::isNumber(element)))
    cursor.failAt(sizeOffset, "constants have elements of numbers, not of type '" +
                                  Twine(numerics::info(*tile::formatOf(element)).spelling) + "'");
  if (!cursor.ok())
    return {};

  uint64_t elements = type.getNumElements();
  size_t bits = element.getIntOrFloatBitWidth(), bytes = llvm::divideCeil(bits, 8);
  auto fail = [&](const Twine &what) {
    cursor.failAt(sizeOffset, what);
    return DenseElementsAttr();
  };
  if (raw.size() > budget)
    return fail("constants are used with so many types that they would take more than 16 times "
                "the size of the file");
  budget -= raw.size();
  if (element.isInteger(1)) {
    SmallVector<bool> values = readBooleans(raw, elements);
    if (values.empty())
      return fail(Twine(raw.size()) + " bytes cannot hold " + Twine(elements) + " booleans" +
                  (raw.size() == 1 ? " that are not all equal" : ""));
    return DenseElementsAttr::get(type, values);
  }
  if (raw.size() != bytes && raw.size() != elements * bytes)
    return fail("a constant of " + Twine(elements) + " elements takes " + Twine(bytes) +
                (elements == 1 ? "" : " bytes (all equal) or " + Twine(elements * bytes)) +
                " bytes, but has " + Twine(raw.size()));
  if (!unusedBitsAreZero(raw, bits, bytes))
    return fail("an element of the constant has more than " + Twine(bits) + " bits");
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef(reinterpret_cast<const char *>(raw.data()), raw.size()));
}
