// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// st.async and red.async to global memory (PTX ISA, 9.7.9.12 and 9.7.13.8): they release what the
// thread did before, and happen at some later time. Only a read that observes the new value proves
// that they have happened, so each such instruction of a thread has an agent of its own: an acquire
// of the value of one tells nothing about the others. The cost: each address whose last write is
// such an instruction keeps a Release of about 100 bytes; a thread that acquires it gets a clock
// row that ends at the agent, and a CTA has as many agents as its threads have such instructions.

#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

// op.in[0] is the address, op.in[1] the value, op.mode the scope; op.target the number of the
// reduction, plus 1, or 0 for a store.

static Completion nextOf(Thread &thread, const Op &op) {
  AsyncAgent &agent = thread.asyncAgents[thread.site(op)];
  if (!agent.number)
    agent.number = thread.cta->addAgent();
  return {thread.cta->name(), agent.number, ++agent.begun};
}

static Step runGlobal(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], op.bytes, op.bytes);
  if (!target)
    return Step::Stop;
  if (target.region->space != Space::Global) {
    stop(thread, op, Check::OutOfBounds,
         "this instruction writes global memory, and not " + target.region->name);
    return Step::Stop;
  }
  checkValue(thread, op, target, op.bytes, thread.defined[op.in[1]]);
  const Scope scope = Scope(op.mode & scopeBits);
  const Completion completion = nextOf(thread, op);
  const Release release{thread.cta->name(),
                        scope,
                        thread.vectorClock,
                        {{{thread.number, thread.clock}, {completion.agent, completion.clock}}}};
  Operation operation(thread, op, Proxy::Generic);
  if (!operation.writes(target, op.bytes, completion, scope))
    return Step::Stop;
  thread.machine->eventQueue.add(
      *thread.cta->cluster, [machine = thread.machine, target, number = op.target, release,
                             bytes = gatherBytes(thread, {&op.in[1], 1}, op.bytes)] {
        Region &region = *target.region;
        if (number)
          combineBytes(region, target.offset, bytes, 0, bytes.size(), reduction(number - 1));
        else
          writeBytes(region, target.offset, bytes, 0, bytes.size());
        releaseAt(region, target.offset, release, /*continues=*/number != 0);
        ++machine->events;
      });
  return Step::Next;
}

/// Takes `.mmio.release.sys.global` and the operands.
static bool takeRest(Decoder &decoder, Type type) {
  decoder.take("mmio"); // device memory is handled like other memory
  if (!decoder.take("release"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: there is no .release");
  const auto scope = decoder.takeOneOf({"gpu", "sys"});
  if (!scope)
    return decoder.refuse("'" + decoder.name() + "' has none of .gpu and .sys");
  decoder.op.mode = uint32_t(*scope == 0 ? Scope::Gpu : Scope::System);
  decoder.op.bytes = uint8_t(bytesOf(type));
  const Space space = decoder.take("global") ? Space::Global : Space::Generic;
  return decoder.expectOperands(2) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[1]) && decoder.finish(runGlobal);
}

bool tilewright::ptx::decodeGlobalAsyncStore(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::B8, Type::B16, Type::B32, Type::B64, Type::U8, Type::U16,
                                   Type::U32, Type::U64, Type::S8, Type::S16, Type::S32, Type::S64,
                                   Type::F32, Type::F64}) &&
         takeRest(decoder, type);
}

bool tilewright::ptx::decodeGlobalAsyncReduction(Decoder &decoder) {
  Type type;
  const auto number = takeAsyncReduction(decoder, type);
  if (!number)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.target = *number + 1;
  return takeRest(decoder, type);
}
