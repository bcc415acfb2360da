// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.cp (PTX ISA, 9.7.16.9.1): copies rows of shared memory, which a matrix descriptor
// describes, to lanes of tensor memory. A commit tracks it, and it is executed in order with the
// products of its thread.

#include "tilewright/ptx/tcgen05/Operands.h"

using namespace tilewright::ptx;

// op.in[0] and op.offset are the address, op.in[1] is the descriptor; op.mode has the index of the
// shape, and these flags.
static constexpr uint32_t shapeBits = 7, ofPair = 8, isSixBit = 16;

namespace {
/// Rows and bytes of a row. Blocks of `block` rows go to adjacent lanes, blocks `distance` lanes
/// apart; all of them are repeated `times` times, `step` lanes apart.
struct Shape {
  std::string_view name, modifier;
  uint32_t rows, bytes, block, distance, times, step;

  uint32_t laneOf(uint32_t row, uint32_t time) const {
    return row % block + row / block * distance + time * step;
  }
  uint32_t lastLane() const { return laneOf(rows - 1, times - 1); }
};
} // namespace

static constexpr Shape shapes[] = {{"128x256b", "", 128, 32, 128, 0, 1, 0},
                                   {"4x256b", "", 4, 32, 1, 32, 1, 0},
                                   {"128x128b", "", 128, 16, 128, 0, 1, 0},
                                   {"64x128b", "warpx2::02_13", 64, 16, 64, 0, 2, 64},
                                   {"64x128b", "warpx2::01_23", 64, 16, 32, 64, 2, 32},
                                   {"32x128b", "warpx4", 32, 16, 32, 0, 4, 32}};

static const Shape &shapeOf(const Op &op) { return shapes[op.mode & shapeBits]; }

/// The blocks of 16 bytes that are copied, in the order of rows. None after a finding.
static std::optional<std::vector<uint64_t>> blocksOf(Thread &thread, const Op &op, uint64_t bits) {
  auto place = decodeTensorMatrix(bits);
  if (const auto *wrong = std::get_if<std::string>(&place)) {
    failTensor(thread, op, *wrong);
    return std::nullopt;
  }
  const Shape &shape = shapeOf(op);
  std::vector<uint64_t> blocks;
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t byte = 0; byte < shape.bytes; byte += 16)
      blocks.push_back(std::get<MatrixDescriptor>(place).addressOf(row, byte, 8, true));
  return blocks;
}

namespace {
struct Word {
  uint32_t bits;
  uint8_t defined;
};
} // namespace

/// Word `number` of a block of 16 bytes.
static Word wordAt(const Region &shared, uint64_t block, uint32_t number) {
  const uint64_t from = block + 4 * number;
  return {uint32_t(shared.load(from, 4)), uint8_t(shared.definedAt(from) & 15)};
}

/// Bytes 4 * `number` and up of 16 elements: those of 6 bits are at the beginning of the block, and
/// each gets the low bits of a byte (PTX ISA, 9.7.16.9.1.2).
static Word sixBitWordAt(const Region &shared, uint64_t block, uint32_t number) {
  const uint64_t from = block + 3 * number; // four elements in three bytes
  const uint64_t bits = shared.load(from, 3);
  unsigned defined = 0;
  for (unsigned byte = 0; byte < 3; ++byte)
    defined |= (shared.definedAt(from + byte) & 1u) << byte;
  Word word{0, 0};
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned bit = 6 * byte, touched = 1u << bit / 8 | 1u << (bit + 5) / 8;
    word.bits |= uint32_t(bits >> bit & 0x3F) << 8 * byte;
    word.defined |= uint8_t((defined & touched) == touched) << byte;
  }
  return word;
}

/// Bits for the groups of 16 lanes that a copy writes.
static uint32_t groupsOf(const Shape &shape, uint32_t firstLane) {
  uint32_t groups = 0;
  for (uint32_t time = 0; time < shape.times; ++time)
    for (uint32_t row = 0; row < shape.rows; ++row)
      groups |= groupsOf(firstLane + shape.laneOf(row, time), 1);
  return groups;
}

