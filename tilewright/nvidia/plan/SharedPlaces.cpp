// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedPlaces.h.

#include "tilewright/nvidia/plan/SharedPlaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;

using Bits = SmallVector<unsigned, 8>;

SharedSide::SharedSide(const TileLayout &layout, llvm::ArrayRef<int> sourceBits, unsigned count)
    : digits(count), isInRegisters(layout.isInRegisters()) {
  for (auto [digit, source] : llvm::zip_equal(layout.digits, sourceBits))
    if (source >= 0)
      digits[source] = digit;
}

//===-- Accesses ------------------------------------------------------------------------------===//

/// The register bits of a side, in order: bits of the element number below `count`.
static Bits slotBitsOf(const SharedSide &side, unsigned count) {
  Bits bits;
  for (unsigned bit = 0; bit < count; ++bit)
    if (side.digits[bit] && !side.digits[bit]->isThread)
      bits.push_back(bit);
  llvm::sort(bits,
             [&](unsigned a, unsigned b) { return side.digits[a]->bit < side.digits[b]->bit; });
  return bits;
}

/// The register bits that one access of the side covers, given the lowest bits of places.
static SmallVector<unsigned, 4> slotsTogether(const SharedSide &side, const Bits &lowest) {
  SmallVector<unsigned, 4> slots;
  for (unsigned bit : lowest) {
    if (!side.digits[bit] || side.digits[bit]->isThread)
      break;
    slots.push_back(side.digits[bit]->bit);
  }
  auto areFirst = [&] {
    return llvm::all_of(slots, [&](unsigned slot) { return slot < slots.size(); });
  };
  while (!side.isInRegisters && !areFirst())
    slots.pop_back();
  return slots;
}

namespace {
/// The accesses of one side, given the lowest bits of places.
struct Accesses {
  Accesses(const SharedSide &side, const Bits &lowest, int64_t wordBytes, unsigned count)
      : slots(slotsTogether(side, lowest)) {
    int64_t bytes = wordBytes << slots.size();
    phases = std::max<int64_t>(1, bytes / 4);
    unsigned together = Digit::laneBits - llvm::Log2_64(phases);
    for (unsigned bit = 0; bit < count; ++bit)
      if (side.digits[bit] && side.digits[bit]->isThread && side.digits[bit]->bit < together &&
          !llvm::is_contained(lowest, bit))
        lanes.push_back(bit);
    number = int64_t(1) << (slotBitsOf(side, count).size() - slots.size());
  }

  SmallVector<unsigned, 4> slots;
  /// Each access takes this many phases, in each of which the lanes that differ in these bits are
  /// served.
  int64_t phases;
  Bits lanes;
  int64_t number;

  /// Instructions, plus bank-conflict cycles, if `bankBits` bits distinguish lanes.
  int64_t cost(size_t bankBits) const {
    size_t meeting = lanes.size() - std::min(lanes.size(), bankBits);
    return number * (1 + (phases << meeting));
  }
};
} // namespace

/// Bits of places that select the bank, and the half or quarter of its word.
static unsigned bankBitsOf(int64_t wordBytes, unsigned count) {
  return std::min<unsigned>(llvm::Log2_64(128 / wordBytes), count);
}

/// Candidates for the registers that an access covers: those of both sides, or of one.
static SmallVector<Bits> candidatesFor(const SharedSide &given, const SharedSide &taken,
                                       int64_t wordBytes, unsigned count) {
  Bits ofGiven = slotBitsOf(given, count), ofTaken = slotBitsOf(taken, count), common;
  llvm::copy_if(ofGiven, std::back_inserter(common),
                [&](unsigned bit) { return llvm::is_contained(ofTaken, bit); });
  auto continued = [&](const Bits &others) {
    Bits all = common;
    llvm::copy_if(others, std::back_inserter(all),
                  [&](unsigned bit) { return !llvm::is_contained(common, bit); });
    return all;
  };
  SmallVector<Bits> candidates;
  for (const Bits &all : {continued(ofGiven), continued(ofTaken), ofGiven, ofTaken})
    for (size_t size = 0; size <= all.size() && (wordBytes << size) <= 16; ++size)
      candidates.push_back(Bits(all.begin(), all.begin() + size));
  return candidates;
}

