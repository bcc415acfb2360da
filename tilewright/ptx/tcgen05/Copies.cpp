// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.cp (PTX ISA, 9.7.16.9.1): copies rows of shared memory, which a matrix descriptor
// describes, to lanes of tensor memory. A commit tracks it, and it is executed in order with the
// products of its thread.

#include "tilewright/ptx/tcgen05/Operands.h"

using namespace tilewright::ptx;

// op.in[0] and op.offset are the address, op.in[1] is the descriptor; op.mode has the index of the
// shape.

namespace {
/// Rows and bytes of a row, and how often the rows are repeated in the lanes.
struct Shape {
  std::string_view name, modifier;
  uint32_t rows, bytes, times;
};
} // namespace

static constexpr Shape shapes[] = {
    {"128x256b", "", 128, 32, 1}, {"128x128b", "", 128, 16, 1}, {"32x128b", "warpx4", 32, 16, 4}};

static bool copy(Thread &thread, const Op &op) {
  const auto address = tensorOperand(thread, op, op.in[0], /*isWide=*/false);
  const auto bits = tensorOperand(thread, op, op.in[1], /*isWide=*/true);
  if (!address || !bits || !checkTensorGroup(thread, op, 1))
    return false;
  const TensorAddress to(uint32_t(*address) + uint32_t(op.offset));
  auto place = decodeTensorMatrix(*bits);
  if (const auto *wrong = std::get_if<std::string>(&place)) {
    failTensor(thread, op, *wrong);
    return false;
  }
  if (to.lane != 0) {
    failTensor(thread, op, "a copy to tensor memory begins at lane 0, and not at " + toString(to));
    return false;
  }
  const Shape &shape = shapes[op.mode];
  std::vector<uint64_t> blocks;
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t byte = 0; byte < shape.bytes; byte += 16)
      blocks.push_back(std::get<MatrixDescriptor>(place).addressOf(row, byte, 8, true));
  std::vector<uint64_t> reads = blocks;
  const TensorAccess access =
      tensorAccess(thread, op, pipelineAgentOf(*thread.warp), thread.warp->tensor.group);
  if (!checkSharedReads(thread, op, *thread.cta, reads) ||
      !accessTensor(thread, op, *thread.cta, {0xFF, to.column, shape.bytes / 4}, /*isWrite=*/true,
                    access, orderingOf(thread)))
    return false;
  TensorMemory &tensor = tensorMemoryOf(*thread.cta);
  const Region &shared = *thread.cta->shared;
  for (uint32_t lane = 0; lane < tensorLanes; ++lane)
    for (uint32_t word = 0; word < shape.bytes / 4; ++word) {
      const uint32_t block = lane % shape.rows * (shape.bytes / 16) + word / 4;
      const uint64_t from = blocks[block] + word % 4 * 4;
      const size_t at = TensorMemory::at(lane, to.column + word);
      tensor.words[at] = uint32_t(shared.load(from, 4));
      tensor.defined[at] = shared.definedAt(from) & 15;
    }
  return true;
}

static Step runCopy(Thread &thread, const Op &op) {
  return copy(thread, op) ? Step::Next : Step::Stop;
}

bool tilewright::ptx::decodeTensorCopy(Decoder &decoder) {
  Op &op = decoder.op;
  if (takeGroup(decoder) != 1)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  for (const Shape &shape : shapes) {
    if (!decoder.take(shape.name))
      continue;
    if (!shape.modifier.empty() && !decoder.take(shape.modifier))
      break;
    op.mode = uint32_t(&shape - shapes);
    return decoder.expectOperands(2) &&
           takeTensorAddress(decoder, decoder.operand(0), op.in[0], op.offset) &&
           decoder.source(decoder.operand(1), Type::B64, op.in[1]) && decoder.finish(runCopy);
  }
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}
