// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the operations of an entry (bytecode format, 9).

#ifndef TILEWRIGHT_BYTECODE_READBODY_H
#define TILEWRIGHT_BYTECODE_READBODY_H

#include "tilewright/bytecode/Layout.h"
#include "tilewright/bytecode/ReadAttributes.h"
#include "tilewright/bytecode/ReadDebugInfo.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::bytecode {

/// The data of one opcode: its layout, and MLIR's names, looked up once.
struct KnownOperation {
  const Layout *layout = nullptr;
  std::optional<mlir::OperationName> name;
  llvm::SmallVector<mlir::StringAttr, 4> attributeNames; ///< As in the layout.
};

/// Reads the bodies of all entries of a file.
class BodyReader {
public:
  /// If `markPlaces`, locations are marked with the operations' offsets in the file.
  BodyReader(Input &input, const StringTable &strings, TypeTable &types, ConstantTable &constants,
             AttributeReader &attributes, bool markPlaces);

  /// Reads operations into the one block of `entry` until the end of the cursor.
  void read(Cursor &cursor, tile::EntryOp entry, DebugTable::Row &locations);

  /// `location`, marked with the offset in the file if that is enabled.
  mlir::Location markPlace(mlir::Location location, uint64_t offset, const char *what,
                           llvm::StringRef name);

private:
  void readOperation(Cursor &cursor, mlir::Block &block);
  const KnownOperation *readOpcode(Cursor &cursor);
  void readResults(Cursor &cursor, const Layout &layout);
  uint64_t readFlags(Cursor &cursor, const Layout &layout);
  void readAttributes(Cursor &cursor, const Layout &layout, uint64_t flags);
  mlir::Attribute readAttribute(Cursor &cursor, const tile::FieldRow &field);
  mlir::Attribute readText(Cursor &cursor);
  mlir::Attribute readMember(Cursor &cursor, const tile::FieldRow &field);
  mlir::Attribute readBooleans(Cursor &cursor);
  void readOperands(Cursor &cursor, const Layout &layout, uint64_t flags);
  void readSegment(Cursor &cursor, const Part &part, uint64_t flags);
  void readValue(Cursor &cursor);
  mlir::Operation *create(const KnownOperation &known, mlir::Location location);
  void readRegions(Cursor &cursor, const Layout &layout, mlir::Operation *op);
  void readBlock(Cursor &cursor, mlir::Region &region);

  bool isStored(const tile::FieldRow &field) const { return field.since <= input.version(); }

  Input &input;
  const StringTable &strings;
  TypeTable &types;
  ConstantTable &constants;
  AttributeReader &attributeReader;
  const bool marksPlaces;

  std::vector<KnownOperation> known; ///< By opcode.
  llvm::DenseMap<std::pair<llvm::StringRef, uint64_t>, mlir::Attribute> members;
  uint64_t textBytes = 0; ///< The size of all messages and formats so far.
  mlir::DictionaryAttr noAttributes;
  mlir::StringAttr segmentSizesName;

  // For the entry that is being read.
  tile::EntryOp entry;
  DebugTable::Row *locations = nullptr;
  std::vector<mlir::Value> values; ///< The visible values, by number (9.3).
  unsigned nesting = 0;

  // For the operation that is being read; these buffers are reused.
  llvm::SmallVector<mlir::Type, 4> resultTypes;
  size_t storedResults = 0;
  llvm::SmallVector<mlir::Attribute, 4> attributes; ///< As in the layout; null if absent.
  llvm::SmallVector<mlir::Value, 8> operands;
  llvm::SmallVector<int32_t, 5> segments;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_READBODY_H
