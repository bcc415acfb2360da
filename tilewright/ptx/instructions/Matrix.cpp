// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma and mma.sp (PTX ISA, 9.7.14.5 and 9.7.14.6): D = A * B + C by all 32 lanes. QuadPairs.cpp has
// the shape m8n8k4 for f16.

#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/matrix/Product.h"
#include "tilewright/ptx/instructions/matrix/Scales.h"
#include "tilewright/ptx/instructions/matrix/Sparse.h"

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

/// Integer shapes, each used for all combinations of signedness.
static constexpr struct {
  unsigned m, n, k, bits;
} integerShapes[] = {{8, 8, 16, 8}, {16, 8, 16, 8}, {16, 8, 32, 8},
                     {8, 8, 32, 4}, {16, 8, 32, 4}, {16, 8, 64, 4}};

static void addIntegers(std::vector<Form> &list) {
  for (const auto &shape : integerShapes)
    for (unsigned signs = 0; signs < 4; ++signs) {
      const Type s = shape.bits == 8 ? Type::S8 : Type::S4;
      const Type u = shape.bits == 8 ? Type::U8 : Type::U4;
      list.push_back(
          {shape.m, shape.n, shape.k, signs & 1 ? s : u, signs & 2 ? s : u, Type::S32, Type::S32});
    }
}

/// A sparse A has half of its columns in registers, so k is twice that of a dense product.
static void addSparse(std::vector<Form> &list) {
  const size_t dense = list.size();
  for (size_t number = 0; number < dense; ++number) {
    Form form = list[number];
    const bool isFloat8 = bytesOf(form.a) == 1 && isFloat(form.a);
    if (form.m != 16 || form.adds != Adds::Products || form.a == Type::F64 ||
        (isFloat8 && form.k != 32))
      continue;
    form.isSparse = true;
    form.k *= 2;
    list.push_back(form);
  }
}

/// Adds the form, and the same with a sparse A.
static void addBoth(std::vector<Form> &list, Form form) {
  list.push_back(form);
  form.isSparse = true;
  form.k *= 2;
  list.push_back(form);
}

/// Forms with different operand types of 4, 6 and 8 bits (PTX ISA, 9.7.14.5.9 and 9.7.14.5.10).
static void addKinds(std::vector<Form> &list) {
  static constexpr Type small[] = {Type::E4M3, Type::E5M2, Type::E2M3, Type::E3M2, Type::E2M1};
  for (Type a : small)
    for (Type b : small) {
      for (Type d : {Type::F32, Type::F16}) {
        Form form{16, 8, 32, a, b, d, d};
        form.kind = MmaKind::F8F6F4;
        addBoth(list, form);
      }
      Form scaled{16, 8, 32, a, b, Type::F32, Type::F32};
      scaled.kind = MmaKind::MxF8F6F4;
      scaled.scale = Type::UE8M0;
      scaled.scales = 1;
      addBoth(list, scaled);
    }
  Form packed{16, 8, 64, Type::E2M1, Type::E2M1, Type::F32, Type::F32};
  packed.scale = Type::UE8M0;
  packed.scales = 2;
  for (MmaKind kind : {MmaKind::MxF4, MmaKind::MxF4NvF4}) {
    packed.kind = kind;
    addBoth(list, packed);
  }
  packed.scale = Type::UE4M3;
  packed.scales = 4;
  addBoth(list, packed);
}

static const std::vector<Form> &allForms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list(std::begin(forms), std::end(forms));
    addIntegers(list);
    addSparse(list);
    addKinds(list);
    return list;
  }();
  return all;
}

static bool multiply(Warp &warp, uint32_t) {
  const uint32_t mode = warp.threads.front()->waitOp->mode;
  multiply(warp, allForms()[mode & ~saturates], mode & saturates);
  return true;
}

/// Takes the metadata of a sparse A, and the selector of the lanes that supply it.
static bool takeMetadata(Decoder &decoder, const Form &form) {
  return decoder.source(decoder.operand(4), Type::B32, decoder.op.in[0]) &&
         takeSelector(decoder, decoder.operand(5), bitsOfElement(form, 'a'), form.k / 2);
}

