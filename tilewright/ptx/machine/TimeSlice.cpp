// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TimeSlice.h.

#include "tilewright/ptx/machine/TimeSlice.h"
#include "tilewright/ptx/machine/Rendezvous.h"
#include "tilewright/ptx/machine/TensorMemory.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/ptx/watch/Trace.h"

#include <algorithm>

using namespace tilewright::ptx;

/// An undefined guard makes the effect of the instruction unpredictable.
static bool checkGuard(Thread &thread, const Op &op) {
  if (thread.defined[op.guard] & 1)
    return true;
  if (thread.machine->checks.has(Check::Undefined))
    thread.machine->report(Check::Undefined, thread, op,
                           "the predicate of this instruction is not defined");
  return false;
}

/// The pending wgmma that still has to write or read this register, if any.
static const PendingProduct *pendingOf(const Thread &thread, uint32_t slot) {
  for (const PendingProduct &product : thread.products.pending) {
    if (product.frame != thread.frames.size())
      continue;
    for (const PendingRegister &reg : product.registers)
      if (reg.slot == slot)
        return &product;
    if (std::find(product.inputs.begin(), product.inputs.end(), slot) != product.inputs.end())
      return &product;
  }
  return nullptr;
}

/// Calls `visit` with all slots of an op.
template <typename Visit> static void visitSlots(const Thread &thread, const Op &op, Visit visit) {
  for (uint32_t slot : {op.d, op.d2, op.in[0], op.in[1], op.in[2], op.in[3]})
    if (slot != noSlot)
      visit(slot);
  for (const SlotList &list : {op.list, op.list2, op.list3, op.list4})
    for (uint32_t part = 0; part < list.count; ++part)
      visit(thread.code->slots[list.first + part]);
}

/// Registers of a wgmma may be used only after its group was waited for (PTX ISA,
/// wgmma.wait_group).
static void checkPendingRegisters(Thread &thread, const Op &op) {
  if (op.mayUsePending || !thread.machine->checks.has(Check::Wgmma))
    return;
  const PendingProduct *product = nullptr;
  visitSlots(thread, op, [&](uint32_t slot) {
    if (!product)
      product = pendingOf(thread, slot);
  });
  if (product)
    thread.machine->report(
        Check::Wgmma, thread, op,
        "a register of a wgmma is used that was not waited for: its group is " +
            std::string(product->group == UINT32_MAX ? "not committed" : "still on its way"),
        {{product->site, "the wgmma"}});
}

/// Gives a register of a tcgen05.ld its value, which the wait then does not overwrite.
static bool takeLoaded(Thread &thread, PendingLoad &load, uint32_t slot) {
  const auto found = std::find_if(load.registers.begin(), load.registers.end(),
                                  [&](const PendingRegister &reg) { return reg.slot == slot; });
  if (load.frame != thread.frames.size() || found == load.registers.end())
    return false;
  thread.values[slot] = found->value;
  thread.defined[slot] = found->isDefined ? 0xFF : 0;
  load.registers.erase(found);
  return true;
}

/// Registers of a tcgen05.ld that the op names get their values now: compilers move uses in front
/// of the wait, and `ptxas` waits at each use.
static void useLoads(Thread &thread, const Op &op) {
  if (op.mayUsePending)
    return;
  visitSlots(thread, op, [&](uint32_t slot) {
    const bool isRead = (slot != op.d && slot != op.d2) ||
                        std::find(std::begin(op.in), std::end(op.in), slot) != std::end(op.in);
    for (PendingLoad &load : thread.tensorLoads)
      if (takeLoaded(thread, load, slot) && isRead && !load.use)
        load.use = thread.site(op);
  });
}

//===-- The loop ----------------------------------------------------------------------------===//

namespace {
/// No counters and no trace: the calls compile to nothing.
struct Unwatched {
  explicit Unwatched(Thread &) {}
  void begin(const Op &) {}
  void end(const Op &, Step, bool) {}
};

/// Notifies counters and trace.
class Watched {
public:
  explicit Watched(Thread &thread) : thread(thread), machine(*thread.machine) {}

  void begin(const Op &op) {
    position = {thread.code->number, thread.pc};
    if (machine.counters)
      machine.counters->begin(thread);
    if (machine.trace)
      machine.trace->begin(thread, op);
  }
  void end(const Op &op, Step step, bool isExecuted) {
    if (machine.counters)
      machine.counters->end(thread, op, position, step, isExecuted);
    if (machine.trace)
      machine.trace->end(thread, op, position, step, isExecuted);
  }

private:
  Thread &thread;
  Machine &machine;
  Position position = {};
};
} // namespace

template <typename Watch> static void run(Thread &thread, uint32_t quantum) {
  Watch watch(thread);
  const Op *ops = thread.code->ops.data();
  uint32_t left = quantum;
  while (left > 0) {
    const Op &op = ops[thread.pc];
    --left;
    watch.begin(op);
    if (op.guard != noSlot) {
      if (!(thread.defined[op.guard] & 1))
        checkGuard(thread, op);
      if ((thread.values[op.guard] != 0) == op.isGuardNegated) {
        ++thread.pc;
        watch.end(op, Step::Next, /*isExecuted=*/false);
        continue;
      }
    }
    if (!thread.products.pending.empty())
      checkPendingRegisters(thread, op);
    if (!thread.tensorLoads.empty())
      useLoads(thread, op);
    const Step step = op.run(thread, op);
    if (step == Step::Next)
      ++thread.pc;
    else if (step == Step::Jump)
      ops = thread.code->ops.data();
    watch.end(op, step, /*isExecuted=*/true);
    if (step == Step::Exit)
      exitThread(thread, op);
    if (step != Step::Next && step != Step::Jump)
      break;
  }
  thread.machine->steps += quantum - left;
  thread.steps += quantum - left;
}

void tilewright::ptx::runTimeSlice(Thread &thread, uint32_t quantum) {
  if (thread.machine->counters || thread.machine->trace)
    run<Watched>(thread, quantum);
  else
    run<Unwatched>(thread, quantum);
}
