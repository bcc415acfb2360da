// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that are neither in the records of operations nor in those of types.

#ifndef TILEWRIGHT_BYTECODE_TAGS_H
#define TILEWRIGHT_BYTECODE_TAGS_H

#include <cstdint>

namespace tilewright::bytecode {

/// What a self-contained attribute is (bytecode format, 10.2).
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

/// What an attribute of the debug section is (bytecode format, 13).
enum class DebugTag : uint8_t {
  Unknown,
  CompileUnit,
  File,
  LexicalBlock,
  Location,
  Subprogram,
  CallSite,
};

/// The tag of function types; the other types have theirs in the op table.
inline constexpr uint64_t functionTypeTag = 16;

/// Flags of a function (bytecode format, 8).
enum FunctionFlag : uint8_t { IsPrivate = 1, IsKernel = 2, HasHints = 4 };

/// Which of the optional numbers of a DivBy or Bounded follow.
enum PresenceFlag : uint8_t { HasFirst = 1, HasSecond = 2 };

/// What padding consists of (bytecode format, 1.4).
inline constexpr uint8_t paddingByte = 0xCB;

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_TAGS_H
