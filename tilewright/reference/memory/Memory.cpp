// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/memory/Memory.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/runtime/Array.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <atomic>
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using support::Failure;
using support::Result;

/// The minimum gap around each allocation. If a tile starts inside an allocation and overruns it by
/// less than the gap, the finding names the right allocation.
static constexpr uint64_t leastGap = uint64_t(1) << 20;
/// The maximum size of the random part of a gap: kernels have many allocas, but few arrays.
static constexpr uint64_t mostForAlloca = uint64_t(1) << 26, mostForArray = uint64_t(1) << 42;
/// At least the alignment of device allocations, so that no kernel relies on more by accident.
static constexpr uint64_t leastAlignment = 256;
/// More than the memory of any supported host.
static constexpr uint64_t largestAlignment = uint64_t(1) << 48;
/// Allocations still fit above this address, so that addresses never wrap.
static constexpr uint64_t lastAddress = uint64_t(1) << 62;

/// Maps neighbouring numbers to unrelated bits (splitmix64).
static uint64_t scramble(uint64_t number) {
  number += 0x9E3779B97F4A7C15;
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
  number = (number ^ number >> 27) * 0x94D049BB133111EB;
  return number ^ number >> 31;
}

// ===-- Lifetime ------------------------------------------------------------------------===//

Allocation &Memory::allocate(Allocation allocation, uint64_t alignment) {
  auto owned = std::make_unique<Allocation>(std::move(allocation));
  assert(llvm::isPowerOf2_64(alignment) && alignment <= largestAlignment);
  owned->address =
      llvm::alignTo(nextAddress, std::max(alignment, leastAlignment)) + owned->misalignment;
  nextAddress = owned->endOfGap = owned->end() + gapAfter(*owned);
  return *allocations.emplace_back(std::move(owned));
}

uint64_t Memory::gapAfter(const Allocation &allocation) const {
  // A gap takes only a small part of the remaining address range, so that there is room for others.
  uint64_t room = lastAddress > allocation.end() ? lastAddress - allocation.end() : 0;
  uint64_t most = std::min(allocation.leftovers ? mostForAlloca : mostForArray, room >> 16);
  return leastGap + (most ? scramble(scramble(seed) + allocations.size()) % most : 0);
}

bool Memory::hasAddress(uint64_t alignment) const {
  return alignment <= largestAlignment && nextAddress <= lastAddress;
}

OwnedBytes reference::zeroBytes(uint64_t size) {
  // At least one byte, so that null always means failure.
  return OwnedBytes(static_cast<uint8_t *>(std::calloc(std::max<uint64_t>(size, 1), 1)));
}

Result<Allocation *> Memory::allocateUndefined(std::string name, Format format, int64_t count,
                                               uint64_t alignment) {
  const numerics::FormatInfo &info = numerics::info(format);
  std::string what = std::to_string(count) + " elements of " + info.spelling;
  if (!hasAddress(alignment))
    return Failure{"there is no address left for " + what + " aligned to " +
                   std::to_string(alignment) + " bytes"};

  unsigned __int128 size = ((unsigned __int128)(count)*info.storageBits + 7) / 8;
  uint64_t machine = runtime::memoryOfThisMachine();
  Failure tooLarge{what + " need more memory than is left: this machine has " +
                   std::to_string(machine) + " bytes, of which other allocas take " +
                   std::to_string(allocaBytes)};
  if (size > machine || size + specifiedBytes(size) + allocaBytes > machine)
    return tooLarge;
  Allocation allocation{std::move(name), format};
  allocation.storage = zeroBytes(size);
  allocation.specified = zeroBytes(specifiedBytes(size));
  if (!allocation.storage || !allocation.specified)
    return tooLarge;
  allocation.bytes = {allocation.storage.get(), size_t(size)};
  allocation.leftovers = leftovers;
  allocaBytes += size + specifiedBytes(size);
  return &allocate(std::move(allocation), alignment);
}

void Memory::setLeftovers(std::optional<uint64_t> seed) {
  // Avoid the two values that have a special meaning.
  leftovers = seed ? scramble(*seed) | 2 : sameLeftovers;
}

void Memory::release(Allocation &allocation) {
  allocation.isDead = true;
  allocation.storage.reset();
  allocation.specified.reset();
  allocation.unspecified.reset();
  allocaBytes -= allocation.bytes.size() + specifiedBytes(allocation.bytes.size());
}

void Memory::releaseAllSince(size_t allocationCount) {
  for (const auto &allocation : llvm::drop_begin(allocations, allocationCount))
    if (allocation->keepsPoison())
      release(*allocation);
  allocations.resize(allocationCount);
  // The next launch gets the same addresses, so that it is reproducible.
  nextAddress = allocations.empty() ? firstAddress : allocations.back()->endOfGap;
}

