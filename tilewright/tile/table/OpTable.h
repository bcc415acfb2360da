// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operation records as data, for generic code (listings, bytecode, completeness tests, version
// checks). Generated from the .td files by OpTable.py.

#ifndef TILEWRIGHT_TILE_TABLE_OPTABLE_H
#define TILEWRIGHT_TILE_TABLE_OPTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tilewright::tile {

/// A Tile IR release: 13.1 to 13.5.
struct Version {
  uint8_t major, minor;

  friend auto operator<=>(const Version &, const Version &) = default;
  std::string str() const;
  /// None if the text is not a released version.
  static std::optional<Version> parse(llvm::StringRef text);
};

inline constexpr Version oldestVersion = {13, 1};
inline constexpr Version newestVersion = {13, 5};

enum class FieldKind : uint8_t { Operand, Attribute, Result, Region };
enum class Arity : uint8_t { One, Optional, Variadic, Defaulted };

/// The kind of an attribute, which determines its encoding in bytecode (bytecode format, 10.1).
enum class AttributeKind : uint8_t {
  None, ///< The field is not an attribute.
  Unit, ///< Present or not.
  Enum, ///< A member of `FieldRow::enumName`.
  Int32,
  Int64,
  Bool,
  String,
  Symbol,
  Type,
  Constant, ///< The elements of a tile.
  Int32Array,
  BoolArray, ///< One per operand of a variadic group; if absent, all are false.
  Array,
  Hints,
  Predicate,
};

/// An operand, attribute, result or region of an operation.
struct FieldRow {
  FieldKind kind;
  llvm::StringRef name;
  llvm::StringRef constraint; ///< As text.
  Arity arity;
  llvm::StringRef defaultValue; ///< Member name or number; only for Arity::Defaulted.
  Version since;
  AttributeKind attributeKind;
  llvm::StringRef enumName; ///< Only for AttributeKind::Enum.
};

struct OpRow {
  llvm::StringRef mnemonic;
  uint32_t opcode;
  Version since;
  llvm::StringRef category;
  llvm::StringRef summary;
  llvm::StringRef syntax; ///< The custom form in one line.
  uint16_t firstField, fieldCount;

  llvm::ArrayRef<FieldRow> fields() const;
};

/// A type, or an element type.
struct TypeRow {
  llvm::StringRef mnemonic;
  uint32_t tag;
  Version since;
  llvm::StringRef summary;
};

/// A member of an enumeration.
struct MemberRow {
  llvm::StringRef enumName;
  llvm::StringRef spelling;
  uint32_t value;
  Version since;
};

/// Sorted by mnemonic.
llvm::ArrayRef<OpRow> allOps();
/// Null if there is no such operation.
const OpRow *findOp(llvm::StringRef mnemonic);

llvm::ArrayRef<TypeRow> allTypes();
llvm::ArrayRef<TypeRow> allElementTypes();
llvm::ArrayRef<MemberRow> allEnumMembers();

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TABLE_OPTABLE_H
