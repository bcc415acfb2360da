// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wmma.load, wmma.mma and wmma.store (PTX ISA, 9.7.15.4). The fragment layout is unspecified, so
// programs cannot depend on it (Form.h).

#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/matrix/Product.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

static constexpr uint32_t saturates = 1u << 31;

//===-- Forms -------------------------------------------------------------------------------===//

static void addShapes(std::vector<Form> &all, Type a, Type b, Type c, Type d) {
  for (const auto &[m, n] : {std::pair(16u, 16u), {8u, 32u}, {32u, 8u}})
    all.push_back({m, n, 16, a, b, c, d, Adds::Products, true});
}

static const std::vector<Form> &allForms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list;
    for (Type c : {Type::F16, Type::F32})
      for (Type d : {Type::F16, Type::F32})
        addShapes(list, Type::F16, Type::F16, c, d);
    addShapes(list, Type::BF16, Type::BF16, Type::F32, Type::F32);
    for (Type type : {Type::S8, Type::U8})
      addShapes(list, type, type, Type::S32, Type::S32);
    list.push_back({16, 16, 8, Type::TF32, Type::TF32, Type::F32, Type::F32, Adds::Products, true});
    list.push_back({8, 8, 4, Type::F64, Type::F64, Type::F64, Type::F64, Adds::Products, true});
    for (Type type : {Type::S4, Type::U4})
      list.push_back({8, 8, 32, type, type, Type::S32, Type::S32, Adds::Products, true});
    for (Adds adds : {Adds::Xors, Adds::Ands})
      list.push_back({8, 8, 128, Type::B1, Type::B1, Type::S32, Type::S32, adds, true});
    return list;
  }();
  return all;
}

static bool takeWarp(Decoder &decoder) { return decoder.take("sync") && decoder.take("aligned"); }

//===-- Loads and stores --------------------------------------------------------------------===//

// op.mode has the form in its lower bits, then the matrix, then the flag for row-major. op.in[1]
// has the stride in elements.
static constexpr uint32_t rowMajor = 1u << 16;

static const Form &formOf(const Op &op) { return allForms()[op.mode & 0xFF]; }
static char matrixOf(const Op &op) { return char(op.mode >> 8 & 0xFF); }

/// The byte with the element, and the position of its lowest bit there.
static std::pair<Target, unsigned> locateElement(Thread &thread, const Op &op, unsigned i) {
  const Form &form = formOf(op);
  const Cell cell = cellOf(form, matrixOf(op), thread.lane, i);
  const uint64_t stride = thread.get<uint32_t>(op.in[1]);
  const uint64_t at =
      op.mode & rowMajor ? cell.row * stride + cell.column : cell.column * stride + cell.row;
  const unsigned bits = bitsOfElement(typeOf(form, matrixOf(op))), bytes = std::max(bits / 8, 1u);
  uint64_t address = thread.values[op.in[0]] + uint64_t(op.offset) + at * bits / 8;
  if (op.space == Space::Shared)
    address = uint32_t(address);
  return {locateAddress(thread, op, op.space, address, bytes, bytes), unsigned(at * bits % 8)};
}

static bool checkOperands(Thread &thread, const Op &op) {
  if (thread.has<uint32_t>(op.in[0]) && thread.has<uint32_t>(op.in[1]))
    return true;
  thread.machine->report(Check::Undefined, thread, op, "the address or the stride is not defined");
  thread.machine->isStopped = true;
  return false;
}

