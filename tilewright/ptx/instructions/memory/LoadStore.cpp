// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores (PTX ISA, 9.7.9.8 to 9.7.9.14): scalars and vectors in all state spaces. Cache
// operators and eviction priorities have no effect.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

/// Sign-extends to the register, which may be wider than the element.
static constexpr uint32_t signExtends = 1u << mode::own;

static uint64_t extend(const Op &op, uint64_t bits) {
  if (!(op.mode & signExtends))
    return bits;
  const unsigned unused = 64 - 8 * op.bytes;
  const uint64_t wide = uint64_t(int64_t(bits << unused) >> unused);
  return op.width == 8 ? wide : wide & ((uint64_t(1) << (8 * op.width)) - 1);
}

static bool decodeBulkStore(Decoder &decoder);

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
    // The extension bits are defined if all bytes of the element are.
    thread.defined[slot] = (loaded.defined & all) == all ? 0xFF : uint8_t(loaded.defined & all);
  }
  // The loaded value is invalid if CTAs that run in parallel have communicated: the run ends.
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
    Type::S8, Type::S16, Type::S32, Type::S64, Type::F32, Type::F64, Type::B128};

/// Only for multimem.
static constexpr std::initializer_list<Type> ofMultimem = {
    Type::F16,    Type::BF16,   Type::F16x2, Type::BF16x2, Type::E4M3,
    Type::E4M3x2, Type::E4M3x4, Type::E5M2,  Type::E5M2x2, Type::E5M2x4};

static bool takeLoadable(Decoder &decoder, Type &type) {
  std::vector<Type> types = loadable;
  if (decoder.name().starts_with("multimem"))
    types.insert(types.end(), ofMultimem);
  return decoder.expectType(type, types);
}

/// Number of elements: 1, or that of `.v2`, `.v4`, `.v8`.
static size_t takeVector(Decoder &decoder) {
  const auto found = decoder.takeOneOf({"v2", "v4", "v8"});
  return found ? size_t(2) << *found : 1;
}

/// Only global memory has 32-byte accesses.
static bool checkVector(Decoder &decoder, Type type, size_t count, Space space) {
  const size_t bytes = bytesOf(type) * count;
  const size_t most = space == Space::Global || space == Space::Generic ? 32 : 16;
  return bytes <= most || decoder.refuse("'" + decoder.name() + "' is not supported: a vector of " +
                                         std::to_string(bytes) + " bytes");
}

/// Cache operators require a weak access. Eviction priorities are for all accesses, those of L2
/// only for the widest. Only memory that several threads share has orderings, only global memory
/// has .mmio.
static bool takeOrderOrCaching(Decoder &decoder, Space space, bool isLoad) {
  const bool isMmio = decoder.has("mmio");
  const bool isPrivate = space == Space::Local || space == Space::Const || space == Space::Param;
  const bool isWidest = (decoder.has("v8") && decoder.firstOf({"b32", "u32", "s32", "f32"})) ||
                        (decoder.has("v4") && decoder.firstOf({"b64", "u64", "s64", "f64"}));
  const bool hasOperator = decoder.firstOf({"wb", "cg", "cs", "wt", "ca", "lu", "cv"}).has_value();
  if (decoder.firstOf({"L2::evict_first", "L2::evict_last", "L2::evict_normal"}) && !isWidest)
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: a priority of eviction from "
                          "the L2 cache is for vectors of 32 bytes");
  if (decoder.firstOf({"lu", "cv"}) && decoder.has("nc"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: .nc with .lu or .cv");
  if (!isLoad && hasOperator && decoder.has("L1::no_allocate"))
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: a cache operator with an eviction priority");
  const bool isOfMmio = space == Space::Global || space == Space::Generic;
  if (isMmio && (!isOfMmio || !decoder.has("relaxed") || !decoder.has("sys") ||
                 decoder.firstOf({"v2", "v4", "v8"})))
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: .mmio is for scalars of global memory, .relaxed in "
                          "the scope .sys");
  if (!takeOrder(decoder, isLoad)) {
    takeCacheOperators(decoder, isLoad);
    return true;
  }
  takeEvictionPriorities(decoder);
  return !isPrivate || decoder.refuse("'" + decoder.name() + "' is not supported: ." +
                                      std::string(nameOf(space)) + " memory has no order");
}