/// Copies from a CTA's shared memory to its tensor memory.
static bool copyInCta(Thread &thread, const Op &op, Cta &cta, const TensorAddress &to,
                      const std::vector<uint64_t> &blocks) {
  const Shape &shape = shapeOf(op);
  std::vector<uint64_t> reads = blocks;
  const TensorAccess access = pipelinedAccess(thread, op);
  const TensorBlock written{groupsOf(shape, to.lane), to.column, shape.bytes / 4};
  if (!checkSharedReads(thread, op, cta, reads) ||
      !accessTensor(thread, op, cta, written, /*isWrite=*/true, access, orderingOf(thread)))
    return false;
  TensorMemory &tensor = tensorMemoryOf(cta);
  const auto read = op.mode & isSixBit ? sixBitWordAt : wordAt;
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t number = 0; number < shape.bytes / 4; ++number) {
      const uint64_t block = blocks[row * (shape.bytes / 16) + number / 4];
      const Word word = read(*cta.shared, block, number % 4);
      for (uint32_t time = 0; time < shape.times; ++time) {
        const size_t at = TensorMemory::at(to.lane + shape.laneOf(row, time), to.column + number);
        tensor.words[at] = word.bits;
        tensor.defined[at] = word.defined;
      }
    }
  return true;
}

static bool checkLane(Thread &thread, const Op &op, const TensorAddress &to) {
  const uint32_t last = tensorLanes - 1 - shapeOf(op).lastLane();
  if (to.lane <= last)
    return true;
  failTensor(thread, op,
             "a copy of this shape to tensor memory begins at lane 0" +
                 (last ? " to " + std::to_string(last) : "") + ", and not at " + toString(to));
  return false;
}

/// Of a pair, each CTA copies for itself, at the same addresses.
static bool copy(Thread &thread, const Op &op) {
  const auto address = tensorOperand(thread, op, op.in[0], /*isWide=*/false);
  const auto bits = tensorOperand(thread, op, op.in[1], /*isWide=*/true);
  const bool isOfPair = op.mode & ofPair;
  if (!address || !bits || !checkTensorGroup(thread, op, isOfPair ? 2 : 1))
    return false;
  const TensorAddress to(uint32_t(*address) + uint32_t(op.offset));
  const auto blocks = blocksOf(thread, op, *bits);
  if (!blocks || !checkLane(thread, op, to))
    return false;
  Cta *peer = isOfPair ? peerOf(thread, op) : nullptr;
  if (isOfPair && !peer)
    return false;
  return copyInCta(thread, op, *thread.cta, to, *blocks) &&
         (!peer || copyInCta(thread, op, *peer, to, *blocks));
}

static Step runCopy(Thread &thread, const Op &op) {
  return copy(thread, op) ? Step::Next : Step::Stop;
}

static std::optional<uint32_t> takeShape(Decoder &decoder) {
  for (const Shape &shape : shapes)
    if (decoder.has(shape.name) && (shape.modifier.empty() || decoder.take(shape.modifier))) {
      decoder.take(shape.name);
      return uint32_t(&shape - shapes);
    }
  return std::nullopt;
}

bool tilewright::ptx::decodeTensorCopy(Decoder &decoder) {
  Op &op = decoder.op;
  const uint32_t group = takeGroup(decoder);
  const auto shape = takeShape(decoder);
  const bool isPacked = decoder.take("b8x16");
  if (!group || !shape || isPacked != decoder.take("b6x16_p32"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  op.mode = *shape | (group == 2 ? ofPair : 0) | (isPacked ? isSixBit : 0);
  return decoder.expectOperands(2) &&
         takeTensorAddress(decoder, decoder.operand(0), op.in[0], op.offset) &&
         decoder.source(decoder.operand(1), Type::B64, op.in[1]) && decoder.finish(runCopy);
}
