// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Transfer.h.

#include "tilewright/ptx/async/Transfer.h"
#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/machine/Cluster.h"
#include "tilewright/ptx/watch/Counters.h"

#include <bit>

using namespace tilewright::ptx;

uint64_t Transfer::moved() const {
  uint64_t sum = 0;
  for (const BlockPart &part : parts())
    sum += part.bytes - part.padding;
  return sum;
}

/// Reductions are atomic per element (PTX ISA, cp.reduce.async.bulk: .relaxed.gpu).
static Scope scopeOf(const Transfer &transfer) {
  return transfer.reduction ? Scope::Gpu : Scope::Weak;
}

/// Updates the counters: all pieces of global memory are one access.
static void count(Thread &thread, const Op &op, const Transfer &transfer, uint64_t copies) {
  Counters *counters = thread.machine->counters;
  if (!counters)
    return;
  std::vector<LaneAccess> global;
  for (const Piece &piece : transfer.pieces)
    if (piece.region->space == Space::Global)
      global.push_back({noLane, uint32_t(piece.bytes), piece.region->base + piece.offset});
  counters->transfer(*thread.cta, thread.site(op), transfer.moved() * copies, global);
}

//===-- Into shared memory ------------------------------------------------------------------===//

static Bytes gather(const Transfer &transfer) {
  Bytes block(transfer.bytes);
  for (uint64_t at = 0; at < transfer.bytes; ++at) { // gaps keep no bytes
    block.values[at] = uint8_t(transfer.fill >> (8 * (at % transfer.fillBytes)));
    block.defined[at] = 1;
  }
  for (const BlockPart &part : transfer.parts())
    std::fill_n(block.defined.begin() + long(part.inBlock + part.bytes - part.padding),
                part.padding, uint8_t(0));
  for (const Piece &piece : transfer.pieces) {
    const Bytes part = readBytes(*piece.region, piece.offset, piece.bytes);
    std::copy(part.values.begin(), part.values.end(), block.values.begin() + long(piece.inBlock));
    std::copy(part.defined.begin(), part.defined.end(),
              block.defined.begin() + long(piece.inBlock));
  }
  return block;
}

/// Begins the copy to one destination.
static bool begin(Thread &thread, const Op &op, const Transfer &transfer, Operation &operation,
                  Target target, MbarrierPlace place) {
  Region &region = *target.region, &signalled = *place.target.region;
  const Completion completion = beginOperation(signalled, *place.barrier);
  for (const Piece &piece : transfer.pieces)
    operation.reads({piece.region, piece.offset}, piece.bytes, completion);
  for (const BlockPart &part : transfer.parts())
    if (!operation.writes({target.region, target.offset + part.inBlock}, part.bytes, completion,
                          scopeOf(transfer)))
      return false;
  thread.machine->eventQueue.add(*thread.cta->cluster, [origin = Origin(thread, op), transfer,
                                                        &region, to = target.offset, &signalled,
                                                        at = place.target.offset, completion] {
    const Bytes block = gather(transfer);
    for (const auto &[inBlock, bytes, padding] : transfer.parts())
      if (transfer.reduction)
        combineBytes(region, to + inBlock, block, inBlock, bytes,
                     reduction(transfer.reduction - 1));
      else
        writeBytes(region, to + inBlock, block, inBlock, bytes);
    endOperation(origin, signalled, at, completion.clock, int64_t(transfer.moved()));
  });
  return true;
}

/// The same offset in the shared memory of another CTA.
static Target inCta(Thread &thread, const Op &op, Target target, uint32_t rank, uint64_t bytes) {
  return locateAddress(thread, op, Space::Cluster, sharedAddress(rank, target.offset),
                       unsigned(bytes), 8);
}

/// The rank of the CTA whose mbarrier is signalled by a copy to this one.
static uint32_t signalledRank(uint32_t rank, const MbarrierPlace &place, Signal signal) {
  return signal == Signal::OfPair ? (rank & ~1U) | (place.target.region->cta.rank & 1) : rank;
}

static bool checkSignal(Thread &thread, const Op &op, Target target, const MbarrierPlace &place,
                        Signal signal) {
  const uint32_t rank = signalledRank(target.region->cta.rank, place, signal);
  if (place.target.region->cta.rank != rank)
    stop(thread, op, Check::Mbarrier,
         std::string("the mbarrier is in the shared memory of another ") +
             (signal == Signal::OfPair ? "pair of CTAs" : "CTA") + " than the destination");
  return place.target.region->cta.rank == rank;
}

