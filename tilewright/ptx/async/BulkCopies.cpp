// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async.bulk and cp.reduce.async.bulk (PTX ISA, 9.7.9.25.4): copy runs of bytes between global
// and shared memory, and between CTAs of a cluster. An mbarrier tracks copies to shared memory, a
// bulk group of the thread those to global memory.

#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/async/Transfer.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

// The list: destination, source, size, then an mbarrier and the mask of CTAs, or the mask of bytes.
// op.mode: the number of the reduction, plus 1, and these flags.
static constexpr uint32_t destinationAt = 0, sourceAt = 2, sizeAt = 4, mbarrierPlace = 5,
                          ctaMaskAt = 7, byteMaskAt = 5;
static constexpr uint32_t reductionBits = 0xFF, isMulticast = 1u << 8, hasByteMask = 1u << 9,
                          fromShared = 1u << 10, toOwn = 1u << 11;

static std::optional<uint32_t> sizeOf(Thread &thread, const Op &op) {
  const auto size = valueAt(thread, op, sizeAt);
  if (!size || *size % 16 == 0)
    return size;
  stop(thread, op, Check::Misaligned,
       "a bulk copy has a multiple of 16 bytes, and not " + std::to_string(*size));
  return std::nullopt;
}

static Step runToShared(Thread &thread, const Op &op) {
  const auto size = sizeOf(thread, op);
  if (!size)
    return Step::Stop;
  const Space from = op.mode & fromShared ? Space::Shared : Space::Global;
  const Space to = op.mode & toOwn ? Space::Shared : Space::Cluster;
  const Target source = locateAt(thread, op, sourceAt, from, *size, 16);
  const Target target = source ? locateAt(thread, op, destinationAt, to, *size, 16) : Target();
  const MbarrierPlace place =
      target ? findMbarrierAt(thread, op, mbarrierPlace, to) : MbarrierPlace();
  if (!place)
    return Step::Stop;
  std::optional<uint32_t> mask;
  if (op.mode & isMulticast && !(mask = valueAt(thread, op, ctaMaskAt)))
    return Step::Stop;
  Transfer transfer{{{source.region, source.offset, 0, *size}}, *size, op.mode & reductionBits};
  return transferToShared(thread, op, transfer, target, place, mask) ? Step::Next : Step::Stop;
}

static Step runToGlobal(Thread &thread, const Op &op) {
  const auto size = sizeOf(thread, op);
  if (!size)
    return Step::Stop;
  const Target source = locateAt(thread, op, sourceAt, Space::Shared, *size, 16);
  const Target target =
      source ? locateAt(thread, op, destinationAt, Space::Global, *size, 16) : Target();
  if (!target)
    return Step::Stop;
  Transfer transfer{{}, *size, op.mode & reductionBits};
  uint32_t mask = 0xFFFF;
  if (op.mode & hasByteMask) {
    const auto given = valueAt(thread, op, byteMaskAt);
    if (!given)
      return Step::Stop;
    mask = *given;
  }
  if ((mask & 0xFFFF) == 0xFFFF)
    transfer.pieces.push_back({target.region, target.offset, 0, *size});
  else
    for (uint32_t byte = 0; byte < *size; ++byte)
      if (mask >> (byte % 16) & 1)
        transfer.pieces.push_back({target.region, target.offset + byte, byte, 1});
  return transferToGlobal(thread, op, transfer, source) ? Step::Next : Step::Stop;
}

//===-- Groups ------------------------------------------------------------------------------===//

static Step runCommit(Thread &thread, const Op &) {
  commitGroup(thread);
  return Step::Next;
}

static Step runWait(Thread &thread, const Op &op) {
  return waitForGroups(thread, op, uint32_t(op.offset), op.mode != 0);
}