static bool loadFragment(Thread &thread, const Op &op) {
  const Form &form = formOf(op);
  const unsigned bits = bitsOfElement(typeOf(form, matrixOf(op))), bytes = std::max(bits / 8, 1u);
  const unsigned width = registerType(form, matrixOf(op)) == Type::F64 ? 64 : 32;
  const unsigned perSlot = width / bits;
  uint64_t word = 0;
  uint8_t defined = 0;
  if (!checkOperands(thread, op))
    return false;
  for (unsigned i = 0; i < elementsPerLane(form, matrixOf(op)); ++i) {
    const auto [target, shift] = locateElement(thread, op, i);
    if (!target)
      return false;
    const Loaded loaded = load(thread, op, target, bytes);
    const unsigned at = i % perSlot;
    const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    word = (at ? word : 0) | (loaded.bits >> shift & mask) << (bits * at);
    // Elements that share a byte in memory also share a byte of the register.
    const uint8_t has = uint8_t((loaded.defined & ((1u << bytes) - 1)) << (bits * at / 8));
    defined = uint8_t((at ? defined : 0) | has);
    if (at + 1 == perSlot) {
      const uint32_t slot = thread.code->slots[op.list.first + i / perSlot];
      thread.values[slot] = word;
      thread.defined[slot] = defined == 0xF && width == 32 ? 0xFF : defined;
    }
  }
  return true;
}

static bool storeFragment(Thread &thread, const Op &op) {
  const Form &form = formOf(op);
  const unsigned bits = bitsOfElement(form.d);
  if (!checkOperands(thread, op))
    return false;
  for (unsigned i = 0; i < elementsPerLane(form, 'd'); ++i) {
    bool isDefined = true;
    const uint64_t value = extract(thread, op.list, i, bits, isDefined);
    const auto [target, shift] = locateElement(thread, op, i);
    if (!target || !store(thread, op, target, bits / 8, {value, uint8_t(isDefined ? 0xFF : 0)}))
      return false;
  }
  return true;
}

template <bool (*move)(Thread &, const Op &)> static bool moveFragments(Warp &warp, uint32_t) {
  return std::all_of(warp.threads.begin(), warp.threads.end(),
                     [](Thread *thread) { return move(*thread, *thread->waitOp); });
}

/// Takes the type of a matrix; removes the forms with another type.
static bool takeTypeOf(Decoder &decoder, char matrix, std::vector<size_t> &left) {
  std::vector<Type> types;
  for (size_t number : left)
    types.push_back(typeOf(allForms()[number], matrix));
  Type type;
  if (!decoder.expectType(type, types))
    return false;
  std::erase_if(left, [&](size_t number) { return typeOf(allForms()[number], matrix) != type; });
  return true;
}

/// Takes shape and type of any form with this matrix: they determine the registers.
static bool takeMatrix(Decoder &decoder, char matrix) {
  std::vector<size_t> left = takeShape(decoder, allForms(), [](const Form &) { return true; });
  if (left.empty() || !takeTypeOf(decoder, matrix, left))
    return false;
  decoder.op.mode |= uint32_t(left.front()) | uint32_t(matrix) << 8;
  return true;
}

static bool takeLayout(Decoder &decoder) {
  const auto layout = decoder.takeOneOf({"row", "col"});
  decoder.op.mode |= layout && *layout == 0 ? rowMajor : 0;
  return layout.has_value();
}

/// Sub-byte elements must be contiguous along k.
static bool fitsLayout(const Op &op) {
  const char matrix = matrixOf(op);
  return bitsOfElement(typeOf(formOf(op), matrix)) >= 8 ||
         (matrix == 'a') == ((op.mode & rowMajor) != 0);
}

static bool takeStride(Decoder &decoder, size_t number) {
  const Op &op = decoder.op;
  if (decoder.operandCount() > number)
    return decoder.source(decoder.operand(number), Type::B32, decoder.op.in[1]);
  const Form &form = formOf(op);
  const unsigned rows = matrixOf(op) == 'b' ? form.k : form.m;
  const unsigned columns = matrixOf(op) == 'a' ? form.k : form.n;
  decoder.op.in[1] = decoder.constant(op.mode & rowMajor ? columns : rows);
  return true;
}

static bool decodeLoad(Decoder &decoder) {
  const auto matrix = decoder.takeOneOf({"a", "b", "c"});
  const Space space = takeSpace(decoder);
  if (!matrix || !takeWarp(decoder) || !takeLayout(decoder) ||
      !takeMatrix(decoder, "abc"[*matrix]) || !fitsLayout(decoder.op))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.collective = moveFragments<loadFragment>;
  const Form &form = formOf(decoder.op);
  return decoder.expectOperands(2, 3) &&
         decoder.destinations(decoder.operand(0), registerType(form, "abc"[*matrix]),
                              registersFor(form, "abc"[*matrix]), decoder.op.list) &&
         decoder.address(decoder.operand(1), space, 0) && takeStride(decoder, 2) &&
         decoder.finish(waitForWarp);
}

