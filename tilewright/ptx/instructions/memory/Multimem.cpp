// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// multimem (PTX ISA, 9.7.9.14): an address refers to memory of several devices. The machine is one
// device: such an address is an ordinary one, a reduction over devices yields the value in memory,
// and a store writes once.

#include "tilewright/ptx/instructions/Opcodes.h"

#include <algorithm>

using namespace tilewright::ptx;

namespace {
/// The types of a reduction over devices.
struct ReductionRow {
  std::string_view operation; ///< `add`, `min` for minimum and maximum, `and` for all logic.
  std::initializer_list<Type> types;
  bool hasVectors;
  std::string_view sumType; ///< Optional type of the accumulator.
};
} // namespace

static constexpr ReductionRow reductions[] = {
    {"add", {Type::U32, Type::S32, Type::U64, Type::F64}, false, ""},
    {"add", {Type::F32}, true, ""},
    {"add", {Type::F16, Type::F16x2, Type::BF16, Type::BF16x2}, true, "acc::f32"},
    {"add",
     {Type::E4M3, Type::E4M3x2, Type::E4M3x4, Type::E5M2, Type::E5M2x2, Type::E5M2x4},
     true,
     "acc::f16"},
    {"min", {Type::U32, Type::S32, Type::U64, Type::S64}, false, ""},
    {"min",
     {Type::F16, Type::F16x2, Type::BF16, Type::BF16x2, Type::E4M3, Type::E4M3x2, Type::E4M3x4,
      Type::E5M2, Type::E5M2x2, Type::E5M2x4},
     true,
     ""},
    {"and", {Type::B32, Type::B64}, false, ""},
};

/// Does the row have this type with these modifiers?
static bool fits(const Decoder &decoder, const ReductionRow &row, Type type) {
  const auto vector = decoder.firstOf({"v2", "v4", "v8"});
  const auto sum = decoder.firstOf({"acc::f32", "acc::f16"});
  if (std::find(row.types.begin(), row.types.end(), type) == row.types.end() ||
      (vector && !row.hasVectors) || (sum && *sum != row.sumType))
    return false;
  const size_t bytes = bytesOf(type) * (vector ? size_t((*vector)[1] - '0') : 1);
  return bytes == 4 || bytes == 8 || bytes == 16;
}

/// Takes `.add`, and for floats the type of the accumulator.
static bool takeReduction(Decoder &decoder) {
  static constexpr std::string_view classes[] = {"add", "min", "min", "and", "and", "and"};
  const auto operation = decoder.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  if (!operation)
    return decoder.refuse("'" + decoder.name() + "' names no operation");
  for (const ReductionRow &row : reductions)
    for (Type type : row.types)
      if (row.operation == classes[*operation] && decoder.has(info(type).name) &&
          fits(decoder, row, type)) {
        decoder.takeOneOf({"acc::f32", "acc::f16"});
        return true;
      }
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

static bool decodeMultimem(Decoder &decoder) {
  const auto what = decoder.takeOneOf({"ld_reduce", "st", "red"});
  if (!what)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (*what == 0)
    return takeReduction(decoder) && decodePlainLoad(decoder);
  return *what == 1 ? decodePlainStore(decoder) : decodePlainReduction(decoder);
}

std::span<const OpcodeRow> tilewright::ptx::multimemOpcodes() {
  static constexpr OpcodeRow rows[] = {{"multimem", decodeMultimem}};
  return rows;
}
