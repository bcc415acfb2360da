// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes tcgen05.mma, with .sp and .ws (PTX ISA, 9.7.16.10.9).

#include "tilewright/ptx/tcgen05/Descriptors.h"
#include "tilewright/ptx/tcgen05/Product.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::tensor;

namespace {
class MmaDecoder {
public:
  explicit MmaDecoder(Decoder &decoder) : decoder(decoder), slots(SlotCount, decoder.constant(0)) {}

  bool run();

private:
  bool takeKind();
  bool takeScaleVector();
  bool takeAddress(Slot slot);
  bool takeA();
  bool takeMask();
  bool takeInputScale();
  bool takeZeroColumns();
  void takeCollector();
  bool takeModifiers();
  bool takeMatrices();
  const Operand &here() const { return decoder.operand(next); }
  bool refuse() { return decoder.refuse("'" + decoder.name() + "' is not supported"); }

  Decoder &decoder;
  std::vector<uint32_t> slots;
  TensorKind kind = TensorKind::F16;
  uint32_t mode = 0;
  size_t next = 0; ///< Number of the next operand.
};
} // namespace

bool MmaDecoder::takeKind() {
  for (uint32_t number = 0; number < tensorKinds().size(); ++number)
    if (decoder.take(tensorKinds()[number].name)) {
      kind = TensorKind(number);
      mode |= number;
      return true;
    }
  return refuse();
}

/// The number of scales in a row: with `block16` and `block32`, k / 16 or k / 32.
bool MmaDecoder::takeScaleVector() {
  if (!infoOf(kind).isScaled)
    return true;
  if (!decoder.take("block_scale"))
    return refuse();
  const auto size =
      decoder.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"});
  const unsigned k = infoOf(kind).k, usual = kind == TensorKind::MXF8F6F4 ? 1 : 2;
  const unsigned count = !size ? usual : *size == 3 ? k / 16 : *size == 4 ? k / 32 : 1u << *size;
  const bool isFour = kind == TensorKind::MXF4NVF4;
  if (isFour ? !size || count == 1 : count != usual)
    return refuse();
  mode |= hasScales | count << scalesShift;
  return true;
}

bool MmaDecoder::takeAddress(Slot slot) {
  int64_t offset = 0;
  if (!takeTensorAddress(decoder, here(), slots[slot], offset))
    return false;
  slots[slot + 1] = decoder.constant(uint64_t(offset));
  ++next;
  return true;
}

bool MmaDecoder::takeA() {
  if (here().kind == OperandKind::Address) {
    mode |= readsTensor;
    return takeAddress(A);
  }
  return decoder.source(decoder.operand(next++), Type::B64, slots[A]);
}

/// The lanes of D that are not written.
bool MmaDecoder::takeMask() {
  if (here().kind != OperandKind::Vector)
    return true;
  return decoder.sources(decoder.operand(next++), Type::B32, mode & ofPair ? 8 : 4,
                         decoder.op.list2);
}

bool MmaDecoder::takeInputScale() {
  uint64_t scale = 0;
  if (next == decoder.operandCount())
    return true;
  if (kind != TensorKind::F16 && kind != TensorKind::TF32)
    return refuse();
  if (!decoder.integer(here(), scale))
    return false;
  if (scale > 15)
    return decoder.refuseAt(here().place,
                            "'" + decoder.name() + "': expected a scale from 0 to 15");
  decoder.op.offset = int64_t(scale);
  ++next;
  return true;
}

/// The mask of .ws for columns of B that count as zeros.
bool MmaDecoder::takeZeroColumns() {
  return next == decoder.operandCount() ||
         decoder.source(decoder.operand(next++), Type::B64, slots[ZeroMask]);
}

/// Collector buffers cache A, or with .ws B, and do not change results.
void MmaDecoder::takeCollector() {
  static constexpr std::string_view buffers[] = {"a", "b0", "b1", "b2", "b3"},
                                    operations[] = {"fill", "use", "lastuse", "discard"};
  std::vector<std::string> names;
  std::string found;
  for (std::string_view buffer : buffers)
    for (std::string_view operation : operations)
      if ((buffer == "a") != bool(mode & isStationary))
        names.push_back("collector::" + std::string(buffer) + "::" + std::string(operation));
  decoder.takeOneOf(names, found);
}

bool MmaDecoder::takeModifiers() {
  mode |= (decoder.take("ws") ? isStationary : 0) | (decoder.take("sp") ? isSparse : 0);
  takeCollector();
  const uint32_t group = takeGroup(decoder);
  if (!group || !takeKind() || !takeScaleVector())
    return refuse();
  mode |= group == 2 ? ofPair : 0;
  return !(mode & isStationary) || (group == 1 && !infoOf(kind).isScaled) || refuse();
}

/// D, A, B, sparsity metadata and the descriptor, and what is in front of the predicate.
bool MmaDecoder::takeMatrices() {
  const bool isScaled = infoOf(kind).isScaled;
  const size_t least = mode & isSparse ? 6 : 5;
  if (!decoder.expectOperands(isScaled ? least + 2 : least, least + 2))
    return false;
  if (!takeAddress(D) || !takeA() ||
      !decoder.source(decoder.operand(next++), Type::B64, slots[B]) ||
      (mode & isSparse && !takeAddress(Sparsity)) ||
      !decoder.source(decoder.operand(next++), Type::B32, slots[Descriptor]))
    return false;
  if (isScaled)
    return takeAddress(ScaleA) && takeAddress(ScaleB);
  return mode & isStationary || takeMask();
}

bool MmaDecoder::run() {
  if (!takeModifiers() || !takeMatrices())
    return false;
  // With a mask, five operands are too few; without one, seven are too many.
  if (next == decoder.operandCount())
    return decoder.expectOperands(next + 1);
  if (!decoder.source(decoder.operand(next++), Type::Pred, slots[Enable]))
    return false;
  decoder.op.offset = 0;
  if (!(mode & isStationary ? takeZeroColumns() : takeInputScale()) ||
      !decoder.expectOperands(next))
    return false;
  decoder.op.in[0] = noSlot;
  decoder.op.mode = mode;
  decoder.op.list = decoder.addList(slots);
  return decoder.finish(runProduct);
}

bool tilewright::ptx::decodeTensorProduct(Decoder &decoder) { return MmaDecoder(decoder).run(); }
