// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores (PTX ISA, 9.7.9.8 to 9.7.9.14): scalars and vectors, in all spaces. Cache
// operators and eviction priorities change nothing that a program can see.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/MemoryModifiers.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

/// Sign-extended to the register, which may be wider than the element.
static constexpr uint32_t signExtends = 1u << mode::own;

static uint64_t extend(const Op &op, uint64_t bits) {
  if (!(op.mode & signExtends))
    return bits;
  const unsigned unused = 64 - 8 * op.bytes;
  const uint64_t wide = uint64_t(int64_t(bits << unused) >> unused);
  return op.width == 8 ? wide : wide & ((uint64_t(1) << (8 * op.width)) - 1);
}

static Step runLoad(Thread &thread, const Op &op) {
  const unsigned bytes = op.bytes * std::max(op.list.count, 1u);
  const Target target = locate(thread, op, op.in[0], bytes, bytes);
  if (!target)
    return Step::Stop;
  const Strength strength = strengthOf(op.mode);
  const uint8_t all = uint8_t((1u << op.bytes) - 1);
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list.first + part];
    const Loaded loaded =
        load(thread, op, {target.region, target.offset + part * op.bytes}, op.bytes, strength);
    thread.values[slot] = extend(op, loaded.bits);
    // What extends the element is as defined as its bytes.
    thread.defined[slot] = (loaded.defined & all) == all ? 0xFF : uint8_t(loaded.defined & all);
  }
  // What was read is nothing if CTAs that ran apart have met.
  return thread.machine->isStopped ? Step::Stop : Step::Next;
}

static Step runStore(Thread &thread, const Op &op) {
  const unsigned bytes = op.bytes * op.list.count;
  const Target target = locate(thread, op, op.in[0], bytes, bytes);
  if (!target)
    return Step::Stop;
  const Strength strength = strengthOf(op.mode);
  for (uint32_t part = 0; part < op.list.count; ++part) {
    const uint32_t slot = thread.code->slots[op.list.first + part];
    if (!store(thread, op, {target.region, target.offset + part * op.bytes}, op.bytes,
               {thread.values[slot], thread.defined[slot]}, strength))
      return Step::Stop;
  }
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static constexpr std::initializer_list<Type> loadable = {
    Type::B8, Type::B16, Type::B32, Type::B64, Type::U8,  Type::U16, Type::U32, Type::U64,
    Type::S8, Type::S16, Type::S32, Type::S64, Type::F32, Type::F64, Type::F16, Type::BF16};

/// The number of elements: 1, or that of `.v2`, `.v4`, `.v8`.
static size_t takeVector(Decoder &decoder) {
  const auto found = decoder.takeOneOf({"v2", "v4", "v8"});
  return found ? size_t(2) << *found : 1;
}

static bool checkVector(Decoder &decoder, Type type, size_t count) {
  const size_t bytes = bytesOf(type) * count;
  return bytes <= 32 || decoder.refuse("'" + decoder.name() + "' is not supported: a vector of " +
                                       std::to_string(bytes) + " bytes");
}

/// Operators of caches are for weak accesses; priorities of eviction are for all.
static void takeOrderOrCaching(Decoder &decoder, bool isLoad) {
  if (takeOrder(decoder, isLoad))
    takeEvictionPriorities(decoder);
  else
    takeCacheOperators(decoder, isLoad);
}

static bool decodeLoad(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  takeOrderOrCaching(decoder, /*isLoad=*/true);
  const size_t count = takeVector(decoder);
  Type type;
  if (!decoder.expectType(type, loadable) || !checkVector(decoder, type, count) ||
      !takeCachePolicy(decoder, 2) ||
      !decoder.destinations(decoder.operand(0), type, count, decoder.op.list, Width::AtLeast) ||
      !decoder.address(decoder.operand(1), space, 0))
    return false;
  decoder.op.bytes = uint8_t(bytesOf(type));
  decoder.op.mode |= isSigned(type) ? signExtends : 0;
  return decoder.finish(runLoad);
}

static bool decodeStore(Decoder &decoder) {
  if (decoder.take("async"))
    return decodeAsyncStore(decoder);
  const Space space = takeSpace(decoder);
  takeOrderOrCaching(decoder, /*isLoad=*/false);
  const size_t count = takeVector(decoder);
  Type type;
  if (!decoder.expectType(type, loadable) || !checkVector(decoder, type, count) ||
      !takeCachePolicy(decoder, 2) || !decoder.address(decoder.operand(0), space, 0) ||
      !decoder.sources(decoder.operand(1), type, count, decoder.op.list, Width::AtLeast))
    return false;
  decoder.op.bytes = uint8_t(bytesOf(type));
  return decoder.finish(runStore);
}

static bool decodeLdu(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  const size_t count = takeVector(decoder);
  Type type;
  if (!decoder.expectType(type, loadable) || !checkVector(decoder, type, count) ||
      !decoder.expectOperands(2) ||
      !decoder.destinations(decoder.operand(0), type, count, decoder.op.list, Width::AtLeast) ||
      !decoder.address(decoder.operand(1), space, 0))
    return false;
  decoder.op.bytes = uint8_t(bytesOf(type));
  decoder.op.mode |= isSigned(type) ? signExtends : 0;
  return decoder.finish(runLoad);
}

/// Advice to the caches.
static Step runNothing(Thread &, const Op &) { return Step::Next; }

static bool decodePrefetch(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  if (decoder.take("tensormap"))
    return decoder.expectOperands(1) && decoder.address(decoder.operand(0), space, 0) &&
           decoder.finish(runNothing);
  const auto level = decoder.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  if (!level)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return decoder.expectOperands(1) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.finish(runNothing);
}

static bool decodePolicy(Decoder &decoder) {
  decoder.take("fractional");
  decoder.takeOneOf(
      {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"});
  decoder.takeOneOf({"L2::evict_unchanged", "L2::evict_first"});
  Type type;
  if (!decoder.expectType(type, {Type::B64}) || !decoder.expectOperands(1, 2) ||
      !decoder.destination(decoder.operand(0), type, decoder.op.d))
    return false;
  return decoder.finish([](Thread &thread, const Op &op) {
    thread.put(op.d, uint64_t(0), true);
    return Step::Next;
  });
}

std::span<const OpcodeRow> tilewright::ptx::memoryOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"ld", decodeLoad},
      {"ldu", decodeLdu},
      {"st", decodeStore},
      {"prefetch", decodePrefetch},
      {"prefetchu", decodePrefetch},
      {"createpolicy", decodePolicy},
  };
  return rows;
}