//===-- Places --------------------------------------------------------------------------------===//

SharedPlaces::SharedPlaces(const SharedSide &given, const SharedSide &taken, int64_t wordBytes,
                           unsigned count) {
  unsigned bankBits = bankBitsOf(wordBytes, count);
  Bits lowest;
  int64_t least = -1;
  for (const Bits &candidate : candidatesFor(given, taken, wordBytes, count)) {
    unsigned left = bankBits - std::min<unsigned>(bankBits, candidate.size());
    int64_t cost = Accesses(given, candidate, wordBytes, count).cost(left) +
                   Accesses(taken, candidate, wordBytes, count).cost(left);
    if (least < 0 || cost < least) {
      least = cost;
      lowest = candidate;
    }
  }
  Accesses writes(given, lowest, wordBytes, count), reads(taken, lowest, wordBytes, count);
  givenSlots = writes.slots;
  takenSlots = reads.slots;

  // First lane bits of both sides, then pairs of one of each.
  SmallVector<SmallVector<unsigned, 2>, 16> banks;
  Bits onlyGiven, onlyTaken;
  for (unsigned bit : writes.lanes)
    if (llvm::is_contained(reads.lanes, bit))
      banks.push_back({bit});
    else
      onlyGiven.push_back(bit);
  llvm::copy_if(reads.lanes, std::back_inserter(onlyTaken),
                [&](unsigned bit) { return !llvm::is_contained(writes.lanes, bit); });
  for (size_t at = 0; at < std::max(onlyGiven.size(), onlyTaken.size()); ++at) {
    banks.emplace_back();
    for (const Bits &only : {onlyTaken, onlyGiven})
      if (at < only.size())
        banks.back().push_back(only[at]);
  }
  unsigned left = bankBits - std::min<unsigned>(bankBits, lowest.size());
  if (banks.size() > left)
    banks.resize(left);

  // Each bit gets a place of its own, as the first term of an exclusive-or.
  llvm::SmallBitVector isPlaced(count);
  for (unsigned bit : lowest)
    isPlaced.set(bit);
  for (const auto &sum : banks)
    isPlaced.set(sum.front());
  Bits others;
  for (unsigned bit = 0; bit < count; ++bit)
    if (!isPlaced.test(bit))
      others.push_back(bit);
  // Bits that also contribute to a bank come last.
  llvm::sort(others, [&](unsigned a, unsigned b) {
    auto keyOf = [&](unsigned bit) {
      bool isAdded =
          llvm::any_of(banks, [&](const auto &sum) { return llvm::is_contained(sum, bit); });
      return std::pair(isAdded, bit);
    };
    return keyOf(a) < keyOf(b);
  });
  unsigned between = left - banks.size();
  for (unsigned bit : lowest)
    bits.push_back({bit});
  for (unsigned bit : llvm::ArrayRef(others).take_front(between))
    bits.push_back({bit});
  llvm::append_range(bits, banks);
  for (unsigned bit : llvm::ArrayRef(others).drop_front(std::min<size_t>(between, others.size())))
    bits.push_back({bit});
}

SharedPlaces::SharedPlaces(int64_t wordBytes, unsigned count) {
  unsigned bankBits = bankBitsOf(wordBytes, count);
  unsigned inWord =
      std::min<unsigned>(bankBits, llvm::Log2_64(std::max<int64_t>(1, 4 / wordBytes)));
  for (unsigned bit = 0; bit < count; ++bit) {
    bits.push_back({bit});
    if (bit >= bankBits)
      bits[inWord + (bit - bankBits) % std::max(1u, bankBits - inWord)].push_back(bit);
  }
}

int64_t SharedPlaces::placeOf(int64_t number) const {
  int64_t place = 0;
  for (auto [at, sum] : llvm::enumerate(bits))
    for (unsigned bit : sum)
      place ^= ((number >> bit) & 1) << at;
  return place;
}