static bool takeOperands(Decoder &decoder, const Form &form) {
  const auto sources = [&](size_t number, char matrix, SlotList &list) {
    return decoder.sources(decoder.operand(number), registerType(form, matrix),
                           registersFor(form, matrix), list);
  };
  const size_t ofSparsity = form.isSparse ? 2 : 0, ofScales = form.scales ? 4 : 0;
  return decoder.expectOperands(4 + ofSparsity + ofScales) &&
         decoder.destinations(decoder.operand(0), registerType(form, 'd'), registersFor(form, 'd'),
                              decoder.op.list) &&
         sources(1, 'a', decoder.op.list2) && sources(2, 'b', decoder.op.list3) &&
         sources(3, 'c', decoder.op.list4) && (!form.isSparse || takeMetadata(decoder, form)) &&
         (!form.scales || takeScales(decoder, form, 4 + ofSparsity)) && decoder.finish(waitForWarp);
}

/// Takes `.xor.popc` or `.and.popc`.
static bool takeAdds(Decoder &decoder, Adds &adds) {
  const auto logic = decoder.takeOneOf({"xor", "and"});
  adds = !logic ? Adds::Products : *logic == 0 ? Adds::Xors : Adds::Ands;
  return !logic || decoder.take("popc");
}

/// The modifiers in front of the shape's types.
namespace {
struct Modifiers {
  Adds adds = Adds::Products;
  bool isSparse = false;
  MmaKind kind = MmaKind::None;
  bool isScaled = false;
};
} // namespace

static bool takeModifiers(Decoder &decoder, Modifiers &modifiers) {
  const auto sparse = decoder.takeOneOf({"sp", "sp::ordered_metadata"});
  modifiers.isSparse = sparse.has_value();
  static constexpr MmaKind kinds[] = {MmaKind::F8F6F4, MmaKind::MxF8F6F4, MmaKind::MxF4,
                                      MmaKind::MxF4NvF4};
  if (const auto kind =
          decoder.takeOneOf({"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"}))
    modifiers.kind = kinds[*kind];
  if (modifiers.kind != MmaKind::None && sparse && *sparse == 0)
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: kinds have .sp::ordered_metadata");
  modifiers.isScaled = decoder.take("block_scale");
  if (modifiers.isScaled != (modifiers.kind > MmaKind::F8F6F4))
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: .block_scale is for kinds mx");
  return takeAdds(decoder, modifiers.adds);
}

/// Takes `.scale_vec::2X`, which some kinds imply, then the type of the scales.
static bool takeScaleForm(Decoder &decoder, std::vector<size_t> &left) {
  const auto vector = decoder.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X"});
  if (!vector && !left.empty() && allForms()[left.front()].kind == MmaKind::MxF4NvF4)
    return decoder.refuse("'" + decoder.name() + "' has no .scale_vec");
  std::vector<Type> types;
  std::erase_if(
      left, [&](size_t number) { return vector && allForms()[number].scales != 1u << *vector; });
  for (size_t number : left)
    types.push_back(allForms()[number].scale);
  Type type;
  if (left.empty() || !decoder.expectType(type, types))
    return false;
  std::erase_if(left, [&](size_t number) { return allForms()[number].scale != type; });
  return true;
}

/// Takes the shape, then the types of D, A, B and C; each must match one of the remaining forms.
static std::optional<size_t> takeForm(Decoder &decoder, const Modifiers &modifiers) {
  std::vector<size_t> left = takeShape(decoder, allForms(), [&](const Form &form) {
    return form.adds == modifiers.adds && form.isSparse == modifiers.isSparse &&
           form.kind == modifiers.kind;
  });
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
  if (modifiers.isScaled && !takeScaleForm(decoder, left))
    return std::nullopt;
  return left.front();
}

static bool decodeMma(Decoder &decoder) {
  if (decoder.has("m8n8k4") && !decoder.has("f64"))
    return decodeQuadPairs(decoder);
  decoder.op.collective = multiply;
  if (!decoder.take("sync") || !decoder.take("aligned") || !decoder.take("row") ||
      !decoder.take("col"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isSaturated = decoder.take("satfinite");
  Modifiers modifiers;
  const auto number =
      takeModifiers(decoder, modifiers) ? takeForm(decoder, modifiers) : std::nullopt;
  if (!number)
    return decoder.refuse("'" + decoder.name() + "' is not supported in this shape");
  const Form &form = allForms()[*number];
  if (isSaturated && (form.d != Type::S32 || form.adds != Adds::Products))
    return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '.satfinite'");
  if (form.d == Type::F64)
    decoder.take("rn");
  decoder.op.mode = uint32_t(*number) | (isSaturated ? saturates : 0);
  return takeOperands(decoder, form);
}

std::span<const OpcodeRow> tilewright::ptx::matrixOpcodes() {
  static constexpr OpcodeRow rows[] = {{"mma", decodeMma}};
  return rows;
}
