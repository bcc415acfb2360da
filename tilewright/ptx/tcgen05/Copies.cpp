// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.cp (PTX ISA, 9.7.16.9.1): copies rows of shared memory, which a matrix descriptor
// describes, to lanes of tensor memory. A commit tracks it, and it is executed in order with the
// products of its thread.

#include "tilewright/ptx/tcgen05/Operands.h"

using namespace tilewright::ptx;

// op.in[0] and op.offset are the address, op.in[1] is the descriptor; op.mode has the index of the
// shape, and this flag.
static constexpr uint32_t ofPair = 4;

namespace {
/// Rows and bytes of a row, and how often the rows are repeated in the lanes.
struct Shape {
  std::string_view name, modifier;
  uint32_t rows, bytes, times;
};
} // namespace

static constexpr Shape shapes[] = {
    {"128x256b", "", 128, 32, 1}, {"128x128b", "", 128, 16, 1}, {"32x128b", "warpx4", 32, 16, 4}};

/// The blocks of 16 bytes that are copied, in the order of rows. None after a finding.
static std::optional<std::vector<uint64_t>> blocksOf(Thread &thread, const Op &op, uint64_t bits,
                                                     const Shape &shape) {
  auto place = decodeTensorMatrix(bits);
  if (const auto *wrong = std::get_if<std::string>(&place)) {
    failTensor(thread, op, *wrong);
    return std::nullopt;
  }
  std::vector<uint64_t> blocks;
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t byte = 0; byte < shape.bytes; byte += 16)
      blocks.push_back(std::get<MatrixDescriptor>(place).addressOf(row, byte, 8, true));
  return blocks;
}

/// Copies from a CTA's shared memory to its tensor memory.
static bool copyInCta(Thread &thread, const Op &op, Cta &cta, uint32_t firstColumn,
                      const std::vector<uint64_t> &blocks, const Shape &shape) {
  std::vector<uint64_t> reads = blocks;
  const TensorAccess access =
      tensorAccess(thread, op, pipelineAgentOf(*thread.warp), thread.warp->tensor.group);
  if (!checkSharedReads(thread, op, cta, reads) ||
      !accessTensor(thread, op, cta, {0xFF, firstColumn, shape.bytes / 4}, /*isWrite=*/true, access,
                    orderingOf(thread)))
    return false;
  TensorMemory &tensor = tensorMemoryOf(cta);
  const Region &shared = *cta.shared;
  for (uint32_t lane = 0; lane < tensorLanes; ++lane)
    for (uint32_t word = 0; word < shape.bytes / 4; ++word) {
      const uint32_t block = lane % shape.rows * (shape.bytes / 16) + word / 4;
      const uint64_t from = blocks[block] + word % 4 * 4;
      const size_t at = TensorMemory::at(lane, firstColumn + word);
      tensor.words[at] = uint32_t(shared.load(from, 4));
      tensor.defined[at] = shared.definedAt(from) & 15;
    }
  return true;
}

/// Of a pair, each CTA copies for itself, at the same addresses.
static bool copy(Thread &thread, const Op &op) {
  const auto address = tensorOperand(thread, op, op.in[0], /*isWide=*/false);
  const auto bits = tensorOperand(thread, op, op.in[1], /*isWide=*/true);
  const bool isOfPair = op.mode & ofPair;
  if (!address || !bits || !checkTensorGroup(thread, op, isOfPair ? 2 : 1))
    return false;
  const TensorAddress to(uint32_t(*address) + uint32_t(op.offset));
  const Shape &shape = shapes[op.mode & ~ofPair];
  const auto blocks = blocksOf(thread, op, *bits, shape);
  if (!blocks)
    return false;
  if (to.lane != 0) {
    failTensor(thread, op, "a copy to tensor memory begins at lane 0, and not at " + toString(to));
    return false;
  }
  Cta *peer = isOfPair ? peerOf(thread, op) : nullptr;
  if (isOfPair && !peer)
    return false;
  return copyInCta(thread, op, *thread.cta, to.column, *blocks, shape) &&
         (!peer || copyInCta(thread, op, *peer, to.column, *blocks, shape));
}

static Step runCopy(Thread &thread, const Op &op) {
  return copy(thread, op) ? Step::Next : Step::Stop;
}

bool tilewright::ptx::decodeTensorCopy(Decoder &decoder) {
  Op &op = decoder.op;
  const uint32_t group = takeGroup(decoder);
  if (!group)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  for (const Shape &shape : shapes) {
    if (!decoder.take(shape.name))
      continue;
    if (!shape.modifier.empty() && !decoder.take(shape.modifier))
      break;
    op.mode = uint32_t(&shape - shapes) | (group == 2 ? ofPair : 0);
    return decoder.expectOperands(2) &&
           takeTensorAddress(decoder, decoder.operand(0), op.in[0], op.offset) &&
           decoder.source(decoder.operand(1), Type::B64, op.in[1]) && decoder.finish(runCopy);
  }
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}