bool tilewright::ptx::transferToShared(Thread &thread, const Op &op, const Transfer &transfer,
                                       Target target, MbarrierPlace place,
                                       std::optional<uint32_t> mask, Signal signal) {
  if (!checkSignal(thread, op, target, place, signal))
    return false;
  Operation operation(thread, op, Proxy::Async);
  count(thread, op, transfer, mask ? uint64_t(std::popcount(*mask)) : 1);
  if (!mask)
    return begin(thread, op, transfer, operation, target, place);
  for (uint32_t rank = 0; rank < 16; ++rank) {
    if (!(*mask >> rank & 1))
      continue;
    const Target there = inCta(thread, op, target, rank, transfer.bytes);
    const uint32_t signalled = signalledRank(rank, place, signal);
    const Target barrier = there ? inCta(thread, op, place.target, signalled, 8) : Target();
    const MbarrierPlace at = barrier ? mbarrierAt(thread, op, barrier) : MbarrierPlace();
    if (!at || !begin(thread, op, transfer, operation, there, at))
      return false;
  }
  return true;
}

//===-- Into global memory ------------------------------------------------------------------===//

/// A word without any defined byte must not leave the kernel.
static void checkDefined(const Origin &origin, const Bytes &block, const Piece &piece) {
  if (!origin.machine->checks.has(Check::Undefined))
    return;
  for (uint64_t at = 0; at < piece.bytes; at += 4) {
    bool isDefined = false;
    for (uint64_t byte = at; byte < std::min(at + 4, piece.bytes); ++byte)
      isDefined |= block.defined[piece.inBlock + byte] != 0;
    if (isDefined)
      continue;
    origin.machine->report(
        Finding{Check::Undefined, origin.site,
                "a value that is not defined is written to " + piece.region->name, origin.cta,
                origin.thread});
    return;
  }
}

/// Packs the lower 6 bits of each 16 bytes into the first 12 of them.
static void packSixBits(Bytes &block) {
  for (uint64_t chunk = 0; chunk + 16 <= block.size(); chunk += 16)
    for (uint64_t byte = 0; byte < 12; ++byte) {
      const uint64_t from = chunk + byte * 8 / 6, shift = byte * 8 % 6;
      const unsigned low = (block.values[from] & 0x3F) >> shift;
      block.values[chunk + byte] = uint8_t(low | block.values[from + 1] << (6 - shift));
      block.defined[chunk + byte] = block.defined[from] & block.defined[from + 1];
    }
}

/// The block that is stored, with the bytes of each piece where it has them.
static Bytes readBlock(const Transfer &transfer, const Region &region, uint64_t from) {
  Bytes block = readBytes(region, from, transfer.bytes);
  if (transfer.packsSixBits)
    packSixBits(block);
  return block;
}

static void scatter(const Origin &origin, const Transfer &transfer, const Bytes &block) {
  for (const Piece &piece : transfer.pieces) {
    checkDefined(origin, block, piece);
    if (transfer.reduction) {
      combineBytes(*piece.region, piece.offset, block, piece.inBlock, piece.bytes,
                   reduction(transfer.reduction - 1));
      continue;
    }
    writeBytes(*piece.region, piece.offset, block, piece.inBlock, piece.bytes);
    origin.machine->inFlightStores.end({piece.region, piece.offset}, piece.bytes);
  }
}

bool tilewright::ptx::transferToGlobal(Thread &thread, const Op &op, const Transfer &transfer,
                                       Target source) {
  const GroupPlace place = joinOpenGroup(thread);
  Operation operation(thread, op, Proxy::Async);
  count(thread, op, transfer, 1);
  for (const BlockPart &part : transfer.parts())
    operation.reads({source.region, source.offset + part.inBlock}, part.bytes, place.read);
  // If the block changes before it is read, that is a race of its own.
  const Bytes packed =
      transfer.packsSixBits ? readBlock(transfer, *source.region, source.offset) : Bytes();
  const uint8_t *block = transfer.reduction      ? nullptr
                         : transfer.packsSixBits ? packed.values.data()
                                                 : source.region->bytes.data() + source.offset;
  for (const Piece &piece : transfer.pieces)
    if (!operation.writes({piece.region, piece.offset}, piece.bytes, place.write, scopeOf(transfer),
                          block ? block + piece.inBlock : nullptr))
      return false;
  Cluster &cluster = *thread.cta->cluster;
  EventQueue &eventQueue = thread.machine->eventQueue;
  // The block is read first and written some time later.
  eventQueue.add(cluster, [&thread, &cluster, &eventQueue, origin = Origin(thread, op), transfer,
                           region = source.region, from = source.offset, group = place.group] {
    const Bytes block = readBlock(transfer, *region, from);
    endRead(thread, group);
    eventQueue.add(cluster, [&thread, origin, transfer, block, group] {
      scatter(origin, transfer, block);
      endWrite(thread, group);
    });
  });
  return true;
}
