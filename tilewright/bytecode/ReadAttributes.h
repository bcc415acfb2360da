// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that say themselves what they are, and hints (bytecode format, 10.2 and 10.3).

#ifndef TILEWRIGHT_BYTECODE_READATTRIBUTES_H
#define TILEWRIGHT_BYTECODE_READATTRIBUTES_H

#include "tilewright/bytecode/Tables.h"

namespace tilewright::bytecode {

class AttributeReader {
public:
  AttributeReader(Input &input, const StringTable &strings, TypeTable &types)
      : input(input), strings(strings), types(types) {}

  /// A tag and what it announces; null, and reported, if something is wrong.
  mlir::Attribute readTagged(Cursor &cursor);
  /// An array of numbers, booleans and strings, without a tag.
  mlir::ArrayAttr readTypedArray(Cursor &cursor);
  /// Hints without a tag.
  tile::OptimizationHintsAttr readHints(Cursor &cursor);
  /// Hints with their tag.
  tile::OptimizationHintsAttr readTaggedHints(Cursor &cursor);
  /// What 13.5 says of the arguments of an entry, which is nothing so far: no keys are known.
  void readArgumentAttributes(Cursor &cursor);
  /// The predicate of an `assume`, with its tag.
  tile::AssumePredicate readPredicate(Cursor &cursor);

private:
  mlir::Attribute readInteger(Cursor &cursor);
  mlir::Attribute readFloat(Cursor &cursor);
  mlir::ArrayAttr readArray(Cursor &cursor);
  mlir::DictionaryAttr readDictionary(Cursor &cursor);
  void readArgumentDictionary(Cursor &cursor);
  tile::DivByAttr readDivBy(Cursor &cursor);
  tile::SameElementsAttr readSameElements(Cursor &cursor);
  tile::BoundedAttr readBounded(Cursor &cursor);
  uint8_t readPresence(Cursor &cursor, const char *what);

  Input &input;
  const StringTable &strings;
  TypeTable &types;
  unsigned nesting = 0;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_READATTRIBUTES_H
