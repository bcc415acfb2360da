// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Memory.h"
#include "tilewright/numerics/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <new>

using namespace tilewright;
using namespace tilewright::reference;
using support::Failure;
using support::Result;

/// Addresses that belong to nobody around each allocation. A tile that starts inside
/// one and leaves it by less than this names the right neighbour.
static constexpr uint64_t gap = uint64_t(1) << 20;
/// At least that of device allocations, so that no kernel depends on more by accident.
static constexpr uint64_t leastAlignment = 256;
/// What an alloca holds before anything is stored (operations, 7.2).
static constexpr uint8_t undefinedByte = 0xAA;
/// More than any machine of ours has, in bytes and in alignment.
static constexpr uint64_t largestAllocation = uint64_t(1) << 48;
/// Behind it there is still room for an allocation, so that addresses never wrap.
static constexpr uint64_t lastAddress = uint64_t(1) << 62;

static uint64_t bytesOf(Format format) {
  return llvm::divideCeil(numerics::info(format).storageBits, 8u);
}

//===-- Life of an allocation -----------------------------------------------------------===//

Allocation &Memory::allocate(Allocation allocation, uint64_t alignment) {
  auto owned = std::make_unique<Allocation>(std::move(allocation));
  if (!owned->storage.empty())
    owned->bytes = owned->storage;
  owned->address = llvm::alignTo(nextAddress, std::max(alignment, leastAlignment));
  nextAddress = owned->end() + gap;
  return *allocations.emplace_back(std::move(owned));
}

Result<Allocation *> Memory::allocateUndefined(std::string name, Format format, int64_t count,
                                               uint64_t alignment) {
  __int128 bytes = (__int128(count) * numerics::info(format).storageBits + 7) / 8;
  Failure tooLarge{"there is no memory for " + std::to_string(count) + " elements aligned to " +
                   std::to_string(alignment) + " bytes"};
  if (bytes > __int128(largestAllocation) || alignment > largestAllocation ||
      nextAddress > lastAddress)
    return tooLarge;
  Allocation allocation{std::move(name), format};
  try {
    allocation.storage.assign(size_t(bytes), undefinedByte);
    allocation.undefined.resize(2 * size_t(bytes), true);
  } catch (const std::bad_alloc &) {
    return tooLarge;
  }
  return &allocate(std::move(allocation), alignment);
}

void Memory::release(Allocation &allocation) {
  allocation.isDead = true;
  allocation.storage = {};
  allocation.undefined = {};
}

void Memory::releaseAllSince(size_t allocationCount) {
  allocations.resize(allocationCount);
  lastFound = nullptr;
}

//===-- Which accesses are allowed -------------------------------------------------------===//

Allocation *Memory::find(Place place) {
  uint64_t size = bytesOf(place.format);
  auto holds = [&](const Allocation &allocation) {
    return place.address >= allocation.address && place.address < allocation.end() &&
           size <= allocation.end() - place.address;
  };
  if (lastFound && holds(*lastFound))
    return lastFound;
  auto next =
      llvm::upper_bound(allocations, place.address, [](uint64_t address, const auto &other) {
        return address < other->address;
      });
  if (next == allocations.begin() || !holds(**std::prev(next)))
    return nullptr;
  return lastFound = std::prev(next)->get();
}

static std::string hex(uint64_t address) { return "0x" + llvm::utohexstr(address); }

static std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string Memory::neighbourhood(Place place) const {
  const Allocation *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  for (const auto &allocation : allocations) {
    uint64_t away = place.address < allocation->address ? allocation->address - place.address
                    : place.address < allocation->end() ? 0
                                                        : place.address - allocation->end();
    if (away < distance)
      distance = away, nearest = allocation.get();
  }
  if (!nearest)
    return "there is no allocation at all";
  std::string what =
      nearest->name + ", " + bytesText(nearest->bytes.size()) + " at " + hex(nearest->address);
  if (place.address < nearest->address)
    return bytesText(distance) + " in front of " + what;
  if (place.address < nearest->end())
    return "only partly inside " + what;
  return (distance ? bytesText(distance) + " past the end of " : "just past the end of ") + what;
}

Allocation *Memory::allowed(Place place, AccessKind kind, int64_t block) {
  Allocation *allocation = find(place);
  bool isAllowed = allocation && place.address % bytesOf(place.format) == 0 &&
                   !allocation->isDead && allocation->owner.value_or(block) == block &&
                   !(allocation->isConstant && kind == AccessKind::Write);
  return isAllowed ? allocation : nullptr;
}

std::string Memory::objection(Place place, AccessKind kind, int64_t block) {
  std::string address = "address " + hex(place.address);
  uint64_t size = bytesOf(place.format);
  if (place.address % size != 0)
    return address + " is not a multiple of " + std::to_string(size) + ", the size of " +
           numerics::info(place.format).spelling;
  Allocation *allocation = find(place);
  if (!allocation)
    return address + " lies in no allocation: " + neighbourhood(place);
  if (allocation->isDead)
    return address + " lies in " + allocation->name + ", whose scope has ended";
  if (allocation->owner.value_or(block) != block)
    return address + " lies in " + allocation->name +
           ", which is not `global` and belongs to another tile block";
  if (allocation->isConstant && kind == AccessKind::Write)
    return address + " lies in constant " + allocation->name + ", which must not be written";
  llvm_unreachable("an access without objection is allowed");
}

//===-- Contents ---------------------------------------------------------------------------===//

/// The half bytes that the element occupies in its allocation.
static std::pair<unsigned, unsigned> halves(const Allocation &allocation, Place place) {
  unsigned first = 2 * (place.address - allocation.address) + place.isUpperHalf;
  return {first, first + numerics::info(place.format).storageBits / 4};
}

Element reference::load(const Allocation &allocation, Place place) {
  if (allocation.keepsPoison()) {
    auto [first, last] = halves(allocation, place);
    if (allocation.undefined.find_first_in(first, last) >= 0)
      return Element::poisoned(place.format);
  }
  const uint8_t *base = allocation.bytes.data() + (place.address - allocation.address);
  return numerics::load(base, place.isUpperHalf, place.format);
}

void reference::store(Allocation &allocation, Place place, Element element) {
  if (allocation.keepsPoison()) {
    auto [first, last] = halves(allocation, place);
    if (element.poison)
      return (void)allocation.undefined.set(first, last);
    allocation.undefined.reset(first, last);
  }
  assert(!element.poison && "arrays and globals hold no poison");
  uint8_t *base = allocation.bytes.data() + (place.address - allocation.address);
  numerics::store(base, place.isUpperHalf, element);
}
