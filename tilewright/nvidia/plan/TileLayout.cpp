// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TileLayout.h.

#include "tilewright/nvidia/plan/TileLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using llvm::SmallVector;
using nvidia::Digit;
using nvidia::TileLayout;
using nvidia::Tuning;

static constexpr unsigned laneBits = Digit::laneBits;

static SmallVector<unsigned> firstNumbers(unsigned count) {
  return llvm::to_vector(llvm::seq<unsigned>(0, count));
}

TileLayout::TileLayout(int64_t elements, int64_t threads, const Tuning &tuning)
    : TileLayout(blocked(firstNumbers(llvm::Log2_64(elements)), threads,
                         std::max<int64_t>(1, tuning.defaultWidth), tuning)) {}

TileLayout TileLayout::blocked(llvm::ArrayRef<unsigned> bits, int64_t threads, int64_t width,
                               const Tuning &tuning) {
  unsigned count = bits.size(), ofThread = std::min<unsigned>(count, llvm::Log2_64(threads));
  unsigned together = std::min<unsigned>(count - ofThread, llvm::Log2_64(width));
  unsigned lanes = std::min(ofThread, laneBits), warps = ofThread - lanes;
  TileLayout layout(SmallVector<Digit, 16>(count), threads, tuning.mostUnrolledElements);
  for (unsigned at = 0; at < count; ++at) {
    Digit &digit = layout.digits[bits[at]];
    if (at < together)
      digit = {false, at};
    else if (at < together + lanes)
      digit = {true, at - together};
    else if (at < count - warps)
      digit = {false, at - lanes};
    else
      digit = {true, at - (count - warps) + lanes};
  }
  return layout;
}

int64_t TileLayout::slots() const {
  return int64_t(1) << llvm::count_if(digits, [](Digit digit) { return !digit.isThread; });
}

int64_t TileLayout::step() const {
  const auto *first = llvm::find(digits, Digit{false, 0});
  return first == digits.end() ? 1 : int64_t(1) << (first - digits.begin());
}

int64_t TileLayout::width() const {
  const auto *at = llvm::find(digits, Digit{false, 0});
  unsigned bit = 0;
  while (at != digits.end() && *at == Digit{false, bit})
    ++at, ++bit;
  return int64_t(1) << bit;
}

int64_t TileLayout::span(int64_t together) const {
  unsigned bits = llvm::Log2_64(std::min(together, width()));
  const auto *at = digits.begin() + llvm::Log2_64(step()) + bits;
  for (; at < digits.end() && at->isThread && !at->isOfWarp(); ++at)
    ++bits;
  return int64_t(1) << bits;
}

int64_t TileLayout::unusedThreadBits() const {
  int64_t unused = threads - 1;
  for (Digit digit : digits)
    if (digit.isThread)
      unused &= ~(int64_t(1) << digit.bit);
  return unused;
}

int64_t TileLayout::indexOf(int64_t thread, int64_t slot) const {
  int64_t index = 0;
  for (auto [bit, digit] : llvm::enumerate(digits))
    index |= (((digit.isThread ? thread : slot) >> digit.bit) & 1) << bit;
  return index;
}

TileLayout TileLayout::without(llvm::ArrayRef<unsigned> bits) const {
  TileLayout rest(SmallVector<Digit, 16>(), threads, mostInRegisters);
  SmallVector<unsigned> goneSlots;
  for (unsigned bit : bits)
    if (!digits[bit].isThread)
      goneSlots.push_back(digits[bit].bit);
  for (auto [bit, digit] : llvm::enumerate(digits)) {
    if (llvm::is_contained(bits, bit))
      continue;
    unsigned below = llvm::count_if(goneSlots, [&](unsigned gone) { return gone < digit.bit; });
    rest.digits.push_back(digit.isThread ? digit : Digit{false, digit.bit - below});
  }
  return rest;
}

/// Prints runs of successive bits, each by its first and last.
std::string TileLayout::text() const {
  std::string text;
  for (size_t at = 0; at < digits.size();) {
    Digit first = digits[at];
    size_t end = at + 1;
    while (end < digits.size() && digits[end].isThread == first.isThread &&
           digits[end].bit == first.bit + (end - at) &&
           !(first.isThread && digits[end].bit == laneBits))
      ++end;
    bool isWarp = first.isThread && first.bit >= laneBits;
    unsigned number = first.bit - (isWarp ? laneBits : 0), last = number + (end - at) - 1;
    text += llvm::formatv("{0}{1} {2}", text.empty() ? "" : ", ",
                          isWarp           ? "warp"
                          : first.isThread ? "lane"
                                           : "slot",
                          number);
    if (last != number)
      text += ".." + std::to_string(last);
    at = end;
  }
  return text;
}
