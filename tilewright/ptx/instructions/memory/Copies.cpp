// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async and its groups (PTX ISA, 9.7.9.25.3): a thread begins copies from global to shared
// memory and waits for them later. The bytes are copied at once. Until the thread has waited, any
// access to them is a finding. For other threads, the write happens at the end of the wait, so that
// a missing barrier after the wait is a race; so is a write to the source before the end of the
// wait. Several threads may copy the same bytes, as they may store them (Shadow.h).

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"
#include "tilewright/ptx/instructions/memory/PendingCopies.h"
#include "tilewright/ptx/watch/Counters.h"

using namespace tilewright::ptx;

// op.in[0] is the destination, op.in[1] the source, op.in[2] the number of bytes to read, or a
// predicate that ignores the source; op.offset belongs to the destination, op.target to the source.
static constexpr uint32_t isIgnored = 1u << 16;

static Target locateSource(Thread &thread, const Op &op, unsigned bytes) {
  Op source = op;
  source.space = Space::Global;
  source.offset = int32_t(op.target);
  return locate(thread, source, op.in[1], bytes, op.bytes);
}

static uint32_t bytesToRead(const Thread &thread, const Op &op) {
  if (op.in[2] == noSlot)
    return op.bytes;
  if (op.mode & isIgnored)
    return thread.get<uint8_t>(op.in[2]) ? 0 : op.bytes;
  return std::min<uint32_t>(thread.get<uint32_t>(op.in[2]), op.bytes);
}

void tilewright::ptx::countPending(Thread &thread, uint64_t offset, uint32_t bytes, int by) {
  Region &shared = *thread.cta->shared;
  if (shared.pending.empty())
    shared.pending.resize(shared.size() / 4 + 1);
  for (uint64_t word = offset / 4; word * 4 < offset + bytes; ++word)
    shared.pending[word] = uint16_t(shared.pending[word] + by);
}

std::vector<uint8_t> tilewright::ptx::bytesOf(const PendingCopy &copy) {
  std::vector<uint8_t> bytes(copy.bytes);
  if (copy.read)
    std::copy_n(copy.source.region->bytes.begin() + ptrdiff_t(copy.source.offset), copy.read,
                bytes.begin());
  return bytes;
}

static Step runCopy(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], op.bytes, op.bytes);
  if (!target)
    return Step::Stop;
  const uint32_t count = bytesToRead(thread, op);
  Target source;
  if (count && !(source = locateSource(thread, op, count)))
    return Step::Stop;
  for (uint32_t byte = 0; byte < op.bytes; byte += 4) {
    Loaded word{0, 0xF}; // bytes that are not read become zero
    const uint32_t left = count > byte ? std::min(count - byte, 4u) : 0;
    if (left == 4) {
      word = load(thread, op, {source.region, source.offset + byte}, 4);
    } else {
      for (uint32_t part = 0; part < left; ++part) {
        const Loaded one = load(thread, op, {source.region, source.offset + byte + part}, 1);
        word.bits |= one.bits << (8 * part);
        word.defined &= uint8_t(~((~one.defined & 1u) << part));
      }
    }
    if (!store(thread, op, {target.region, target.offset + byte}, 4, word))
      return Step::Stop;
  }
  countPending(thread, target.offset, op.bytes, 1);
  if (Counters *counters = thread.machine->counters)
    counters->transfer(*thread.cta, thread.site(op), op.bytes);
  PendingCopy copy{target.offset, op.bytes, UINT32_MAX, thread.site(op), source, count};
  if (count && thread.machine->checks.has(Check::Race)) {
    copy.vectorClock = join({thread.now()}, thread.cta->threadCount());
    thread.advance(); // later accesses of the thread do not happen before it
  }
  thread.copies.push_back(std::move(copy));
  return Step::Next;
}

static Step runCommit(Thread &thread, const Op &) {
  for (PendingCopy &copy : thread.copies)
    if (copy.group == UINT32_MAX)
      copy.group = thread.committedGroups;
  ++thread.committedGroups;
  return Step::Next;
}

/// The write of a copy takes effect now: accesses of other threads must be ordered after `op`.
static void touch(Thread &thread, const Op &op, const PendingCopy &copy) {
  if (!thread.machine->checks.has(Check::Race))
    return;
  Region &shared = *thread.cta->shared;
  Epoch epoch = thread.epoch(op, Scope::Weak, /*isAtomic=*/false);
  epoch.site = copy.site;
  const std::vector<uint8_t> bytes = bytesOf(copy);
  for (uint32_t at = 0; at < copy.bytes; at += 4) {
    const uint64_t offset = copy.offset + at;
    const bool isSame = std::equal(&bytes[at], &bytes[at] + 4, &shared.bytes[offset]);
    if (const auto conflict = thread.machine->shadowOf(shared).write(
            offset, 4, epoch, {thread.vectorClock.get()}, isSame))
      reportRace(thread, op, {&shared, offset}, *conflict, /*isWrite=*/true);
  }
}

