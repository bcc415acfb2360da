// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WgmmaGroups.h.

#include "tilewright/ptx/async/WgmmaGroups.h"

using namespace tilewright::ptx;

//===-- Registers ---------------------------------------------------------------------------===//

static const PendingRegister *find(const PendingProduct &product, const Thread &thread,
                                   uint32_t slot, uint32_t part) {
  if (product.frame != thread.frames.size())
    return nullptr;
  if (part < product.registers.size() && product.registers[part].slot == slot)
    return &product.registers[part];
  for (const PendingRegister &reg : product.registers)
    if (reg.slot == slot)
      return &reg;
  return nullptr;
}

/// The last pending product that writes the register.
static const PendingProduct *writerOf(const Thread &thread, uint32_t slot, uint32_t part) {
  const auto &pending = thread.products.pending;
  for (size_t number = pending.size(); number-- > 0;)
    if (find(pending[number], thread, slot, part))
      return &pending[number];
  return nullptr;
}

static void report(Thread &thread, const Op &op, std::string message,
                   std::vector<RelatedSite> related = {}) {
  thread.machine->report(Check::Wgmma, thread, op, std::move(message), std::move(related));
}

/// Is the register unchanged since the last fence? Only changes of the value are detected.
static bool isFenced(const Thread &thread, uint32_t slot) {
  const Products &products = thread.products;
  return products.fencedFrame == thread.frames.size() && slot < products.fenced.size() &&
         products.fenced[slot] == thread.values[slot];
}

void tilewright::ptx::checkProductRegisters(Thread &thread, const Op &op, uint32_t form) {
  if (!thread.machine->checks.has(Check::Wgmma))
    return;
  if (thread.products.fenced.empty())
    return report(thread, op, "there is no wgmma.fence in front of the first wgmma.mma_async");
  const std::vector<uint32_t> &slots = thread.code->slots;
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = slots[op.list.first + part];
    const PendingProduct *writer = writerOf(thread, slot, part);
    if (writer && writer->form != form)
      return report(thread, op,
                    "an accumulator is still to be written by a wgmma of another shape or type, "
                    "and was not waited for",
                    {{writer->site, "that wgmma"}});
    if (!writer && !isFenced(thread, slot))
      return report(thread, op, "an accumulator was changed after the last wgmma.fence");
  }
  for (uint32_t part = 0; part < op.list2.count; ++part) {
    const uint32_t slot = slots[op.list2.first + part];
    if (const PendingProduct *writer = writerOf(thread, slot, UINT32_MAX))
      return report(thread, op, "a register of A is still to be written by a wgmma",
                    {{writer->site, "that wgmma"}});
    if (!isFenced(thread, slot))
      return report(thread, op, "a register of A was changed after the last wgmma.fence");
  }
}

Loaded tilewright::ptx::accumulator(const Thread &thread, uint32_t slot, uint32_t part) {
  if (const PendingProduct *writer = writerOf(thread, slot, part)) {
    const PendingRegister &reg = *find(*writer, thread, slot, part);
    return {reg.value, uint8_t(reg.isDefined ? 0xFF : 0)};
  }
  return {thread.values[slot], thread.defined[slot]};
}

void tilewright::ptx::addPending(Thread &thread, const Op &op, uint32_t form,
                                 std::vector<PendingRegister> registers) {
  PendingProduct product{UINT32_MAX,           form, thread.frames.size(), thread.site(op),
                         std::move(registers), {}};
  for (uint32_t part = 0; part < op.list2.count; ++part)
    product.inputs.push_back(thread.code->slots[op.list2.first + part]);
  // The same instruction writes the same registers again.
  std::erase_if(thread.products.pending, [&](const PendingProduct &older) {
    return older.site == product.site && older.frame == product.frame;
  });
  thread.products.pending.push_back(std::move(product));
}

//===-- Groups ------------------------------------------------------------------------------===//

static uint32_t &agentOf(Thread &thread) {
  Cta &cta = *thread.cta;
  cta.warpgroupAgents.resize((cta.warps.size() + 3) / 4);
  return cta.warpgroupAgents[thread.warp->number / 4];
}

Completion tilewright::ptx::openGroupOf(Thread &thread) {
  uint32_t &agent = agentOf(thread);
  if (!agent)
    agent = thread.cta->addAgent();
  return {thread.cta->name(), agent, thread.products.committed + 1};
}

Step tilewright::ptx::fenceProducts(Thread &thread, const Op &) {
  Products &products = thread.products;
  const size_t count = thread.code->function->registers.size();
  products.fenced.assign(thread.values, thread.values + count);
  products.fencedFrame = thread.frames.size();
  return Step::Next;
}

Step tilewright::ptx::commitProducts(Thread &thread, const Op &) {
  for (PendingProduct &product : thread.products.pending)
    if (product.group == UINT32_MAX)
      product.group = thread.products.committed;
  ++thread.products.committed;
  return Step::Next;
}

/// Writes the results of a product to the registers of its frame, which may not be the current one.
static void deliver(Thread &thread, const PendingProduct &product) {
  if (product.frame > thread.frames.size())
    return; // the function has returned, and its registers are gone
  const size_t base = thread.frames[product.frame - 1].values;
  Products &products = thread.products;
  for (const PendingRegister &reg : product.registers) {
    thread.valueStack[base + reg.slot] = reg.value;
    thread.definedStack[base + reg.slot] = reg.isDefined ? 0xFF : 0;
    if (products.fencedFrame == product.frame && reg.slot < products.fenced.size())
      products.fenced[reg.slot] = reg.value;
  }
}

Step tilewright::ptx::waitForProducts(Thread &thread, const Op &op) {
  Products &products = thread.products;
  const uint64_t pending = uint64_t(op.offset);
  const uint32_t done = products.committed > pending ? uint32_t(products.committed - pending) : 0;
  std::erase_if(products.pending, [&](const PendingProduct &product) {
    const bool isDone = product.group != UINT32_MAX && product.group < done;
    if (isDone)
      deliver(thread, product);
    return isDone;
  });
  if (const uint32_t agent = agentOf(thread))
    thread.vectorClock = withClock(thread.vectorClock, thread.cta->number, agent, done);
  return Step::Next;
}
