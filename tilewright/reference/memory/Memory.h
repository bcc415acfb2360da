// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which addresses may a kernel touch? Memory is a set of allocations: the arrays of
// the host, globals, and allocas. Each has addresses of its own that are never given
// out again, and a gap lies before and behind it, so that a stray access falls
// outside and the nearest allocation tells where it meant to go (types, 2.3;
// operations, 7). How wide a gap is, a seed decides: no distance between two arrays is
// one that a kernel comes to by mistake.

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

/// Bytes that an element touches: one for half a byte.
inline unsigned bytesOf(Format format) { return (numerics::info(format).storageBits + 7u) / 8u; }

/// Memory of our own. It is zero until something is stored, and the machine need not
/// back it before.
struct FreeBytes {
  void operator()(uint8_t *bytes) const { std::free(bytes); }
};
using OwnedBytes = std::unique_ptr<uint8_t[], FreeBytes>;
/// Null if there is not enough memory.
OwnedBytes zeroBytes(uint64_t size);
/// Bytes that it takes to say of every half byte whether it is specified.
inline uint64_t specifiedBytes(uint64_t size) { return (size + 3) / 4; }

struct Allocation {
  /// As messages name it: `parameter 2 (4x8xf32)`, `global @table`.
  std::string name;
  Format format;
  uint64_t address = 0;
  /// From where on the next allocation may lie.
  uint64_t endOfGap = 0;
  std::span<uint8_t> bytes = {};

  /// How far the address lies behind one that is aligned.
  unsigned misalignment = 0;
  /// Memory of the host.
  bool isHost = false;
  /// It has elements of several formats; `format` is that of a byte.
  bool isMixed = false;
  /// A `constant` global: never written by a kernel.
  bool isConstant = false;
  /// Number of the block that alone may use it: an alloca that is not `global`.
  std::optional<int64_t> owner = std::nullopt;
  /// Multicast memory: the addresses of the arrays that it stands for. Nothing lies here itself.
  std::vector<uint64_t> copies = {};
  /// The scope of an alloca has ended; its address range stays taken.
  bool isDead = false;

  /// What `bytes` are, for globals and allocas.
  OwnedBytes storage = nullptr;
  /// One bit per half byte of an alloca, or of an uninitialised array: does it hold a
  /// specified value? Null elsewhere, where everything does.
  OwnedBytes specified = nullptr;
  /// Of the half bytes of an alloca that hold none: in which was an unspecified value stored? The
  /// others were never written, or hold an undefined value. Null while there is none.
  OwnedBytes unspecified = nullptr;
  /// What an alloca holds before anything is stored to it; 0 for no other allocation. Its
  /// storage has the difference to that, so that the machine need not back it before.
  uint64_t leftovers = 0;

  uint64_t end() const { return address + bytes.size(); }
  /// Number of the element of the allocation's own format that the place lies in.
  int64_t elementAt(Place place) const;
  /// The same in brackets, for messages: `[17]`, or `[byte 68]`.
  std::string elementText(Place place) const;
  /// Is it known of every element whether it holds a value?
  bool tracksValues() const { return specified != nullptr; }
  /// May poison be stored? Not where the host would read it.
  bool keepsPoison() const { return tracksValues() && !isHost; }
};

enum class AccessKind { Read, Write };

/// Why an access is not allowed.
struct Objection {
  Check check;
  std::string what;
  const Allocation *allocation; ///< Null if it is in none.
  /// If it is in none: the one that it is nearest to, if there is any.
  const Allocation *nearest = nullptr;
};

/// Leftovers that are the same byte everywhere.
inline constexpr uint64_t sameLeftovers = 1;

class Memory {
public:
  /// The seed decides where allocations lie.
  explicit Memory(uint64_t seed = 0) : seed(seed) {}

  /// Places an allocation; bytes are set, address is not. The caller knows that there is
  /// one. An allocation of no bytes has an address too.
  Allocation &allocate(Allocation allocation, uint64_t alignment);
  /// Whether there is an address of this alignment, a power of two.
  bool hasAddress(uint64_t alignment) const;
  /// Uninitialised memory for `count` elements. Fails if this machine has not enough for
  /// it beside the other allocas that are alive.
  support::Result<Allocation *> allocateUndefined(std::string name, Format format, int64_t count,
                                                  uint64_t alignment);
  /// Ends the life of an alloca.
  void release(Allocation &allocation);
  /// What allocas hold from here on before anything is stored to them: any bytes that this
  /// number decides, or without one 0xAA everywhere (operations, 7.2).
  void setLeftovers(std::optional<uint64_t> seed);
  /// Forgets allocations from this number on, newest first.
  void releaseAllSince(size_t allocationCount);
  size_t allocationCount() const { return allocations.size(); }
  std::span<const std::unique_ptr<Allocation>> allocationsSince(size_t count) const {
    return std::span(allocations).subspan(count);
  }

  /// The allocation that holds `count` elements from the place on, if the block may access
  /// them like this; else null, and `objection` says why for one that it may not.
  Allocation *allowed(Place place, int64_t count, AccessKind kind, int64_t block);
  Objection objection(Place place, AccessKind kind, int64_t block);
  /// The multicast memory that the address lies in; null if it lies in none.
  const Allocation *multicastAt(uint64_t address) const;

private:
  uint64_t gapBehind(const Allocation &allocation) const;
  /// The allocation that holds all of these elements; null if none does.
  Allocation *find(Place place, int64_t count) const;
  /// Null if there is no allocation.
  const Allocation *nearestTo(uint64_t address) const;

  /// In the order of their addresses.
  std::vector<std::unique_ptr<Allocation>> allocations;
  uint64_t nextAddress = firstAddress;
  uint64_t seed;
  /// What all living allocas may come to occupy.
  uint64_t allocaBytes = 0;
  uint64_t leftovers = sameLeftovers;

  // Far from small integers, so that no index is mistaken for an address.
  static constexpr uint64_t firstAddress = uint64_t(1) << 44;
};

/// What the place, which lies in this allocation, holds; poison if it is not specified.
Element load(const Allocation &allocation, Place place);
/// What is wrong with it.
Mark markAt(const Allocation &allocation, Place place);
/// Stores the bits, and a mark where memory can keep it: in an array of the host, none that a
/// kernel made.
void store(Allocation &allocation, Place place, Element element, Mark mark);
inline void store(Allocation &allocation, Place place, Element element) {
  store(allocation, place, element, element.poison ? Mark::Undefined : Mark::None);
}

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_MEMORY_H
