// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Format.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright::numerics;

static constexpr FormatInfo integer(const char *spelling, Format format, uint8_t bits,
                                    uint8_t storageBits) {
  return {spelling, format, FormatKind::Integer, bits, storageBits};
}

namespace {
enum class Has { All, NoInf, OnlyNan, OnlyZero, NoSign };
} // namespace

static constexpr FormatInfo floating(const char *spelling, Format format, uint8_t bits,
                                     uint8_t storageBits, uint8_t exponentBits,
                                     uint8_t mantissaBits, int16_t bias, Has has, uint64_t largest,
                                     uint64_t nan) {
  FormatInfo row = {spelling, format, FormatKind::Float, bits, storageBits};
  row.exponentBits = exponentBits;
  row.mantissaBits = mantissaBits;
  row.bias = bias;
  row.hasSign = has != Has::OnlyNan && has != Has::NoSign;
  row.hasZero = has != Has::OnlyNan;
  row.hasInf = has == Has::All;
  row.hasNan = has != Has::OnlyZero;
  row.largest = largest;
  row.canonicalNan = nan;
  return row;
}

// clang-format off
constexpr FormatInfo tilewright::numerics::formatTable[formatCount] = {
    integer("i1",  Format::I1,  1,  8),
    integer("i4",  Format::I4,  4,  0),
    integer("i8",  Format::I8,  8,  8),
    integer("i16", Format::I16, 16, 16),
    integer("i32", Format::I32, 32, 32),
    integer("i64", Format::I64, 64, 64),
    //                                      bits stored exp man bias
    floating("f16",       Format::F16,       16, 16,  5, 10, 15,   Has::All,      0x7BFF,             0x7FFF),
    floating("bf16",      Format::BF16,      16, 16,  8,  7, 127,  Has::All,      0x7F7F,             0x7FFF),
    floating("tf32",      Format::TF32,      19, 32,  8, 10, 127,  Has::All,      0x3FBFF,            0x3FFFF),
    floating("f32",       Format::F32,       32, 32,  8, 23, 127,  Has::All,      0x7F7FFFFF,         0x7FFFFFFF),
    floating("f64",       Format::F64,       64, 64, 11, 52, 1023, Has::All,      0x7FEFFFFFFFFFFFFF, 0x7FF8000000000000),
    floating("f8E4M3FN",  Format::F8E4M3FN,   8,  8,  4,  3, 7,    Has::NoInf,    0x7E,               0x7F),
    floating("f8E5M2",    Format::F8E5M2,     8,  8,  5,  2, 15,   Has::All,      0x7B,               0x7F),
    floating("f8E8M0FNU", Format::F8E8M0FNU,  8,  8,  8,  0, 127,  Has::OnlyNan,  0xFE,               0xFF),
    floating("f4E2M1FN",  Format::F4E2M1FN,   4,  4,  2,  1, 1,    Has::OnlyZero, 0x7,                0),
    floating("f8E5M3FNU", Format::F8E5M3FNU,  8,  8,  5,  3, 15,   Has::NoSign,   0xFE,               0xFF),
    {"ptr", Format::Pointer, FormatKind::Pointer, 64, 64},
};
// clang-format on

llvm::ArrayRef<FormatInfo> tilewright::numerics::allFormats() { return formatTable; }

std::optional<Format> tilewright::numerics::formatNamed(llvm::StringRef spelling) {
  for (const FormatInfo &row : formatTable)
    if (!row.isPointer() && spelling == row.spelling)
      return row.format;
  return std::nullopt;
}

std::optional<Format> tilewright::numerics::integerFormat(unsigned bits) {
  for (const FormatInfo &row : formatTable)
    if (row.isInteger() && row.bits == bits)
      return row.format;
  return std::nullopt;
}

const llvm::fltSemantics &tilewright::numerics::semantics(Format format) {
  switch (format) {
  case Format::F16:
    return llvm::APFloat::IEEEhalf();
  case Format::BF16:
    return llvm::APFloat::BFloat();
  case Format::TF32:
    return llvm::APFloat::FloatTF32();
  case Format::F32:
    return llvm::APFloat::IEEEsingle();
  case Format::F64:
    return llvm::APFloat::IEEEdouble();
  case Format::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case Format::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  case Format::F8E8M0FNU:
    return llvm::APFloat::Float8E8M0FNU();
  case Format::F4E2M1FN:
    return llvm::APFloat::Float4E2M1FN();
  default:
    llvm_unreachable("no format of LLVM");
  }
}

std::optional<Format> tilewright::numerics::floatFormat(const llvm::fltSemantics &description) {
  for (const FormatInfo &row : formatTable)
    if (row.isInLLVM() && &semantics(row.format) == &description)
      return row.format;
  return std::nullopt;
}
