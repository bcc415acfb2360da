// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cluster instructions (PTX ISA, 9.7.9.23, 9.7.9.24 and 9.7.13.3): mapa, getctarank,
// barrier.cluster.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Cluster.h"

using namespace tilewright::ptx;

//===-- Addresses ---------------------------------------------------------------------------===//

static bool fail(Thread &thread, const Op &op, std::string message) {
  thread.machine->report(Check::OutOfBounds, thread, op, std::move(message));
  thread.machine->isStopped = true;
  return false;
}

/// The address of the operand in the shared window.
static bool readWindowAddress(Thread &thread, const Op &op, uint64_t &address) {
  address = thread.values[op.in[0]] + uint64_t(op.offset);
  if (op.space != Space::Generic) {
    address = uint32_t(address);
    return true;
  }
  if (!isInWindow(address, sharedWindow))
    return fail(thread, op, "the address is not in shared memory");
  address -= sharedWindow;
  return true;
}

static bool isDefined(Thread &thread, const Op &op, uint32_t slot) {
  return op.width == 4 ? thread.has<uint32_t>(slot) : thread.has<uint64_t>(slot);
}

/// Maps an address to the same offset in the shared memory of the CTA with another rank.
static Step runMapa(Thread &thread, const Op &op) {
  uint64_t address = 0;
  if (!readWindowAddress(thread, op, address))
    return Step::Stop;
  const uint32_t rank = thread.get<uint32_t>(op.in[1]);
  const size_t count = thread.cta->cluster->ctas.size();
  const bool areDefined = isDefined(thread, op, op.in[0]) && thread.has<uint32_t>(op.in[1]);
  if (areDefined && rank >= count) {
    fail(thread, op,
         "there is no CTA of rank " + std::to_string(rank) + ": the cluster has " +
             std::to_string(count));
    return Step::Stop;
  }
  const uint64_t mapped = sharedAddress(rank, offsetInCta(address));
  const uint64_t window = op.space == Space::Generic ? sharedWindow : 0;
  if (op.width == 4)
    thread.put(op.d, uint32_t(mapped), areDefined);
  else
    thread.put(op.d, window + mapped, areDefined);
  return Step::Next;
}

static Step runRank(Thread &thread, const Op &op) {
  uint64_t address = 0;
  if (!readWindowAddress(thread, op, address))
    return Step::Stop;
  const auto rank = rankOf(*thread.cta, address);
  if (!rank) {
    fail(thread, op, "the address is in the shared memory of no CTA of the cluster");
    return Step::Stop;
  }
  // The instruction's type is that of the address.
  const bool isSmall = op.bytes == 4;
  thread.put(op.d, *rank,
             isSmall ? thread.has<uint32_t>(op.in[0]) : thread.has<uint64_t>(op.in[0]));
  return Step::Next;
}

/// Takes a register or a variable, with or without an offset.
static bool takeAddress(Decoder &decoder, const Operand &operand, Type type) {
  const auto space = decoder.takeOneOf({"shared::cluster", "shared::cta", "shared"});
  decoder.op.space = space ? Space::Shared : Space::Generic;
  return decoder.source(operand, type, decoder.op.in[0]);
}

static bool decodeMapa(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::U32, Type::U64}) && decoder.expectOperands(3) &&
         takeAddress(decoder, decoder.operand(1), type) &&
         decoder.source(decoder.operand(2), Type::U32, decoder.op.in[1]) &&
         decoder.destination(decoder.operand(0), type, decoder.op.d) && decoder.finish(runMapa);
}

static bool decodeRank(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::U32, Type::U64}) || !decoder.expectOperands(2))
    return false;
  decoder.op.bytes = uint8_t(bytesOf(type));
  return takeAddress(decoder, decoder.operand(1), type) &&
         decoder.destination(decoder.operand(0), Type::U32, decoder.op.d) &&
         decoder.finish(runRank);
}

//===-- The barrier -------------------------------------------------------------------------===//

// op.mode: is it relaxed? op.bytes: is it aligned?
static Step runArrive(Thread &thread, const Op &op) {
  return arriveAtCluster(thread, op, /*releases=*/op.mode == 0, op.bytes != 0);
}

static Step runWait(Thread &thread, const Op &op) {
  return waitForCluster(thread, op, op.bytes != 0);
}

bool tilewright::ptx::decodeClusterBarrier(Decoder &decoder) {
  const auto what = decoder.takeOneOf({"arrive", "wait"});
  if (!what)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isArrival = *what == 0;
  if (!decoder.take(isArrival ? "release" : "acquire"))
    decoder.op.mode = isArrival && decoder.take("relaxed");
  decoder.op.bytes = decoder.take("aligned");
  return decoder.expectOperands(0) && decoder.finish(isArrival ? runArrive : runWait);
}

std::span<const OpcodeRow> tilewright::ptx::clusterOpcodes() {
  static constexpr OpcodeRow rows[] = {{"mapa", decodeMapa}, {"getctarank", decodeRank}};
  return rows;
}
