// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clusterlaunchcontrol (PTX ISA, 9.7.13.17): a CTA cancels the launch of a cluster that has not
// begun, and does its work instead (work stealing). The response arrives asynchronously in 16 bytes
// of shared memory, tracked by an mbarrier. It is opaque to kernels; here it has the first CTA of
// the cluster, and a mark for success or failure.

#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

static constexpr unsigned responseBytes = 16;
/// The last word of a response.
static constexpr uint32_t canceledMark = 0x434C4331, failedMark = 0x434C4330;

//===-- try_cancel --------------------------------------------------------------------------===//

// The list: the response, the mbarrier. op.mode: do all CTAs of the cluster get the response? And
// the state spaces of the two addresses, because one may be generic and the other the name of a
// variable.
static constexpr uint32_t responseAt = 0, mbarrierPlace = 2;
static constexpr uint32_t toAll = 1, responseSpaceShift = 8, mbarrierSpaceShift = 16;

static Space spaceOf(const Op &op, uint32_t shift) { return Space(uint8_t(op.mode >> shift)); }

static Bytes responseOf(const Machine &machine, std::optional<uint32_t> cta) {
  Bytes bytes(responseBytes);
  std::array<uint32_t, 4> words = {0, 0, 0, failedMark};
  if (cta) {
    const auto [x, y, z] = machine.ctaidOf(*cta);
    words = {x, y, z, canceledMark};
  }
  std::memcpy(bytes.values.data(), words.data(), responseBytes);
  std::fill(bytes.defined.begin(), bytes.defined.end(), uint8_t(1));
  return bytes;
}

namespace {
/// The location of a response, and of the mbarrier that tracks it.
struct Destination {
  Region *region;
  uint64_t offset, mbarrierOffset;
  Completion completion;
};
} // namespace

/// Adds the CTA with this rank as a destination, at the same offsets as in the own CTA. False after
/// a finding.
static bool addDestination(Thread &thread, const Op &op, Operation &operation, uint32_t rank,
                           Target response, Target barrier, std::vector<Destination> &all) {
  const Target there =
      locateAddress(thread, op, Space::Cluster, sharedAddress(rank, response.offset), responseBytes,
                    responseBytes);
  const Target counter =
      there ? locateAddress(thread, op, Space::Cluster, sharedAddress(rank, barrier.offset), 8, 8)
            : Target();
  const MbarrierPlace place = counter ? mbarrierAt(thread, op, counter) : MbarrierPlace();
  if (!place)
    return false;
  const Completion completion = beginOperation(*there.region, *place.barrier);
  all.push_back({there.region, there.offset, counter.offset, completion});
  return operation.writes(there, responseBytes, completion);
}

static Step runTryCancel(Thread &thread, const Op &op) {
  Cta &cta = *thread.cta;
  if (cta.hasSeenLastCluster) {
    stop(thread, op, Check::Collective,
         "this CTA has seen that a request failed, and may not make another one");
    return Step::Stop;
  }
  const Target response = locateAt(thread, op, responseAt, spaceOf(op, responseSpaceShift),
                                   responseBytes, responseBytes);
  const MbarrierPlace place =
      response ? findMbarrierAt(thread, op, mbarrierPlace, spaceOf(op, mbarrierSpaceShift))
               : MbarrierPlace();
  if (!place)
    return Step::Stop;
  if (response.region != cta.shared.get() || place.target.region != cta.shared.get()) {
    stop(thread, op, Check::OutOfBounds,
         "the response and its mbarrier are in shared memory of the own CTA");
    return Step::Stop;
  }
  Operation operation(thread, op, Proxy::Async);
  std::vector<Destination> all;
  const bool isForAll = op.mode & toAll;
  const uint32_t first = isForAll ? 0 : cta.rank;
  const uint32_t end = isForAll ? uint32_t(cta.cluster->ctas.size()) : first + 1;
  for (uint32_t rank = first; rank < end; ++rank)
    if (!addDestination(thread, op, operation, rank, response, place.target, all))
      return Step::Stop;
  thread.machine->eventQueue.add(*cta.cluster, [origin = Origin(thread, op), all] {
    const Bytes bytes = responseOf(*origin.machine, origin.machine->takeCluster());
    for (const Destination &to : all) {
      writeBytes(*to.region, to.offset, bytes, 0, responseBytes);
      endOperation(origin, *to.region, to.mbarrierOffset, to.completion.clock, responseBytes);
    }
  });
  return Step::Next;
}