static bool decodeStore(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  if (!decoder.take("d") || !takeWarp(decoder) || !takeLayout(decoder) || !takeMatrix(decoder, 'd'))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.collective = moveFragments<storeFragment>;
  const Form &form = formOf(decoder.op);
  return decoder.expectOperands(2, 3) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.sources(decoder.operand(1), registerType(form, 'd'), registersFor(form, 'd'),
                         decoder.op.list) &&
         takeStride(decoder, 2) && decoder.finish(waitForWarp);
}

//===-- The product -------------------------------------------------------------------------===//

static bool multiply(Warp &warp, uint32_t) {
  const uint32_t mode = warp.threads.front()->waitOp->mode;
  multiply(warp, allForms()[mode & ~saturates], mode & saturates);
  return true;
}

/// Takes the types of D, A, B and C; for f16 only those of D and C.
static std::optional<size_t> takeForm(Decoder &decoder, Adds adds) {
  std::vector<size_t> left =
      takeShape(decoder, allForms(), [&](const Form &form) { return form.adds == adds; });
  if (left.empty())
    return std::nullopt;
  if (!takeTypeOf(decoder, 'd', left))
    return std::nullopt;
  // The type of f16 operands is not named.
  const auto isNamed = [&](size_t number) { return allForms()[number].a != Type::F16; };
  const bool hasOperands = decoder.has("bf16") || decoder.has("tf32") || decoder.has("f64") ||
                           decoder.has("s8") || decoder.has("u8") || decoder.has("s4") ||
                           decoder.has("u4") || decoder.has("b1");
  std::erase_if(left, [&](size_t number) { return isNamed(number) != hasOperands; });
  if (left.empty() ||
      (hasOperands && (!takeTypeOf(decoder, 'a', left) || !takeTypeOf(decoder, 'b', left))))
    return std::nullopt;
  return takeTypeOf(decoder, 'c', left) ? std::optional(left.front()) : std::nullopt;
}

static bool decodeProduct(Decoder &decoder) {
  const auto logic = decoder.takeOneOf({"xor", "and"});
  const Adds adds = !logic ? Adds::Products : *logic == 0 ? Adds::Xors : Adds::Ands;
  if (!takeWarp(decoder) || (logic && !decoder.take("popc")))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  // The layouts tell how A and B were loaded, which makes no difference to their fragments.
  while (decoder.takeOneOf({"row", "col"})) {
  }
  const bool isSaturated = decoder.take("satfinite");
  decoder.take("rn"); // for f64
  const auto number = takeForm(decoder, adds);
  if (!number)
    return decoder.refuse("'" + decoder.name() + "' is not supported in this shape");
  const Form &form = allForms()[*number];
  if (isSaturated && form.d != Type::S32)
    return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '.satfinite'");
  decoder.op.mode = uint32_t(*number) | (isSaturated ? saturates : 0);
  decoder.op.collective = multiply;
  const auto sources = [&](size_t operand, char matrix, SlotList &list) {
    return decoder.sources(decoder.operand(operand), registerType(form, matrix),
                           registersFor(form, matrix), list);
  };
  return decoder.expectOperands(4) &&
         decoder.destinations(decoder.operand(0), registerType(form, 'd'), registersFor(form, 'd'),
                              decoder.op.list) &&
         sources(1, 'a', decoder.op.list2) && sources(2, 'b', decoder.op.list3) &&
         sources(3, 'c', decoder.op.list4) && decoder.finish(waitForWarp);
}

static bool decodeWmma(Decoder &decoder) {
  if (decoder.take("load"))
    return decodeLoad(decoder);
  if (decoder.take("store"))
    return decodeStore(decoder);
  return decoder.take("mma") && decodeProduct(decoder);
}

std::span<const OpcodeRow> tilewright::ptx::wmmaOpcodes() {
  static constexpr OpcodeRow rows[] = {{"wmma", decodeWmma}};
  return rows;
}