static bool decodeWait(Decoder &decoder) {
  decoder.op.mode = decoder.take("read");
  uint64_t pending = 0;
  if (!decoder.expectOperands(1) || !decoder.integer(decoder.operand(0), pending))
    return false;
  decoder.op.offset = int64_t(std::min<uint64_t>(pending, UINT32_MAX));
  return decoder.finish(runWait);
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// Takes the cache policy, the last operand, which has no effect here.
static bool takePolicy(Decoder &decoder, bool hasPolicy) {
  uint32_t unused = 0;
  return !hasPolicy ||
         decoder.source(decoder.operand(decoder.operandCount() - 1), Type::B64, unused);
}

static bool decodeToShared(Decoder &decoder, Space to) {
  const auto from = decoder.takeOneOf({"global", "shared::cta"});
  if (!from || !decoder.take("mbarrier::complete_tx::bytes"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  uint32_t &mode = decoder.op.mode;
  const bool isCast = decoder.take("multicast::cluster");
  const bool hasPolicy = decoder.take("L2::cache_hint");
  mode |= (isCast ? isMulticast : 0) | (*from == 1 ? fromShared : 0) |
          (to == Space::Shared ? toOwn : 0);
  if ((isCast || hasPolicy) && *from == 1)
    return decoder.refuse("'" + decoder.name() + "' is not supported from shared memory");
  PlaceList places(decoder);
  return decoder.expectOperands(4 + isCast + hasPolicy) && places.address(decoder.operand(0), to) &&
         places.address(decoder.operand(1), *from == 1 ? Space::Shared : Space::Global) &&
         places.source(decoder.operand(2), Type::U32) && places.address(decoder.operand(3), to) &&
         (!isCast || places.source(decoder.operand(4), Type::U16)) &&
         takePolicy(decoder, hasPolicy) && places.finish(runToShared);
}

static bool decodeToGlobal(Decoder &decoder) {
  if (!decoder.take("shared::cta") || !decoder.take("bulk_group"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isMasked = decoder.take("cp_mask"), hasPolicy = decoder.take("L2::cache_hint");
  decoder.op.mode |= isMasked ? hasByteMask : 0;
  PlaceList places(decoder);
  if (!decoder.expectOperands(3 + isMasked + hasPolicy))
    return false;
  uint32_t unused = 0;
  return places.address(decoder.operand(0), Space::Global) &&
         places.address(decoder.operand(1), Space::Shared) &&
         places.source(decoder.operand(2), Type::U32) &&
         (!hasPolicy || decoder.source(decoder.operand(3), Type::B64, unused)) &&
         (!isMasked || places.source(decoder.operand(3 + hasPolicy), Type::U16)) &&
         places.finish(runToGlobal);
}

static Step runNothing(Thread &, const Op &) { return Step::Next; }

static bool decodePrefetch(Decoder &decoder) {
  const bool hasPolicy = decoder.take("L2::cache_hint");
  uint32_t unused = 0;
  return decoder.take("L2") && decoder.take("global") && decoder.expectOperands(2 + hasPolicy) &&
         decoder.address(decoder.operand(0), Space::Global, 0) &&
         decoder.source(decoder.operand(1), Type::U32, unused) && takePolicy(decoder, hasPolicy) &&
         decoder.finish(runNothing);
}

/// The first state space of the instruction is the destination.
static bool decodeCopy(Decoder &decoder) {
  const auto to = decoder.firstOf({"shared::cluster", "shared::cta", "global"});
  if (!to)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (*to == "global")
    return decoder.take("global") && decodeToGlobal(decoder);
  const Space space = *to == "shared::cluster" ? Space::Cluster : Space::Shared;
  return decoder.take(*to) && decodeToShared(decoder, space);
}

bool tilewright::ptx::decodeBulkCopy(Decoder &decoder) {
  if (decoder.take("commit_group"))
    return decoder.expectOperands(0) && decoder.finish(runCommit);
  if (decoder.take("wait_group"))
    return decodeWait(decoder);
  if (decoder.has("tensor"))
    return decodeTensorCopy(decoder, /*isReduction=*/false);
  return decoder.take("prefetch") ? decodePrefetch(decoder) : decodeCopy(decoder);
}

std::optional<uint32_t> tilewright::ptx::takeReduction(Decoder &decoder) {
  const std::string_view operation = takeReductionName(decoder);
  const bool keepsSubnormals = decoder.take("noftz");
  const auto type = operation.empty() ? std::nullopt : decoder.takeType();
  if (!type)
    return std::nullopt;
  // Only sums of f16 and bf16 need .noftz, which keeps subnormals.
  const bool isSum = operation == "add";
  if (keepsSubnormals != (isSum && (type == Type::F16 || type == Type::BF16)) ||
      (isSum && type == Type::S64))
    return std::nullopt;
  return findReduction(operation, *type);
}

bool tilewright::ptx::decodeBulkReduction(Decoder &decoder) {
  if (!decoder.take("async") || !decoder.take("bulk"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (decoder.has("tensor"))
    return decodeTensorCopy(decoder, /*isReduction=*/true);
  const auto number = takeReduction(decoder);
  if (!number)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isRemote = decoder.has("shared::cluster");
  const Reduction &row = reduction(*number);
  if (isRemote && (isFloat(row.type) || (bytesOf(row.type) == 8 && row.operation != "add")))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = *number + 1;
  return decodeCopy(decoder);
}