/// Takes the destinations of a load or the sources of a store. 128 bits are two 64-bit elements.
static bool takeElements(Decoder &decoder, const Operand &operand, Type type, size_t count,
                         bool isLoad) {
  decoder.op.bytes = uint8_t(type == Type::B128 ? 8 : bytesOf(type));
  if (type == Type::B128)
    return count == 1 ? decoder.wide(operand, decoder.op.list)
                      : decoder.refuse("'" + decoder.name() + "' has no vectors of .b128");
  decoder.op.mode |= isLoad && isSigned(type) ? signExtends : 0;
  return isLoad ? decoder.destinations(operand, type, count, decoder.op.list, Width::AtLeast)
                : decoder.sources(operand, type, count, decoder.op.list, Width::AtLeast);
}

bool tilewright::ptx::decodePlainLoad(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  if (!takeOrderOrCaching(decoder, space, /*isLoad=*/true))
    return false;
  const size_t count = takeVector(decoder);
  Type type;
  return takeLoadable(decoder, type) && checkVector(decoder, type, count, space) &&
         takeCachePolicy(decoder, 2) &&
         takeElements(decoder, decoder.operand(0), type, count, /*isLoad=*/true) &&
         decoder.address(decoder.operand(1), space, 0) && decoder.finish(runLoad);
}

//===-- st.bulk -----------------------------------------------------------------------------===//

static constexpr uint64_t mostBulkBytes = 16777216;

/// Writes zeros to shared memory of the own CTA.
static Step runBulkStore(Thread &thread, const Op &op) {
  if (!thread.has<uint64_t>(op.in[1])) {
    stop(thread, op, Check::Undefined, "the size is not defined");
    return Step::Stop;
  }
  const uint64_t size = thread.get<uint64_t>(op.in[1]);
  if (size % 8 || size > mostBulkBytes) {
    stop(thread, op, Check::Misaligned,
         "st.bulk has a multiple of 8 bytes, at most 16777216, and not " + std::to_string(size));
    return Step::Stop;
  }
  const Target target = locate(thread, op, op.in[0], unsigned(size), 8);
  if (!target)
    return Step::Stop;
  if (target.region != thread.cta->shared.get()) {
    stop(thread, op, Check::OutOfBounds,
         "st.bulk writes shared memory of the own CTA, and not " + target.region->name);
    return Step::Stop;
  }
  for (uint64_t at = 0; at < size; at += 8)
    if (!store(thread, op, {target.region, target.offset + at}, 8, {0, 0xFF}))
      return Step::Stop;
  return Step::Next;
}

/// Takes `.weak.shared::cta [a], size, 0`.
static bool decodeBulkStore(Decoder &decoder) {
  decoder.take("weak");
  const Space space = decoder.take("shared::cta") ? Space::Shared : Space::Generic;
  uint64_t value = 0;
  return decoder.expectOperands(3) && decoder.address(decoder.operand(0), space, 0) &&
         decoder.source(decoder.operand(1), Type::U64, decoder.op.in[1]) &&
         decoder.integer(decoder.operand(2), value) &&
         (value == 0 || decoder.refuse("'" + decoder.name() + "' stores zeros only")) &&
         decoder.finish(runBulkStore);
}

static bool decodeAnyStore(Decoder &decoder) {
  if (decoder.take("async"))
    return decodeAsyncStore(decoder);
  if (decoder.take("bulk"))
    return decodeBulkStore(decoder);
  return decodePlainStore(decoder);
}

bool tilewright::ptx::decodePlainStore(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  if (space == Space::Const)
    return decoder.refuse("'" + decoder.name() + "' is not supported: .const memory is read only");
  if (!takeOrderOrCaching(decoder, space, /*isLoad=*/false))
    return false;
  const size_t count = takeVector(decoder);
  Type type;
  return takeLoadable(decoder, type) && checkVector(decoder, type, count, space) &&
         takeCachePolicy(decoder, 2) && decoder.address(decoder.operand(0), space, 0) &&
         takeElements(decoder, decoder.operand(1), type, count, /*isLoad=*/false) &&
         decoder.finish(runStore);
}

static bool decodeLdu(Decoder &decoder) {
  const Space space = decoder.take("global") ? Space::Global : Space::Generic;
  const size_t count = takeVector(decoder);
  Type type;
  return decoder.expectType(type, loadable) && checkVector(decoder, type, count, Space::Shared) &&
         decoder.expectOperands(2) &&
         takeElements(decoder, decoder.operand(0), type, count, /*isLoad=*/true) &&
         decoder.address(decoder.operand(1), space, 0) && decoder.finish(runLoad);
}

std::span<const OpcodeRow> tilewright::ptx::memoryOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"ld", decodePlainLoad},
      {"ldu", decodeLdu},
      {"st", decodeAnyStore},
  };
  return rows;
}