/// Takes an address and its space.
static bool takePlace(Decoder &decoder, PlaceList &places, size_t number, Space space,
                      uint32_t shift) {
  if (!places.address(decoder.operand(number), space))
    return false;
  decoder.op.mode |= uint32_t(decoder.op.space) << shift;
  return true;
}

static bool decodeTryCancel(Decoder &decoder) {
  const bool isKnown =
      decoder.take("async") && decoder.take("mbarrier::complete_tx::bytes") && decoder.take("b128");
  const Space space = decoder.take("shared::cta") ? Space::Shared : Space::Generic;
  decoder.op.mode = decoder.take("multicast::cluster::all") ? toAll : 0;
  PlaceList places(decoder);
  return (isKnown || decoder.refuse("'" + decoder.name() + "' is not supported")) &&
         decoder.expectOperands(2) && takePlace(decoder, places, 0, space, responseSpaceShift) &&
         takePlace(decoder, places, 1, space, mbarrierSpaceShift) && places.finish(runTryCancel);
}

//===-- query_cancel ------------------------------------------------------------------------===//

namespace {
struct Response {
  std::array<uint32_t, 3> cta;
  bool isCanceled;
};
} // namespace

/// Reads the 128-bit register in op.list. None after a finding.
static std::optional<Response> readResponse(Thread &thread, const Op &op) {
  const uint32_t *slots = &thread.code->slots[op.list.first];
  if (!thread.has<uint64_t>(slots[0]) || !thread.has<uint64_t>(slots[1])) {
    stop(thread, op, Check::Undefined, "the response is not defined");
    return std::nullopt;
  }
  const uint64_t low = thread.values[slots[0]], high = thread.values[slots[1]];
  const auto mark = uint32_t(high >> 32);
  if (mark != canceledMark && mark != failedMark) {
    stop(thread, op, Check::Collective, "the 16 bytes are no response of try_cancel");
    return std::nullopt;
  }
  return Response{{uint32_t(low), uint32_t(low >> 32), uint32_t(high)}, mark == canceledMark};
}

static Step runIsCanceled(Thread &thread, const Op &op) {
  const auto response = readResponse(thread, op);
  if (!response)
    return Step::Stop;
  thread.cta->hasSeenLastCluster |= !response->isCanceled;
  thread.put(op.d, uint8_t(response->isCanceled), true);
  return Step::Next;
}

/// Stores one coordinate, given by op.mode, to op.d; or all to op.list2, the last of which is
/// unused. After a failed request, which the manual calls undefined behaviour, they are undefined:
/// CuTe and Gluon ask before they know that it failed, and ignore the result.
static Step runFirstCta(Thread &thread, const Op &op) {
  const auto response = readResponse(thread, op);
  if (!response)
    return Step::Stop;
  if (op.list2.count == 0)
    thread.put(op.d, response->cta[op.mode], response->isCanceled);
  for (uint32_t part = 0; part < op.list2.count; ++part)
    thread.put(thread.code->slots[op.list2.first + part], part < 3 ? response->cta[part] : 0,
               part < 3 && response->isCanceled);
  return Step::Next;
}

static bool decodeQueryCancel(Decoder &decoder) {
  Op &op = decoder.op;
  if (!decoder.expectOperands(2) || !decoder.take("b128"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (decoder.take("is_canceled"))
    return decoder.take("pred") && decoder.destination(decoder.operand(0), Type::Pred, op.d) &&
           decoder.wide(decoder.operand(1), op.list) && decoder.finish(runIsCanceled);
  const bool isVector = decoder.take("get_first_ctaid");
  const auto dim =
      decoder.takeOneOf({"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"});
  if (isVector == dim.has_value() || isVector != decoder.take("v4") || !decoder.take("b32"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  op.mode = uint32_t(dim.value_or(0));
  return (isVector ? decoder.destinations(decoder.operand(0), Type::B32, 4, op.list2)
                   : decoder.destination(decoder.operand(0), Type::B32, op.d)) &&
         decoder.wide(decoder.operand(1), op.list) && decoder.finish(runFirstCta);
}

static bool decodeLaunchControl(Decoder &decoder) {
  if (decoder.take("try_cancel"))
    return decodeTryCancel(decoder);
  return decoder.take("query_cancel") ? decodeQueryCancel(decoder)
                                      : decoder.refuse("'" + decoder.name() + "' is not supported");
}

std::span<const OpcodeRow> tilewright::ptx::launchControlOpcodes() {
  static constexpr OpcodeRow rows[] = {{"clusterlaunchcontrol", decodeLaunchControl}};
  return rows;
}
