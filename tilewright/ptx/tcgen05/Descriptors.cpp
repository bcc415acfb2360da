// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Descriptors.h.

#include "tilewright/ptx/tcgen05/Descriptors.h"

#include <bit>

using namespace tilewright::ptx;

static constexpr TensorKindInfo kinds[] = {
    {"kind::f16", 16, false},     {"kind::tf32", 8, false},     {"kind::f8f6f4", 32, false},
    {"kind::i8", 32, false},      {"kind::mxf8f6f4", 32, true}, {"kind::mxf4", 64, true},
    {"kind::mxf4nvf4", 64, true},
};

std::span<const TensorKindInfo> tilewright::ptx::tensorKinds() { return kinds; }

//===-- Instruction descriptors -------------------------------------------------------------===//

static uint32_t fieldOf(uint32_t bits, unsigned first, unsigned count) {
  return bits >> first & ((1u << count) - 1);
}

static std::string named(const char *field, uint32_t value, const char *expected) {
  return "the instruction descriptor has " + std::string(field) + " " + std::to_string(value) +
         ", expected " + expected;
}

/// The type of a matrix; none if the kind has no such type.
static std::optional<Type> typeOf(TensorKind kind, uint32_t number) {
  static constexpr std::optional<Type> halves[] = {Type::F16, Type::BF16};
  static constexpr std::optional<Type> small[] = {Type::E4M3, Type::E5M2, std::nullopt,
                                                  Type::E2M3, Type::E3M2, Type::E2M1};
  static constexpr std::optional<Type> bytes[] = {Type::U8, Type::S8};
  switch (kind) {
  case TensorKind::F16:
    return number < 2 ? halves[number] : std::nullopt;
  case TensorKind::TF32:
    return number == 2 ? std::optional(Type::TF32) : std::nullopt;
  case TensorKind::I8:
    return number < 2 ? bytes[number] : std::nullopt;
  case TensorKind::F8F6F4:
  case TensorKind::MXF8F6F4:
    return number < 6 ? small[number] : std::nullopt;
  default:
    return number == 1 ? std::optional(Type::E2M1) : std::nullopt;
  }
}

static std::string checkColumns(unsigned n, const ProductForm &form) {
  if (form.isStationary)
    return n == 64 || n == 128 || n == 256 ? "" : named("N", n, "64, 128 or 256");
  const bool isInteger = form.kind == TensorKind::I8;
  unsigned step = form.group == 1 ? 8 : isInteger ? 32 : 16;
  if (isInteger && form.group == 1 && n > 32)
    step = 16;
  if (n < step || n > 256 || n % step)
    return named("N", n, ("a multiple of " + std::to_string(step) + " up to 256").c_str());
  return {};
}

/// Extents of a product (PTX ISA, 9.7.16.2.1).
static std::string checkExtents(const InstructionDescriptor &descriptor, const ProductForm &form) {
  const unsigned m = descriptor.m;
  const bool isScaled = infoOf(form.kind).isScaled;
  const unsigned least = form.group == 2 ? 128 : form.isStationary ? 32 : isScaled ? 128 : 64;
  const unsigned most = form.group == 2 ? 256 : 128;
  if (m < least || m > most || !std::has_single_bit(m))
    return named("M", m,
                 form.group == 2     ? "128 or 256"
                 : form.isStationary ? "32, 64 or 128"
                 : isScaled          ? "128"
                                     : "64 or 128");
  return checkColumns(descriptor.n, form);
}

static std::string checkSparsity(InstructionDescriptor &descriptor, uint32_t bits,
                                 const ProductForm &form) {
  const bool isSparse = fieldOf(bits, 2, 1);
  if (isSparse != form.isSparse)
    return isSparse ? "the instruction descriptor is sparse, and the instruction is not "
                      "tcgen05.mma.sp"
                    : "the instruction descriptor is not sparse, and the instruction is "
                      "tcgen05.mma.sp";
  descriptor.selector = form.isSparse ? fieldOf(bits, 0, 2) : 0;
  if (form.kind != TensorKind::F16 && form.kind != TensorKind::TF32)
    return descriptor.selector ? named("sparsity selector", descriptor.selector, "0") : "";
  return descriptor.selector > 1 ? named("sparsity selector", descriptor.selector, "0 or 1") : "";
}

static std::string checkPlain(InstructionDescriptor &descriptor, uint32_t bits,
                              const ProductForm &form) {
  const TensorKind kind = form.kind;
  const uint32_t d = fieldOf(bits, 4, 2);
  const bool isInteger = kind == TensorKind::I8;
  const bool mayBeHalf = kind == TensorKind::F16 || kind == TensorKind::F8F6F4;
  if (isInteger ? d != 2 : d != 1 && !(mayBeHalf && d == 0))
    return named("D format", d, isInteger ? "2" : mayBeHalf ? "0 or 1" : "1");
  descriptor.d = isInteger ? Type::S32 : d == 0 ? Type::F16 : Type::F32;
  descriptor.saturates = fieldOf(bits, 3, 1);
  if (descriptor.saturates && !isInteger)
    return "the instruction descriptor saturates, which only kind::i8 does";
  if (fieldOf(bits, 6, 1) || fieldOf(bits, 23, 1) || fieldOf(bits, 29, 1))
    return "the instruction descriptor has reserved bits";
  const uint32_t shift = fieldOf(bits, 30, 2);
  if (shift && !form.isStationary)
    return "the instruction descriptor has a shift, which only tcgen05.mma.ws has";
  descriptor.maxShift = shift ? 4 << shift : 0;
  descriptor.m = 16 * fieldOf(bits, 24, 5);
  return {};
}

