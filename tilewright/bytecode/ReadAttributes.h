// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads self-contained attributes and hints (bytecode format, 10.2 and 10.3).

#ifndef TILEWRIGHT_BYTECODE_READATTRIBUTES_H
#define TILEWRIGHT_BYTECODE_READATTRIBUTES_H

#include "tilewright/bytecode/Tables.h"

namespace tilewright::bytecode {

class AttributeReader {
public:
  AttributeReader(Input &input, const StringTable &strings, TypeTable &types)
      : input(input), strings(strings), types(types) {}

  /// Reads a tag and the attribute; null after an error, which is reported.
  mlir::Attribute readTagged(Cursor &cursor);
  /// An untagged array of numbers, booleans and strings.
  mlir::ArrayAttr readTypedArray(Cursor &cursor);
  /// Hints without a tag.
  tile::OptimizationHintsAttr readHints(Cursor &cursor);
  /// Hints with their tag.
  tile::OptimizationHintsAttr readTaggedHints(Cursor &cursor);
  /// The argument attributes of an entry (13.5). No keys are defined yet.
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
