// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, and which addresses a kernel may access. Memory is a set of allocations: host arrays,
// globals, and allocas. The address range of an allocation is never reused, and gaps surround it.
// So a stray access falls outside every allocation, and its report names the nearest one (types,
// 2.3; operations, 7). The size of the gaps depends on a seed, so that kernels that rely on the
// distance between two arrays fail.

#ifndef TILEWRIGHT_REFERENCE_MEMORY_MEMORY_H
#define TILEWRIGHT_REFERENCE_MEMORY_MEMORY_H

#include "tilewright/numerics/Element.h"
#include "tilewright/reference/machine/Checks.h"
#include "tilewright/reference/machine/Mark.h"
#include "tilewright/support/Result.h"

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilewright::reference {

using numerics::Element;
using numerics::Format;

/// One element of memory. Only two f4E2M1FN elements share an address (types, 2.4).
struct Place {
  uint64_t address;
  Format format;
  bool isUpperHalf = false;
};

/// Bytes that an element touches; an f4E2M1FN element touches one.
inline unsigned bytesOf(Format format) { return (numerics::info(format).storageBits + 7u) / 8u; }

/// Zero-initialised memory that the host allocates lazily, when something is stored.
struct FreeBytes {
  void operator()(uint8_t *bytes) const { std::free(bytes); }
};
using OwnedBytes = std::unique_ptr<uint8_t[], FreeBytes>;
/// Null if there is not enough memory.
OwnedBytes zeroBytes(uint64_t size);
/// Size of a bit array with one bit per half byte of an allocation of this size.
inline uint64_t specifiedBytes(uint64_t size) { return (size + 3) / 4; }

struct Allocation {
  /// The name used in messages: `parameter 2 (4x8xf32)`, `global @table`.
  std::string name;
  Format format;
  uint64_t address = 0;
  /// The lowest address of the next allocation.
  uint64_t endOfGap = 0;
  std::span<uint8_t> bytes = {};

  /// The number of bytes by which the address exceeds an aligned one.
  unsigned misalignment = 0;
  /// Whether it is host memory.
  bool isHost = false;
  /// It has elements of several formats; `format` is a byte format.
  bool isMixed = false;
  /// A `constant` global, which kernels must not write.
  bool isConstant = false;
  /// The number of the only block that may use it, for an alloca that is not `global`.
  std::optional<int64_t> owner = std::nullopt;
  /// For multicast memory: the addresses of the arrays that it stands for. It has no storage
  /// itself.
  std::vector<uint64_t> copies = {};
  /// The scope of an alloca has ended; its address range is not reused.
  bool isDead = false;

  /// The storage behind `bytes`, for globals and allocas.
  OwnedBytes storage = nullptr;
  /// One bit per half byte of an alloca or an uninitialised array: whether it holds a specified
  /// value. Null for other allocations, in which every value is specified.
  OwnedBytes specified = nullptr;
  /// One bit per half byte of an alloca: whether an unspecified value was stored to it. Half bytes
  /// with neither bit were never written or hold an undefined value. Null until an unspecified
  /// value is stored.
  OwnedBytes unspecified = nullptr;
  /// The seed of the bytes that an alloca holds before anything is stored to it; 0 for other
  /// allocations. The storage of an alloca holds its contents XORed with these bytes: it is all
  /// zeros at first, so that the host can allocate it lazily.
  uint64_t leftovers = 0;

  uint64_t end() const { return address + bytes.size(); }
  /// Index of the element of the allocation, in the allocation's own format, that contains the
  /// place.
  int64_t elementAt(Place place) const;
  /// The same in brackets for messages: `[17]`, or `[byte 68]`.
  std::string elementText(Place place) const;
  /// Whether initialisation is tracked.
  bool tracksValues() const { return specified != nullptr; }
  /// Whether poison may be stored: not in memory that the host can read.
  bool keepsPoison() const { return tracksValues() && !isHost; }
};

enum class AccessKind { Read, Write };

/// Why an access is not allowed.
struct Objection {
  Check check;
  std::string what;
  const Allocation *allocation; ///< Null if the address is in no allocation.
  /// The nearest allocation in that case, if there is one.
  const Allocation *nearest = nullptr;
};

/// The value of `leftovers` for the byte 0xAA everywhere.
inline constexpr uint64_t sameLeftovers = 1;

class Memory {
public:
  /// The addresses of allocations depend on the seed.
  explicit Memory(uint64_t seed = 0) : seed(seed) {}

  /// Assigns an address to an allocation whose bytes are set. The caller has checked that there is
  /// a free address (hasAddress). An allocation of zero bytes has an address, too.
  Allocation &allocate(Allocation allocation, uint64_t alignment);
  /// Whether there is a free address with this alignment, a power of two.
  bool hasAddress(uint64_t alignment) const;
  /// Allocates uninitialised memory for `count` elements. Fails if the host does not have enough
  /// memory for it and the other live allocas.
  support::Result<Allocation *> allocateUndefined(std::string name, Format format, int64_t count,
                                                  uint64_t alignment);
  /// Ends the lifetime of an alloca.
  void release(Allocation &allocation);
  /// Sets the initial contents of the allocas that are made from now on: random bytes, or, without
  /// a seed, 0xAA everywhere (operations, 7.2).
  void setLeftovers(std::optional<uint64_t> seed);
  /// Releases the allocations from this number on, newest first.
  void releaseAllSince(size_t allocationCount);
  size_t allocationCount() const { return allocations.size(); }
  std::span<const std::unique_ptr<Allocation>> allocationsSince(size_t count) const {
    return std::span(allocations).subspan(count);
  }

  /// The allocation that holds `count` elements from the place on, if the block may access them;
  /// otherwise null, and `objection` gives the reason for one of the elements.
  Allocation *allowed(Place place, int64_t count, AccessKind kind, int64_t block);
  /// The rule that an access which is not allowed violates.
  Check violated(Place place, AccessKind kind, int64_t block) const;
  /// The same, with the text of a finding.
  Objection objection(Place place, AccessKind kind, int64_t block) const;
  /// The multicast memory at this address; null if there is none.
  const Allocation *multicastAt(uint64_t address) const;

private:
  uint64_t gapAfter(const Allocation &allocation) const;
  /// The allocation that holds all of these elements; null if none does.
  Allocation *find(Place place, int64_t count) const;
  /// Null if there is no allocation.
  const Allocation *nearestTo(uint64_t address) const;

  /// Sorted by address.
  std::vector<std::unique_ptr<Allocation>> allocations;
  uint64_t nextAddress = firstAddress;
  uint64_t seed;
  /// The bytes that all live allocas and their bit arrays would take on the host if every page were
  /// touched.
  uint64_t allocaBytes = 0;
  uint64_t leftovers = sameLeftovers;

  // Far from small integers, so that no index is mistaken for an address.
  static constexpr uint64_t firstAddress = uint64_t(1) << 44;
};

/// The value of a place in this allocation; poison if it is not specified.
Element load(const Allocation &allocation, Place place);
/// The mark of that value.
Mark markAt(const Allocation &allocation, Place place);
/// Stores the bits, and the mark if initialisation is tracked there; otherwise the mark must be
/// None. For host arrays, callers pass no mark that a kernel made.
void store(Allocation &allocation, Place place, Element element, Mark mark);
inline void store(Allocation &allocation, Place place, Element element) {
  store(allocation, place, element, element.poison ? Mark::Undefined : Mark::None);
}

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_MEMORY_H
