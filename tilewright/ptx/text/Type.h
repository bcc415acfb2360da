// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of PTX instructions, registers and variables, one table row each.

#ifndef TILEWRIGHT_PTX_TEXT_TYPE_H
#define TILEWRIGHT_PTX_TEXT_TYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewright::ptx {

enum class Type : uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F32,
  F64,
  // Packed types, and formats that only conversions and matrix instructions use.
  F16x2,
  BF16x2,
  U16x2,
  S16x2,
  TF32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  UE8M0,
  UE4M3,
  E4M3x2,
  E5M2x2,
  E2M1x2,
  E2M3x2,
  E3M2x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M1x4,
  E2M3x4,
  E3M2x4,
  F32x2,
  U4,
  S4,
  U2,
  S2,
  B1,
};

enum class TypeKind : uint8_t { Predicate, Bits, Unsigned, Signed, Float };

struct TypeInfo {
  Type type;
  std::string_view name;
  TypeKind kind;
  /// Size in memory and in a register; 1 for predicates and types smaller than a byte.
  uint8_t bytes;
};

const TypeInfo &info(Type type);

/// The type `.u32` of the word `u32`.
std::optional<Type> typeNamed(std::string_view name);

inline unsigned bytesOf(Type type) { return info(type).bytes; }
inline bool isFloat(Type type) { return info(type).kind == TypeKind::Float; }
inline bool isSigned(Type type) { return info(type).kind == TypeKind::Signed; }

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_TYPE_H
