// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the representation of elements in memory (types, 2.3), with bytes written by hand.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Memory.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

std::vector<uint8_t> stored(Format format, std::vector<uint64_t> patterns) {
  std::vector<uint8_t> bytes(storageBytes(format, patterns.size()), 0xAA);
  for (size_t i = 0; i < patterns.size(); ++i)
    store(bytes.data(), i, Element::fromBits(format, patterns[i]));
  return bytes;
}

TEST(Memory, Stores) {
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(stored(Format::I1, {1, 0}), (Bytes{1, 0}));
  EXPECT_EQ(stored(Format::I16, {0x1234, 0xFFFE}), (Bytes{0x34, 0x12, 0xFE, 0xFF}));
  EXPECT_EQ(stored(Format::F32, {0x3F800000}), (Bytes{0, 0, 0x80, 0x3F}));
  EXPECT_EQ(stored(Format::TF32, {0x1FC00, 0x60000}), (Bytes{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}));
  EXPECT_EQ(stored(Format::I64, {0x0102030405060708}), (Bytes{8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(stored(Format::Pointer, {0x1000}), (Bytes{0, 0x10, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(stored(Format::F8E5M2, {0x7B}), (Bytes{0x7B}));
  // The other half of the byte is unchanged.
  EXPECT_EQ(stored(Format::F4E2M1FN, {0x1, 0x3, 0xF}), (Bytes{0x31, 0xAF}));
}

TEST(Memory, Loads) {
  const uint8_t bytes[] = {0x00, 0x80, 0xFF, 0x1F, 0x80, 0x3F};
  EXPECT_EQ(load(bytes, 0, Format::I1).bits, 0u);
  EXPECT_EQ(load(bytes, 1, Format::I1).bits, 1u); // every nonzero byte is true
  EXPECT_EQ(load(bytes, 1, Format::I16).bits, 0x1FFFu);
  EXPECT_EQ(load(bytes + 2, 0, Format::TF32).bits, 0x1FC00u); // the low bits are ignored
  EXPECT_EQ(load(bytes, 2, Format::F4E2M1FN).bits, 0x0u);
  EXPECT_EQ(load(bytes, 3, Format::F4E2M1FN).bits, 0x8u);
}

TEST(Memory, WhatIsStoredLoadsBack) {
  std::mt19937_64 random(14);
  for (const FormatInfo &f : allFormats()) {
    if (f.storageBits == 0)
      continue;
    std::vector<uint64_t> patterns;
    for (int i = 0; i < 33; ++i)
      patterns.push_back(random() & f.mask());
    std::vector<uint8_t> bytes = stored(f.format, patterns);
    EXPECT_EQ(bytes.size(), (33 * f.storageBits + 7u) / 8) << f.spelling;
    for (int i = 0; i < 33; ++i)
      EXPECT_EQ(load(bytes.data(), i, f.format), Element::fromBits(f.format, patterns[i]));
  }
}

} // namespace