//===-- Which accesses are allowed -------------------------------------------------------===//

Allocation *Memory::find(Place place, int64_t count) const {
  uint64_t size = bytesOf(place.format) * uint64_t(count);
  auto holds = [&](const Allocation &allocation) {
    return place.address >= allocation.address && place.address < allocation.end() &&
           size <= allocation.end() - place.address;
  };
  auto next =
      llvm::upper_bound(allocations, place.address, [](uint64_t address, const auto &other) {
        return address < other->address;
      });
  if (next == allocations.begin() || !holds(**std::prev(next)))
    return nullptr;
  return std::prev(next)->get();
}

static std::string hex(uint64_t address) { return "0x" + llvm::utohexstr(address); }

static std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// How many bytes the address lies before the allocation or behind its end.
static uint64_t distance(uint64_t address, const Allocation &allocation) {
  if (address < allocation.address)
    return allocation.address - address;
  return address < allocation.end() ? 0 : address - allocation.end();
}

const Allocation *Memory::nearestTo(uint64_t address) const {
  const Allocation *nearest = nullptr;
  for (const auto &allocation : allocations)
    if (!nearest || distance(address, *allocation) < distance(address, *nearest))
      nearest = allocation.get();
  return nearest;
}

/// The position of an address outside every allocation, relative to the nearest one.
static std::string neighbourhood(uint64_t address, const Allocation *nearest) {
  if (!nearest)
    return "there is no allocation at all";
  std::string what =
      nearest->name + ", " + bytesText(nearest->bytes.size()) + " at " + hex(nearest->address);
  const uint64_t away = distance(address, *nearest);
  if (address < nearest->address)
    return bytesText(away) + " in front of " + what;
  if (address < nearest->end())
    return "only partly inside " + what;
  return (away ? bytesText(away) + " past the end of " : "just past the end of ") + what;
}

Allocation *Memory::allowed(Place place, int64_t count, AccessKind kind, int64_t block) {
  Allocation *allocation = find(place, count);
  bool isAllowed = allocation && place.address % bytesOf(place.format) == 0 &&
                   allocation->copies.empty() && !allocation->isDead &&
                   allocation->owner.value_or(block) == block &&
                   !(allocation->isConstant && kind == AccessKind::Write);
  return isAllowed ? allocation : nullptr;
}

const Allocation *Memory::multicastAt(uint64_t address) const {
  const Allocation *allocation = find({address, Format::I8}, 1);
  return allocation && !allocation->copies.empty() ? allocation : nullptr;
}

Check Memory::violated(Place place, AccessKind kind, int64_t block) const {
  if (place.address % bytesOf(place.format) != 0)
    return Check::Alignment;
  const Allocation *allocation = find(place, 1);
  if (!allocation || !allocation->copies.empty())
    return Check::Bounds;
  if (allocation->isDead || allocation->owner.value_or(block) != block)
    return Check::Lifetime;
  assert(allocation->isConstant && kind == AccessKind::Write && "the access is allowed");
  return Check::Constant;
}

Objection Memory::objection(Place place, AccessKind kind, int64_t block) const {
  const Check check = violated(place, kind, block);
  const Allocation *allocation = find(place, 1);
  const std::string address = "address " + hex(place.address);
  if (check == Check::Alignment)
    return {check,
            address + " is not a multiple of " + std::to_string(bytesOf(place.format)) +
                ", the size of " + numerics::info(place.format).spelling,
            allocation};
  if (!allocation) {
    const Allocation *nearest = nearestTo(place.address);
    return {check, address + " lies in no allocation: " + neighbourhood(place.address, nearest),
            nullptr, nearest};
  }
  const std::string inside = address + " lies in ";
  if (check == Check::Bounds)
    return {check, inside + allocation->name + ", which only the multimem operations access",
            allocation};
  if (check == Check::Constant)
    return {check, inside + "constant " + allocation->name + ", which must not be written",
            allocation};
  return {check,
          inside + allocation->name +
              (allocation->isDead ? ", whose scope has ended"
                                  : ", which is not `global` and belongs to another tile block"),
          allocation};
}

int64_t Allocation::elementAt(Place place) const {
  uint64_t halves = 2 * (place.address - address) + place.isUpperHalf;
  return halves * 4 / numerics::info(format).storageBits;
}

std::string Allocation::elementText(Place place) const {
  return (isMixed ? "[byte " : "[") + std::to_string(elementAt(place)) + "]";
}

//===-- Contents ---------------------------------------------------------------------------===//

