// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LaneSwaps.h.

#include "tilewright/nvidia/plan/LaneSwaps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::nvidia;

std::optional<LaneSwaps> nvidia::laneSwapsBetween(const TileLayout &from, const TileLayout &to) {
  if (from.digits.size() != to.digits.size() || from.threads != to.threads ||
      from.slots() != to.slots() || !from.isInRegisters() || !to.isInRegisters())
    return std::nullopt;
  LaneSwaps result;
  result.slots.resize(llvm::Log2_64(to.slots()));
  for (auto [held, wanted] : llvm::zip_equal(from.digits, to.digits)) {
    if (wanted.isThread) {
      if (held.isThread && held != wanted)
        return std::nullopt;
      continue;
    }
    unsigned slot = held.bit;
    if (held.isThread) {
      const auto *partner = llvm::find(to.digits, held);
      if (held.isOfWarp() || partner == to.digits.end())
        return std::nullopt;
      Digit freed = from.digits[partner - to.digits.begin()];
      if (freed.isThread)
        return std::nullopt;
      slot = freed.bit;
      result.swaps.push_back({held.bit, slot});
    }
    result.slots[wanted.bit] = slot;
  }
  return result;
}

std::optional<TileLayout> nvidia::widenedByLaneSwaps(const TileLayout &held,
                                                     llvm::ArrayRef<unsigned> bits, int64_t width,
                                                     int64_t span) {
  TileLayout layout = held;
  // Turns the bit into a register or lane bit, by a swap with the first of `others` that is one.
  auto makes = [&](unsigned bit, bool isLane, llvm::ArrayRef<unsigned> others) {
    auto is = [&](unsigned which) {
      Digit digit = layout.digits[which];
      return digit.isThread == isLane && !digit.isOfWarp();
    };
    if (is(bit))
      return true;
    const auto *other = llvm::find_if(others, is);
    if (layout.digits[bit].isOfWarp() || other == others.end())
      return false;
    std::swap(layout.digits[bit], layout.digits[*other]);
    return true;
  };
  size_t together = llvm::Log2_64(width), contiguous = llvm::Log2_64(span);
  for (size_t at = 0; at < together; ++at)
    if (!makes(bits[at], /*isLane=*/false, bits.drop_front(together)))
      return std::nullopt;
  for (size_t at = together; at < contiguous; ++at)
    if (!makes(bits[at], /*isLane=*/true, bits.drop_front(contiguous)))
      return std::nullopt;
  // Numbers the registers in the order of the bits.
  unsigned next = 0;
  for (unsigned bit : bits)
    if (!layout.digits[bit].isThread)
      layout.digits[bit].bit = next++;
  return layout;
}