static std::string checkScaled(InstructionDescriptor &descriptor, uint32_t bits, TensorKind kind,
                               unsigned scales) {
  if (fieldOf(bits, 0, 2) || fieldOf(bits, 3, 1) || fieldOf(bits, 6, 1) || fieldOf(bits, 24, 3))
    return "the instruction descriptor has reserved bits";
  if (fieldOf(bits, 31, 1))
    return "the machine does not implement this (the kernel may be right): products of 96 columns";
  descriptor.m = 128 * fieldOf(bits, 27, 2);
  descriptor.scale = fieldOf(bits, 23, 1) ? Type::UE8M0 : Type::UE4M3;
  if (descriptor.scale == Type::UE4M3 && (kind != TensorKind::MXF4NVF4 || scales != 4))
    return "the instruction descriptor has scales of ue4m3, which only kind::mxf4nvf4 with "
           ".scale_vec::4X has";
  descriptor.scaleOfA = fieldOf(bits, 29, 2);
  descriptor.scaleOfB = fieldOf(bits, 4, 2);
  if (descriptor.scaleOfA % scales || descriptor.scaleOfB % scales)
    return "the instruction descriptor has the scale factor IDs " +
           std::to_string(descriptor.scaleOfA) + " and " + std::to_string(descriptor.scaleOfB) +
           ", expected multiples of the number of scales, " + std::to_string(scales);
  return {};
}

std::variant<InstructionDescriptor, std::string>
tilewright::ptx::decodeInstructionDescriptor(uint32_t bits, const ProductForm &form) {
  InstructionDescriptor descriptor;
  const TensorKind kind = form.kind;
  std::string wrong = checkSparsity(descriptor, bits, form);
  if (!wrong.empty())
    return wrong;
  wrong = infoOf(kind).isScaled ? checkScaled(descriptor, bits, kind, form.scales)
                                : checkPlain(descriptor, bits, form);
  if (!wrong.empty())
    return wrong;
  const bool isFour = kind == TensorKind::MXF4 || kind == TensorKind::MXF4NVF4;
  const auto a = typeOf(kind, fieldOf(bits, 7, 3)),
             b = typeOf(kind, fieldOf(bits, 10, isFour ? 2 : 3));
  if (!a || !b)
    return "the instruction descriptor has A format " + std::to_string(fieldOf(bits, 7, 3)) +
           " and B format " + std::to_string(fieldOf(bits, 10, 3)) + ", which " +
           std::string(infoOf(kind).name) + " does not have";
  descriptor.a = *a;
  descriptor.b = *b;
  descriptor.n = 8 * fieldOf(bits, 17, 6);
  descriptor.negatesA = fieldOf(bits, 13, 1);
  descriptor.negatesB = fieldOf(bits, 14, 1);
  descriptor.transposesA = fieldOf(bits, 15, 1);
  descriptor.transposesB = fieldOf(bits, 16, 1);
  if (kind == TensorKind::I8 && (descriptor.negatesA || descriptor.negatesB))
    return "the instruction descriptor negates integers";
  if ((isFour) && (descriptor.transposesA || descriptor.transposesB))
    return "the instruction descriptor transposes a matrix of 4-bit elements";
  if (kind == TensorKind::F16 && descriptor.d == Type::F16 &&
      (descriptor.a != Type::F16 || descriptor.b != Type::F16))
    return "the instruction descriptor has D of f16, and A or B of bf16";
  wrong = checkExtents(descriptor, form);
  if (!wrong.empty())
    return wrong;
  return descriptor;
}

//===-- Matrix descriptors ------------------------------------------------------------------===//

std::variant<MatrixDescriptor, std::string> tilewright::ptx::decodeTensorMatrix(uint64_t bits) {
  if ((bits >> 46 & 7) != 1)
    return "the matrix descriptor has " + std::to_string(bits >> 46 & 7) +
           " in bits 46 to 48, expected 1 (the version)";
  if (bits >> 14 & 3 || bits >> 30 & 3 || bits >> 53 & 0xFF)
    return "the matrix descriptor has reserved bits";
  MatrixDescriptor matrix(bits & ~(uint64_t(7) << 61));
  switch (bits >> 61) {
  case 0:
    matrix.swizzle = Swizzle::None;
    break;
  case 1:
    matrix.swizzle = Swizzle::Bytes128;
    matrix.atomicity = Atomicity::Bytes32;
    break;
  case 2:
    matrix.swizzle = Swizzle::Bytes128;
    break;
  case 4:
    matrix.swizzle = Swizzle::Bytes64;
    break;
  case 6:
    matrix.swizzle = Swizzle::Bytes32;
    break;
  default:
    return "the matrix descriptor has swizzle " + std::to_string(bits >> 61) +
           ", expected 0, 1, 2, 4 or 6";
  }
  if (matrix.hasBaseOffset() || bits >> 52 & 1)
    return "the machine does not implement this (the kernel may be right): a matrix descriptor "
           "with a base offset or an absolute leading dimension";
  return matrix;
}
