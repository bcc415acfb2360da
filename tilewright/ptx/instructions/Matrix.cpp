// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync (PTX ISA, 9.7.15.5): D = A * B + C by all 32 lanes.

#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/matrix/Product.h"

using namespace tilewright::ptx;

static constexpr uint32_t saturates = 1u << 31;

//===-- Decoding ----------------------------------------------------------------------------===//

static constexpr Form forms[] = {
    {16, 8, 8, Type::F16, Type::F16, Type::F16, Type::F16},
    {16, 8, 8, Type::F16, Type::F16, Type::F32, Type::F32},
    {16, 8, 16, Type::F16, Type::F16, Type::F16, Type::F16},
    {16, 8, 16, Type::F16, Type::F16, Type::F32, Type::F32},
    {16, 8, 8, Type::BF16, Type::BF16, Type::F32, Type::F32},
    {16, 8, 16, Type::BF16, Type::BF16, Type::F32, Type::F32},
    {16, 8, 4, Type::TF32, Type::TF32, Type::F32, Type::F32},
    {16, 8, 8, Type::TF32, Type::TF32, Type::F32, Type::F32},
    {16, 8, 32, Type::E4M3, Type::E4M3, Type::F32, Type::F32},
    {16, 8, 32, Type::E4M3, Type::E5M2, Type::F32, Type::F32},
    {16, 8, 32, Type::E5M2, Type::E4M3, Type::F32, Type::F32},
    {16, 8, 32, Type::E5M2, Type::E5M2, Type::F32, Type::F32},
    {16, 8, 16, Type::E4M3, Type::E4M3, Type::F32, Type::F32},
    {16, 8, 16, Type::E4M3, Type::E5M2, Type::F32, Type::F32},
    {16, 8, 16, Type::E5M2, Type::E4M3, Type::F32, Type::F32},
    {16, 8, 16, Type::E5M2, Type::E5M2, Type::F32, Type::F32},
    {16, 8, 16, Type::E4M3, Type::E4M3, Type::F16, Type::F16},
    {16, 8, 16, Type::E4M3, Type::E5M2, Type::F16, Type::F16},
    {16, 8, 16, Type::E5M2, Type::E4M3, Type::F16, Type::F16},
    {16, 8, 16, Type::E5M2, Type::E5M2, Type::F16, Type::F16},
    {16, 8, 32, Type::E4M3, Type::E4M3, Type::F16, Type::F16},
    {16, 8, 32, Type::E4M3, Type::E5M2, Type::F16, Type::F16},
    {16, 8, 32, Type::E5M2, Type::E4M3, Type::F16, Type::F16},
    {16, 8, 32, Type::E5M2, Type::E5M2, Type::F16, Type::F16},
    {8, 8, 4, Type::F64, Type::F64, Type::F64, Type::F64},
    {16, 8, 4, Type::F64, Type::F64, Type::F64, Type::F64},
    {16, 8, 8, Type::F64, Type::F64, Type::F64, Type::F64},
    {16, 8, 16, Type::F64, Type::F64, Type::F64, Type::F64},
    {8, 8, 128, Type::B1, Type::B1, Type::S32, Type::S32, Adds::Xors},
    {16, 8, 128, Type::B1, Type::B1, Type::S32, Type::S32, Adds::Xors},
    {16, 8, 256, Type::B1, Type::B1, Type::S32, Type::S32, Adds::Xors},
    {8, 8, 128, Type::B1, Type::B1, Type::S32, Type::S32, Adds::Ands},
    {16, 8, 128, Type::B1, Type::B1, Type::S32, Type::S32, Adds::Ands},
    {16, 8, 256, Type::B1, Type::B1, Type::S32, Type::S32, Adds::Ands},
};

/// Integer shapes for each pair of signs.
static constexpr struct {
  unsigned m, n, k, bits;
} integerShapes[] = {{8, 8, 16, 8}, {16, 8, 16, 8}, {16, 8, 32, 8},
                     {8, 8, 32, 4}, {16, 8, 32, 4}, {16, 8, 64, 4}};

static const std::vector<Form> &allForms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list(std::begin(forms), std::end(forms));
    for (const auto &shape : integerShapes)
      for (unsigned signs = 0; signs < 4; ++signs) {
        const Type s = shape.bits == 8 ? Type::S8 : Type::S4;
        const Type u = shape.bits == 8 ? Type::U8 : Type::U4;
        list.push_back({shape.m, shape.n, shape.k, signs & 1 ? s : u, signs & 2 ? s : u, Type::S32,
                        Type::S32});
      }
    return list;
  }();
  return all;
}

static bool multiply(Warp &warp, uint32_t) {
  const uint32_t mode = warp.threads.front()->waitOp->mode;
  multiply(warp, allForms()[mode & ~saturates], mode & saturates);
  return true;
}

static bool takeOperands(Decoder &decoder, const Form &form) {
  const auto sources = [&](size_t number, char matrix, SlotList &list) {
    return decoder.sources(decoder.operand(number), registerType(form, matrix),
                           registersFor(form, matrix), list);
  };
  return decoder.expectOperands(4) &&
         decoder.destinations(decoder.operand(0), registerType(form, 'd'), registersFor(form, 'd'),
                              decoder.op.list) &&
         sources(1, 'a', decoder.op.list2) && sources(2, 'b', decoder.op.list3) &&
         sources(3, 'c', decoder.op.list4) && decoder.finish(meetWarp);
}

/// `.xor.popc`, `.and.popc`
static bool takeAdds(Decoder &decoder, Adds &adds) {
  const auto logic = decoder.takeOneOf({"xor", "and"});
  adds = !logic ? Adds::Products : *logic == 0 ? Adds::Xors : Adds::Ands;
  return !logic || decoder.take("popc");
}

/// The shape, then the types of D, A, B and C: each has to be that of some form that is left.
static std::optional<size_t> takeForm(Decoder &decoder, Adds adds) {
  std::vector<size_t> left =
      takeShape(decoder, allForms(), [&](const Form &form) { return form.adds == adds; });
  if (left.empty())
    return std::nullopt;
  for (char matrix : {'d', 'a', 'b', 'c'}) {
    std::vector<Type> types;
    for (size_t number : left)
      types.push_back(typeOf(allForms()[number], matrix));
    Type type;
    if (!decoder.expectType(type, types))
      return std::nullopt;
    std::erase_if(left, [&](size_t number) { return typeOf(allForms()[number], matrix) != type; });
  }
  return left.front();
}

static bool decodeMma(Decoder &decoder) {
  decoder.op.together = multiply;
  if (decoder.has("sp") || !decoder.take("sync") || !decoder.take("aligned") ||
      !decoder.take("row") || !decoder.take("col"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isSaturated = decoder.take("satfinite");
  Adds adds;
  const auto number = takeAdds(decoder, adds) ? takeForm(decoder, adds) : std::nullopt;
  if (!number)
    return decoder.refuse("'" + decoder.name() + "' is not supported in this shape");
  const Form &form = allForms()[*number];
  if (isSaturated && (form.d != Type::S32 || adds != Adds::Products))
    return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '.satfinite'");
  decoder.op.mode = uint32_t(*number) | (isSaturated ? saturates : 0);
  return takeOperands(decoder, form);
}

std::span<const OpcodeRow> tilewright::ptx::matrixOpcodes() {
  static constexpr OpcodeRow rows[] = {{"mma", decodeMma}};
  return rows;
}
