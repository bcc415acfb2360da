// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scales.h.

#include "tilewright/ptx/instructions/matrix/Scales.h"

using namespace tilewright::ptx;

Scale tilewright::ptx::scaleOf(const Warp &warp, const Form &form, char matrix, unsigned line,
                               unsigned k) {
  const Thread &leader = *warp.threads.front();
  const unsigned isB = matrix == 'b';
  const auto slotOf = [&](const Thread &thread, unsigned part) {
    return thread.code->slots[thread.waitOp->target + 3 * isB + part];
  };
  const unsigned byte = leader.get<uint16_t>(slotOf(leader, 1));
  const unsigned number = leader.get<uint16_t>(slotOf(leader, 2));
  bool isDefined =
      leader.has<uint16_t>(slotOf(leader, 1)) && leader.has<uint16_t>(slotOf(leader, 2));
  const unsigned lane = line % 8 * 4 + (isB ? number & 3 : (number & 1) * 2 + line / 8);
  const Thread &thread = *warp.threads[lane];
  const unsigned at = (byte + k * form.scales / form.k) & 3;
  const uint32_t slot = slotOf(thread, 0);
  isDefined &= (thread.defined[slot] >> at & 1) != 0;
  return {floatOfElement(thread.get<uint32_t>(slot) >> (8 * at) & 0xFF, form.scale), isDefined};
}

/// The first byte of the scales: any byte for one, an even byte for two, byte 0 for four.
static bool takeChoice(Decoder &decoder, const Form &form, const Operand &choice, uint64_t threads,
                       std::vector<uint32_t> &slots) {
  if (choice.kind != OperandKind::Vector || choice.parts.size() != 2)
    return decoder.refuseAt(choice.place, "'" + decoder.name() + "': expected {byte, thread}");
  const Operand &byte = choice.parts[0], &thread = choice.parts[1];
  const bool isByte =
      byte.kind != OperandKind::Integer || (byte.bits < 4 && byte.bits % form.scales == 0);
  const bool isThread = thread.kind != OperandKind::Integer || thread.bits < threads;
  if (!isByte || !isThread)
    return decoder.refuseAt(choice.place, "'" + decoder.name() + "': there is no " +
                                              (isByte ? "thread " + std::to_string(thread.bits)
                                                      : "byte " + std::to_string(byte.bits)) +
                                              " of scales");
  return decoder.source(byte, Type::B16, slots.emplace_back()) &&
         decoder.source(thread, Type::B16, slots.emplace_back());
}

bool tilewright::ptx::takeScales(Decoder &decoder, const Form &form, size_t first) {
  std::vector<uint32_t> slots;
  for (size_t matrix = 0; matrix < 2; ++matrix)
    if (!decoder.source(decoder.operand(first + 2 * matrix), Type::B32, slots.emplace_back()) ||
        !takeChoice(decoder, form, decoder.operand(first + 2 * matrix + 1), matrix == 0 ? 2 : 4,
                    slots))
      return false;
  decoder.op.target = decoder.addList(slots).first;
  return true;
}
