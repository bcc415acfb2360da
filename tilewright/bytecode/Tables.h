// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections that others point into by number: strings, types, constants (bytecode format,
// 3 to 5). Entries are decoded when they are first asked for, so what nobody uses costs
// nothing. An index comes with the cursor that read it, which reports what is wrong with it.

#ifndef TILEWRIGHT_BYTECODE_TABLES_H
#define TILEWRIGHT_BYTECODE_TABLES_H

#include "tilewright/bytecode/Cursor.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::bytecode {

/// What all parts of a reader share.
struct Input {
  const File &file;
  mlir::MLIRContext *context;
  Problem problem;
  /// Of the operation in which the problem was found, if it was in one.
  std::optional<mlir::Location> problemLocation = std::nullopt;

  tile::Version version() const { return file.version; }
  /// Over the payload of a section; over nothing if the file has none.
  Cursor open(SectionId id);
  Cursor open(SectionId id, llvm::ArrayRef<uint8_t> bytes, uint64_t fileOffset) {
    return Cursor(bytes, fileOffset, nameOf(id), problem);
  }
};

/// No sane program nests regions, attributes, types or scopes deeper than this.
inline constexpr unsigned maxNesting = 256;

/// Nor has a tile or view this many dimensions: a shape is one word of text, of 4,096 letters
/// at most. Operations look at all extents of their types, however small they are themselves.
inline constexpr size_t maxRank = 2048;

/// A count, padding, and that many numbers. An empty list at the end of a payload needs no
/// padding.
template <typename Number>
std::vector<Number> readNumbers(Cursor &cursor, const char *countName, const char *name) {
  size_t count = cursor.count(countName, sizeof(Number));
  if (count || cursor.remaining() >= cursor.paddingTo(sizeof(Number)))
    cursor.align(sizeof(Number));
  std::vector<Number> numbers;
  numbers.reserve(count);
  for (size_t i = 0; i < count && cursor.ok(); ++i)
    numbers.push_back(cursor.fixed<Number>(name));
  return numbers;
}

/// A list of offsets and the data that they divide into entries.
template <typename Offset> class EntryTable {
public:
  /// Takes the rest of the cursor.
  void read(Cursor &cursor, const char *countName);

  size_t size() const { return offsets.size(); }
  /// The bytes of an entry.
  llvm::ArrayRef<uint8_t> entry(size_t index) const {
    size_t end = index + 1 < offsets.size() ? size_t(offsets[index + 1]) : data.size();
    return data.slice(offsets[index], end - offsets[index]);
  }
  /// Where in the file the entry starts.
  uint64_t fileOffset(size_t index) const { return dataOffset + offsets[index]; }

private:
  std::vector<Offset> offsets;
  llvm::ArrayRef<uint8_t> data;
  uint64_t dataOffset = 0;
};

class StringTable {
public:
  explicit StringTable(Input &input);

  /// Reads the index of a string, which stays in the bytes of the file.
  llvm::StringRef read(Cursor &cursor, const char *what) const;
  /// ... that must not be empty.
  llvm::StringRef readName(Cursor &cursor, const char *what) const;

private:
  EntryTable<uint32_t> entries;
};

class TypeTable {
public:
  explicit TypeTable(Input &input);

  /// Reads the index of a type; null, and reported, if something is wrong.
  mlir::Type read(Cursor &cursor, const char *what);
  /// ... that must be a T, which `expected` names.
  template <typename T> T readAs(Cursor &cursor, const char *what, const char *expected) {
    mlir::Type type = read(cursor, what);
    auto wanted = llvm::dyn_cast_if_present<T>(type);
    if (type && !wanted)
      failClass(cursor, what, type, expected);
    return wanted;
  }

private:
  friend class TypeDecoder;
  void failClass(Cursor &cursor, const char *what, mlir::Type type, const char *expected);
  void decode(size_t index);
  /// The type, after it was counted as a part of the one that is being decoded, if any.
  mlir::Type addPart(Cursor &cursor, size_t part);

  Input &input;
  EntryTable<uint32_t> entries;
  std::vector<mlir::Type> types;    ///< Null while not decoded.
  std::vector<uint64_t> spelledOut; ///< Bytes of a type with all its parts in place.
  llvm::DenseSet<size_t> pending;   ///< Being decoded.
  std::optional<size_t> current;    ///< The innermost of those.
};

class ConstantTable {
public:
  explicit ConstantTable(Input &input);

  /// Reads the index of a constant, whose elements are those of a tile of this type.
  mlir::DenseElementsAttr read(Cursor &cursor, tile::TileType type);

private:
  mlir::DenseElementsAttr decode(size_t index, tile::TileType type);

  Input &input;
  EntryTable<uint64_t> entries;
  llvm::DenseMap<std::pair<size_t, mlir::Type>, mlir::DenseElementsAttr> constants;
  /// Bytes that constants may still take: an entry can be used with many types.
  uint64_t budget;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_TABLES_H
