// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tcgen05.h.

#include "tilewright/ptx/tcgen05/Tcgen05.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

std::string tilewright::ptx::toString(const TensorAddress &address) {
  return "lane " + std::to_string(address.lane) + ", column " + std::to_string(address.column);
}

std::optional<uint64_t> tilewright::ptx::tensorOperand(Thread &thread, const Op &op, uint32_t slot,
                                                       bool isWide) {
  if (isWide ? thread.has<uint64_t>(slot) : thread.has<uint32_t>(slot))
    return isWide ? thread.values[slot] : thread.get<uint32_t>(slot);
  stop(thread, op, Check::Undefined, "an operand of a tcgen05 instruction is not defined");
  return std::nullopt;
}

std::optional<uint32_t> tilewright::ptx::uniformOperand(Warp &warp, const Op &op, uint32_t slot) {
  Thread &first = *warp.threads.front();
  const auto value = tensorOperand(first, op, slot, /*isWide=*/false);
  if (!value)
    return std::nullopt;
  for (const Thread *thread : warp.threads)
    if (!thread->has<uint32_t>(slot) || thread->get<uint32_t>(slot) != uint32_t(*value)) {
      stop(first, op, Check::Collective,
           "an operand of a tcgen05 instruction is not the same in all lanes of the warp");
      return std::nullopt;
    }
  return uint32_t(*value);
}

TensorOrdering tilewright::ptx::orderingOf(const Warp &warp) {
  TensorOrdering ordering;
  for (const Thread *thread : warp.threads) {
    if (thread->vectorClock != ordering.vectorClock)
      ordering.vectorClock = join(ordering.vectorClock, thread->vectorClock);
    if (thread->tensorView != ordering.view)
      ordering.view = join(ordering.view, thread->tensorView);
  }
  return ordering;
}

uint32_t tilewright::ptx::takeGroup(Decoder &decoder) {
  const auto group = decoder.takeOneOf({"cta_group::1", "cta_group::2"});
  return group ? uint32_t(*group + 1) : 0;
}

bool tilewright::ptx::takeTensorAddress(Decoder &decoder, const Operand &operand, uint32_t &slot,
                                        int64_t &offset) {
  if (!decoder.address(operand, Space::Shared, 0)) // of 32 bits, as one in shared memory
    return false;
  slot = decoder.op.in[0];
  offset = decoder.op.offset;
  decoder.op.space = Space::Generic;
  return true;
}

static bool decodeTcgen05(Decoder &decoder) {
  if (decoder.take("fence::before_thread_sync"))
    return decodeTensorFence(decoder, /*isBefore=*/true);
  if (decoder.take("fence::after_thread_sync"))
    return decodeTensorFence(decoder, /*isBefore=*/false);
  if (decoder.take("wait::ld"))
    return decodeTensorWait(decoder, /*isLoad=*/true);
  if (decoder.take("wait::st"))
    return decodeTensorWait(decoder, /*isLoad=*/false);
  if (decoder.take("alloc"))
    return decodeTensorAllocation(decoder);
  if (decoder.take("dealloc"))
    return decodeTensorFree(decoder);
  if (decoder.take("relinquish_alloc_permit"))
    return decodeTensorPermit(decoder);
  if (decoder.take("ld"))
    return decodeTensorLoad(decoder);
  if (decoder.take("st"))
    return decodeTensorStore(decoder);
  if (decoder.take("mma"))
    return decodeTensorProduct(decoder);
  if (decoder.take("cp"))
    return decodeTensorCopy(decoder);
  if (decoder.take("shift"))
    return decodeTensorShift(decoder);
  if (decoder.take("commit"))
    return decodeTensorCommit(decoder);
  return decoder.refuse("instruction '" + decoder.name() + "' is not supported");
}

std::span<const OpcodeRow> tilewright::ptx::tcgen05Opcodes() {
  static constexpr OpcodeRow rows[] = {{"tcgen05", decodeTcgen05}};
  return rows;
}
