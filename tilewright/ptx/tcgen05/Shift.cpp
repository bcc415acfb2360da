// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.shift (PTX ISA, 9.7.16.9.3): moves rows of 32 bytes of tensor memory by one lane. In each
// quarter of the lanes, a lane gets the row of the next one, and the last lane keeps its own. The
// manual leaves the direction open; published measurements on a B200 show this one. A commit tracks
// the shift, and it is executed in order with the products of its thread.

#include "tilewright/ptx/tcgen05/Tcgen05.h"

using namespace tilewright::ptx;

static constexpr uint32_t rowColumns = 8;

// op.in[0] and op.offset are the address, op.mode is the group.

static bool checkLane(Thread &thread, const Op &op, const TensorAddress &address) {
  if (address.lane == 0)
    return true;
  failTensor(thread, op,
             address.lane % lanesPerWarp || address.lane >= tensorLanes
                 ? "tcgen05.shift begins at lane 0, 32, 64 or 96, and not at " + toString(address)
                 : "the machine does not implement this (the kernel may be right): tcgen05.shift "
                   "from " +
                       toString(address));
  return false;
}

static void moveRow(TensorMemory &tensor, uint32_t lane, uint32_t column) {
  const size_t from = TensorMemory::at(lane + 1, column), to = TensorMemory::at(lane, column);
  std::copy_n(tensor.words.begin() + ptrdiff_t(from), rowColumns,
              tensor.words.begin() + ptrdiff_t(to));
  std::copy_n(tensor.defined.begin() + ptrdiff_t(from), rowColumns,
              tensor.defined.begin() + ptrdiff_t(to));
}

static bool shiftInCta(Thread &thread, const Op &op, Cta &cta, uint32_t column) {
  const TensorAccess access = pipelinedAccess(thread, op);
  if (!accessTensor(thread, op, cta, {0xFF, column, rowColumns}, /*isWrite=*/true, access,
                    orderingOf(thread)))
    return false;
  for (uint32_t lane = 0; lane < tensorLanes; ++lane)
    if (lane % lanesPerWarp != lanesPerWarp - 1)
      moveRow(tensorMemoryOf(cta), lane, column);
  return true;
}

/// Of a pair, both CTAs shift the same columns.
static Step runShift(Thread &thread, const Op &op) {
  const auto bits = tensorOperand(thread, op, op.in[0], /*isWide=*/false);
  if (!bits || !checkTensorGroup(thread, op, op.mode))
    return Step::Stop;
  const TensorAddress address(uint32_t(*bits) + uint32_t(op.offset));
  Cta *peer = op.mode == 2 ? peerOf(thread, op) : nullptr;
  if (!checkLane(thread, op, address) || (op.mode == 2 && !peer))
    return Step::Stop;
  return shiftInCta(thread, op, *thread.cta, address.column) &&
                 (!peer || shiftInCta(thread, op, *peer, address.column))
             ? Step::Next
             : Step::Stop;
}

bool tilewright::ptx::decodeTensorShift(Decoder &decoder) {
  Op &op = decoder.op;
  op.mode = takeGroup(decoder);
  if (!op.mode || !decoder.take("down"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return decoder.expectOperands(1) &&
         takeTensorAddress(decoder, decoder.operand(0), op.in[0], op.offset) &&
         decoder.finish(runShift);
}