/// Calls visit(byte index in `specified`, mask) for the half bytes that the element occupies.
template <typename Visit>
static void forEachHalf(const Allocation &allocation, Place place, Visit visit) {
  uint64_t first = 2 * (place.address - allocation.address) + place.isUpperHalf;
  uint64_t end = first + numerics::info(place.format).storageBits / 4;
  for (uint64_t half = first; half < end;) {
    uint64_t next = std::min(llvm::alignDown(half, 8) + 8, end);
    visit(half / 8, uint8_t(llvm::maskTrailingOnes<uint8_t>(next - half) << half % 8));
    half = next;
  }
}

// Neighbouring elements share bytes, and blocks on other cores may be writing to them.

static uint8_t readByte(const OwnedBytes &bytes, uint64_t at) {
  return std::atomic_ref(bytes[at]).load(std::memory_order_relaxed);
}

static bool isSpecified(const Allocation &allocation, Place place) {
  bool result = true;
  forEachHalf(allocation, place, [&](uint64_t at, uint8_t mask) {
    result &= (readByte(allocation.specified, at) & mask) == mask;
  });
  return result;
}

/// Whether the value is undefined. Later stores may have overwritten a part of it.
static bool isUndefined(const Allocation &allocation, Place place) {
  bool result = false;
  forEachHalf(allocation, place, [&](uint64_t at, uint8_t mask) {
    int isKnown = readByte(allocation.specified, at);
    if (allocation.unspecified)
      isKnown |= readByte(allocation.unspecified, at);
    result |= (~isKnown & mask) != 0;
  });
  return result;
}

static void setBits(uint8_t &bits, uint8_t mask, bool value) {
  if (value)
    std::atomic_ref(bits).fetch_or(mask, std::memory_order_relaxed);
  else
    std::atomic_ref(bits).fetch_and(uint8_t(~mask), std::memory_order_relaxed);
}

static void setMark(Allocation &allocation, Place place, Mark mark) {
  if (mark == Mark::Unspecified && !allocation.unspecified) {
    // Not racy: kernels with allocas do not run in parallel.
    allocation.unspecified = zeroBytes(specifiedBytes(allocation.bytes.size()));
    if (!allocation.unspecified)
      throw std::bad_alloc();
  }
  forEachHalf(allocation, place, [&](uint64_t at, uint8_t mask) {
    setBits(allocation.specified[at], mask, mark == Mark::None);
    if (allocation.unspecified)
      setBits(allocation.unspecified[at], mask, mark == Mark::Unspecified);
  });
}

/// The initial byte of an alloca at this address.
static uint8_t leftoverAt(uint64_t seed, uint64_t address) {
  return seed == sameLeftovers ? 0xAA : uint8_t(scramble(seed ^ address));
}

/// XORs an element of an alloca with the leftovers: converts between values and storage, in both
/// directions.
static std::array<uint8_t, 8> withLeftovers(const Allocation &allocation, Place place,
                                            const uint8_t *bytes) {
  std::array<uint8_t, 8> result = {};
  for (unsigned i = 0; i < bytesOf(place.format); ++i)
    result[i] = bytes[i] ^ leftoverAt(allocation.leftovers, place.address + i);
  return result;
}

Element reference::load(const Allocation &allocation, Place place) {
  const uint8_t *base = allocation.bytes.data() + (place.address - allocation.address);
  std::array<uint8_t, 8> own;
  if (allocation.leftovers) {
    own = withLeftovers(allocation, place, base);
    base = own.data();
  }
  Element element = numerics::load(base, place.isUpperHalf, place.format);
  element.poison = allocation.tracksValues() && !isSpecified(allocation, place);
  return element;
}

Mark reference::markAt(const Allocation &allocation, Place place) {
  if (!allocation.tracksValues() || isSpecified(allocation, place))
    return Mark::None;
  return isUndefined(allocation, place) ? Mark::Undefined : Mark::Unspecified;
}

void reference::store(Allocation &allocation, Place place, Element element, Mark mark) {
  assert((allocation.tracksValues() || mark == Mark::None) && "nobody would know of the mark");
  if (allocation.tracksValues())
    setMark(allocation, place, mark);
  element.poison = false;
  uint8_t *base = allocation.bytes.data() + (place.address - allocation.address);
  if (!allocation.leftovers)
    return numerics::store(base, place.isUpperHalf, element);
  std::array<uint8_t, 8> bytes = withLeftovers(allocation, place, base);
  numerics::store(bytes.data(), place.isUpperHalf, element);
  bytes = withLeftovers(allocation, place, bytes.data());
  std::memcpy(base, bytes.data(), bytesOf(place.format));
}
