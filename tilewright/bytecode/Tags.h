// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of the format that are not in the records of operations or types.

#ifndef TILEWRIGHT_BYTECODE_TAGS_H
#define TILEWRIGHT_BYTECODE_TAGS_H

#include <cstdint>

namespace tilewright::bytecode {

/// Kinds of self-contained attributes (bytecode format, 10.2).
enum class AttributeTag : uint8_t {
  Integer = 1,
  Float,
  Bool,
  Type,
  String,
  Array,
  DenseElements,
  DivBy,
  SameElements,
  Dictionary,
  OptimizationHints,
  Bounded,
};

/// Kinds of attributes in the debug section (bytecode format, 13).
enum class DebugTag : uint8_t {
  Unknown,
  CompileUnit,
  File,
  LexicalBlock,
  Location,
  Subprogram,
  CallSite,
};

/// The tag of function types; the tags of other types are in the op table.
inline constexpr uint64_t functionTypeTag = 16;

/// Flags of a function (bytecode format, 8).
enum FunctionFlag : uint8_t { IsPrivate = 1, IsKernel = 2, HasHints = 4 };

/// Which optional numbers of a DivBy or Bounded follow.
enum PresenceFlag : uint8_t { HasFirst = 1, HasSecond = 2 };

/// The byte for padding (bytecode format, 1.4).
inline constexpr uint8_t paddingByte = 0xCB;

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_TAGS_H