/// The writes of these copies take effect now.
static void finishCopies(Thread &thread, const Op &op, uint32_t done, bool all) {
  std::vector<PendingCopy> ended;
  std::erase_if(thread.copies, [&](const PendingCopy &copy) {
    const bool isDone = all || (copy.group != UINT32_MAX && copy.group < done);
    if (isDone)
      ended.push_back(copy);
    return isDone;
  });
  for (const PendingCopy &copy : ended)
    countPending(thread, copy.offset, copy.bytes, -1);
  for (const PendingCopy &copy : ended)
    thread.vectorClock = withClock(thread.vectorClock, thread.cta->number, copy.agent, copy.clock);
  for (const PendingCopy &copy : ended)
    if (copy.vectorClock)
      checkSource(thread, op, copy.source, copy.read, copy.vectorClock.get(), copy.site);
  for (const PendingCopy &copy : ended)
    if (!copy.clock) // else it is a write of the mbarrier's agent
      touch(thread, op, copy);
}

/// Waits for all but the last N groups.
static Step runWaitGroup(Thread &thread, const Op &op) {
  const uint64_t pending = uint64_t(op.offset);
  const uint32_t done =
      thread.committedGroups > pending ? uint32_t(thread.committedGroups - pending) : 0;
  finishCopies(thread, op, done, /*all=*/false);
  return Step::Next;
}

static Step runWaitAll(Thread &thread, const Op &op) {
  finishCopies(thread, op, 0, /*all=*/true);
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool decodeGroups(Decoder &decoder) {
  if (decoder.take("commit_group"))
    return decoder.expectOperands(0) && decoder.finish(runCommit);
  if (decoder.take("wait_all"))
    return decoder.expectOperands(0) && decoder.finish(runWaitAll);
  uint64_t pending = 0;
  if (!decoder.take("wait_group") || !decoder.expectOperands(1) ||
      !decoder.integer(decoder.operand(0), pending))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.offset = int64_t(std::min<uint64_t>(pending, UINT32_MAX));
  return decoder.finish(runWaitGroup);
}

static bool takeLastOperand(Decoder &decoder, size_t number) {
  Operand last = decoder.operand(number);
  const bool isPredicate = last.kind == OperandKind::Register &&
                           decoder.function.registers[last.index].type == Type::Pred;
  decoder.op.mode = isPredicate ? isIgnored : 0;
  return decoder.source(last, isPredicate ? Type::Pred : Type::B32, decoder.op.in[2]);
}

static bool decodeCp(Decoder &decoder) {
  if (decoder.take("reduce"))
    return decodeBulkReduction(decoder);
  if (!decoder.take("async"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (decoder.take("bulk"))
    return decodeBulkCopy(decoder);
  if (decoder.take("mbarrier"))
    return decodeCopyArrival(decoder);
  const auto cache = decoder.takeOneOf({"ca", "cg"});
  if (!cache)
    return decodeGroups(decoder);
  if (!decoder.takeOneOf({"shared", "shared::cta"}) || !decoder.take("global"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  takeEvictionPriorities(decoder);
  const bool hasPolicy = decoder.take("L2::cache_hint");
  uint64_t bytes = 0;
  uint32_t unused = 0;
  const size_t extra = hasPolicy ? 1 : 0;
  if (!decoder.expectOperands(3 + extra, 4 + extra) ||
      !decoder.integer(decoder.operand(2), bytes) ||
      (hasPolicy &&
       !decoder.source(decoder.operand(decoder.operandCount() - 1), Type::B64, unused)))
    return false;
  const bool isSize = bytes == 16 || (*cache == 0 && (bytes == 4 || bytes == 8));
  if (!isSize)
    return decoder.refuse("'" + decoder.name() + "' does not copy " + std::to_string(bytes) +
                          " bytes");
  if (decoder.operandCount() == 4 + extra && !takeLastOperand(decoder, 3))
    return false;
  if (!decoder.address(decoder.operand(1), Space::Global, 1))
    return false;
  decoder.op.target = uint32_t(decoder.op.offset);
  if (decoder.op.offset != int32_t(decoder.op.offset))
    return decoder.refuse("'" + decoder.name() + "': the offset has more than 32 bits");
  decoder.op.bytes = uint8_t(bytes);
  return decoder.address(decoder.operand(0), Space::Shared, 0) && decoder.finish(runCopy);
}

std::span<const OpcodeRow> tilewright::ptx::copyOpcodes() {
  static constexpr OpcodeRow rows[] = {{"cp", decodeCp}};
  return rows;
}
