// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setmaxnreg (PTX ISA, 9.7.20.5): warps return registers to the pool of their CTA, and take
// registers from it. A warp that requests more than available waits until another one returns some.
// All warps of a warpgroup must increase and decrease their registers in the same order. The manual
// demands the same instruction; but Triton and CUTLASS have one for each role of the warps of a
// warpgroup, and CUTLASS with different numbers of registers (example 77).

#include "tilewright/ptx/async/RegisterCounts.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Rendezvous.h"

using namespace tilewright::ptx;

//===-- The instruction ---------------------------------------------------------------------===//

static bool changeRegisters(Warp &warp, uint32_t) {
  const Op &op = *warp.threads.front()->waitOp;
  if (!checkWarpgroup(warp, op))
    return false;
  if (warp.registers)
    warp.registers = uint32_t(op.offset);
  wakeForRegisters(*warp.cta);
  return true;
}

static Step runDecrease(Thread &thread, const Op &op) { return waitForWarp(thread, op); }

/// The first lane takes the registers for its warp.
static Step runIncrease(Thread &thread, const Op &op) {
  Warp &warp = *thread.warp;
  const auto requested = uint32_t(op.offset);
  if (warp.registers && warp.registers < requested) {
    if (requested - warp.registers > freeRegisters(*thread.cta)) {
      thread.state = State::AtRegisters;
      thread.waitOp = &op;
      return Step::Wait;
    }
    warp.registers = requested;
  }
  return waitForWarp(thread, op);
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool decodeRegisterCount(Decoder &decoder) {
  uint64_t count = 0;
  const auto what = decoder.takeOneOf({"inc", "dec"});
  if (!what || !decoder.take("sync") || !decoder.take("aligned") || !decoder.take("u32") ||
      !decoder.expectOperands(1) || !decoder.integer(decoder.operand(0), count))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (count < 24 || count > 256 || count % registerStep)
    return decoder.refuse("'" + decoder.name() +
                          "': expected a multiple of 8 from 24 to 256, found " +
                          std::to_string(count));
  decoder.op.offset = int64_t(count);
  decoder.op.mode = *what == 0;
  decoder.op.collective = changeRegisters;
  return decoder.finish(*what == 0 ? runIncrease : runDecrease);
}

std::span<const OpcodeRow> tilewright::ptx::registerCountOpcodes() {
  static constexpr OpcodeRow rows[] = {{"setmaxnreg", decodeRegisterCount}};
  return rows;
}
