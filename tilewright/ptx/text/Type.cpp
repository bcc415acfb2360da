// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Type.h.

#include "tilewright/ptx/text/Type.h"

#include <iterator>

using namespace tilewright::ptx;

/// In the order of Type.
static constexpr TypeInfo table[] = {
    {Type::Pred, "pred", TypeKind::Predicate, 1},  {Type::B8, "b8", TypeKind::Bits, 1},
    {Type::B16, "b16", TypeKind::Bits, 2},         {Type::B32, "b32", TypeKind::Bits, 4},
    {Type::B64, "b64", TypeKind::Bits, 8},         {Type::B128, "b128", TypeKind::Bits, 16},
    {Type::U8, "u8", TypeKind::Unsigned, 1},       {Type::U16, "u16", TypeKind::Unsigned, 2},
    {Type::U32, "u32", TypeKind::Unsigned, 4},     {Type::U64, "u64", TypeKind::Unsigned, 8},
    {Type::S8, "s8", TypeKind::Signed, 1},         {Type::S16, "s16", TypeKind::Signed, 2},
    {Type::S32, "s32", TypeKind::Signed, 4},       {Type::S64, "s64", TypeKind::Signed, 8},
    {Type::F16, "f16", TypeKind::Float, 2},        {Type::BF16, "bf16", TypeKind::Float, 2},
    {Type::F32, "f32", TypeKind::Float, 4},        {Type::F64, "f64", TypeKind::Float, 8},
    {Type::F16x2, "f16x2", TypeKind::Float, 4},    {Type::BF16x2, "bf16x2", TypeKind::Float, 4},
    {Type::U16x2, "u16x2", TypeKind::Unsigned, 4}, {Type::S16x2, "s16x2", TypeKind::Signed, 4},
    {Type::TF32, "tf32", TypeKind::Float, 4},      {Type::E4M3, "e4m3", TypeKind::Float, 1},
    {Type::E5M2, "e5m2", TypeKind::Float, 1},      {Type::E2M3, "e2m3", TypeKind::Float, 1},
    {Type::E3M2, "e3m2", TypeKind::Float, 1},      {Type::E2M1, "e2m1", TypeKind::Float, 1},
    {Type::UE8M0, "ue8m0", TypeKind::Float, 1},    {Type::UE4M3, "ue4m3", TypeKind::Float, 1},
    {Type::E4M3x2, "e4m3x2", TypeKind::Float, 2},  {Type::E5M2x2, "e5m2x2", TypeKind::Float, 2},
    {Type::E2M1x2, "e2m1x2", TypeKind::Float, 1},  {Type::E2M3x2, "e2m3x2", TypeKind::Float, 2},
    {Type::E3M2x2, "e3m2x2", TypeKind::Float, 2},  {Type::UE8M0x2, "ue8m0x2", TypeKind::Float, 2},
    {Type::E4M3x4, "e4m3x4", TypeKind::Float, 4},  {Type::E5M2x4, "e5m2x4", TypeKind::Float, 4},
    {Type::E2M1x4, "e2m1x4", TypeKind::Float, 2},  {Type::E2M3x4, "e2m3x4", TypeKind::Float, 4},
    {Type::E3M2x4, "e3m2x4", TypeKind::Float, 4},  {Type::F32x2, "f32x2", TypeKind::Float, 8},
    {Type::U4, "u4", TypeKind::Unsigned, 1},       {Type::S4, "s4", TypeKind::Signed, 1},
    {Type::U2, "u2", TypeKind::Unsigned, 1},       {Type::S2, "s2", TypeKind::Signed, 1},
    {Type::B1, "b1", TypeKind::Bits, 1},
};

static constexpr bool isInOrder() {
  for (size_t row = 0; row < std::size(table); ++row)
    if (size_t(table[row].type) != row)
      return false;
  return true;
}
static_assert(isInOrder());

const TypeInfo &tilewright::ptx::info(Type type) { return table[size_t(type)]; }

std::optional<Type> tilewright::ptx::typeNamed(std::string_view name) {
  for (const TypeInfo &row : table)
    if (row.name == name)
      return row.type;
  return std::nullopt;
}
