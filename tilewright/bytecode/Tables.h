// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections that others refer to by index: strings, types, constants (bytecode format, 3 to 5).
// Entries are decoded on first use, so unused ones cost nothing. An index is read through a cursor,
// which reports its errors.

#ifndef TILEWRIGHT_BYTECODE_TABLES_H
#define TILEWRIGHT_BYTECODE_TABLES_H

#include "tilewright/bytecode/Cursor.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::bytecode {

/// Shared by all parts of the reader.
struct Input {
  const File &file;
  mlir::MLIRContext *context;
  Problem problem;
  /// The location of the operation in which the problem was found, if any.
  std::optional<mlir::Location> problemLocation = std::nullopt;

  tile::Version version() const { return file.version; }
  /// A cursor over the payload of a section; an empty one if the file does not have the section.
  Cursor open(SectionId id);
  Cursor open(SectionId id, llvm::ArrayRef<uint8_t> bytes, uint64_t fileOffset) {
    return Cursor(bytes, fileOffset, nameOf(id), problem);
  }
};

/// No sensible program nests regions, attributes, types or scopes deeper than this.
inline constexpr unsigned maxNesting = 256;

/// No sensible tile or view has more dimensions: in text, a shape is one token of at most 4,096
/// characters. Without a limit, small operations could take long, because they process all extents
/// of their types.
inline constexpr size_t maxRank = 2048;

/// Reads a count, padding, and that many numbers. An empty list at the end of a payload needs no
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

/// A table of offsets, and the data that they divide into entries.
template <typename Offset> class EntryTable {
public:
  /// Reads the rest of the cursor.
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

  /// Reads the index of a string. The string points into the bytes of the file.
  llvm::StringRef read(Cursor &cursor, const char *what) const;
  /// Reads the index of a string that must not be empty.
  llvm::StringRef readName(Cursor &cursor, const char *what) const;

private:
  EntryTable<uint32_t> entries;
};

class TypeTable {
public:
  explicit TypeTable(Input &input);

  /// Reads the index of a type; null after an error, which is reported.
  mlir::Type read(Cursor &cursor, const char *what);
  /// Reads the index of a type that must be a T; `expected` names it in errors.
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
  /// Returns the type after its size was added to that of the type being decoded, if any.
  mlir::Type addPart(Cursor &cursor, size_t part);

  Input &input;
  EntryTable<uint32_t> entries;
  std::vector<mlir::Type> types;    ///< Null if not decoded yet.
  std::vector<uint64_t> spelledOut; ///< The text size of a type with all its parts written out.
  llvm::DenseSet<size_t> pending;   ///< Being decoded.
  std::optional<size_t> current;    ///< The innermost of those.
};

class ConstantTable {
public:
  explicit ConstantTable(Input &input);

  /// Reads the index of a constant and decodes it as the elements of a tile of this type.
  mlir::DenseElementsAttr read(Cursor &cursor, tile::TileType type);

private:
  mlir::DenseElementsAttr decode(size_t index, tile::TileType type);

  Input &input;
  EntryTable<uint64_t> entries;
  llvm::DenseMap<std::pair<size_t, mlir::Type>, mlir::DenseElementsAttr> constants;
  /// How many more bytes constants may take: an entry can be used with many types.
  uint64_t budget;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_TABLES_H
