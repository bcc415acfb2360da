// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how operands lie in shared memory against the definition of swizzles by address bits (PTX
// ISA, 5.5.7): of an image that begins at a multiple of 1024 bytes, the bits of a byte's address
// are exchanged as follows:
//   32 bytes:  bit 4 ^= bit 7;  64 bytes: bits 4-5 ^= bits 7-8;  128 bytes: bits 4-6 ^= bits 7-9.

#include "tilewright/nvidia/plan/SharedImage.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace tilewright::nvidia;

namespace {

/// The offset of a byte by address bits: panels of `span` bytes, rows in order, then the swizzle.
int64_t offsetByBits(const SharedImage &image, int64_t row, int64_t byte) {
  int64_t linear =
      byte / image.span * image.rows * image.span + row * image.span + byte % image.span;
  int64_t bits = image.span == 128 ? 7 : image.span == 64 ? 3 : 1;
  return linear ^ ((linear >> 7 & bits) << 4);
}

/// The same by pieces: `Operands::addressIn` permutes those of a row.
int64_t offsetByPieces(const SharedImage &image, int64_t row, int64_t byte) {
  int64_t piece = byte % image.span / SharedImage::pieceBytes;
  piece ^= row / image.rowsOfPermutation() % image.swizzledPieces();
  return image.offsetOf(row, byte / image.span * image.span) + piece * SharedImage::pieceBytes +
         byte % SharedImage::pieceBytes;
}

const std::vector<SharedImage> images = {
    SharedImage::inPanels(64, 32),   SharedImage::inPanels(16, 64),  SharedImage::inPanels(128, 64),
    SharedImage::inPanels(8, 128),   SharedImage::inPanels(64, 128), SharedImage::inPanels(16, 256),
    SharedImage::inPanels(256, 128), SharedImage::inPanels(64, 512)};

TEST(SharedImage, PanelsHaveTheWidthOfARowUpTo128Bytes) {
  EXPECT_EQ(SharedImage::inPanels(64, 32).span, 32);
  EXPECT_EQ(SharedImage::inPanels(64, 64).span, 64);
  EXPECT_EQ(SharedImage::inPanels(64, 128).span, 128);
  EXPECT_EQ(SharedImage::inPanels(64, 512).span, 128);
  EXPECT_EQ(SharedImage::inPanels(64, 512).panels(), 4);
  EXPECT_EQ(SharedImage::inPanels(64, 512).panelBytes(), 8192);
}

TEST(SharedImage, PiecesArePermutedAsTheHardwareSwizzles) {
  for (const SharedImage &image : images) {
    std::set<int64_t> used;
    for (int64_t row = 0; row < image.rows; ++row)
      for (int64_t byte = 0; byte < image.rowBytes; ++byte) {
        int64_t offset = offsetByPieces(image, row, byte);
        ASSERT_EQ(image.placeOf(row, byte), offset);
        ASSERT_EQ(offset, offsetByBits(image, row, byte))
            << image.span << " bytes, row " << row << ", byte " << byte;
        EXPECT_TRUE(used.insert(offset).second);
      }
    EXPECT_EQ(*used.rbegin() + 1, image.rows * image.rowBytes);
  }
}

/// A descriptor's start is not swizzled; the hardware swizzles the addresses that follow from it.
/// So the step along k of 32 bytes in a row of 128 is 2 units, and eight rows later is 64 units.
TEST(SharedImage, OffsetsForDescriptorsAreNotSwizzled) {
  const SharedImage wide = SharedImage::inPanels(64, 256);
  EXPECT_EQ(wide.offsetOf(0, 0), 0);
  EXPECT_EQ(wide.offsetOf(0, 32), 32);
  EXPECT_EQ(wide.offsetOf(8, 0), 1024);
  EXPECT_EQ(wide.offsetOf(8, 96), 1024 + 96);
  EXPECT_EQ(wide.offsetOf(0, 128), 64 * 128); // the next panel
  EXPECT_EQ(wide.offsetOf(24, 160), 64 * 128 + 24 * 128 + 32);
  EXPECT_EQ(SharedImage::inPanels(64, 32).offsetOf(8, 16), 256 + 16);
}

/// For each group of eight rows, the address bits of the swizzle are those of the offset in the
/// image, so that a descriptor that begins with them reads the same places.
TEST(SharedImage, SwizzlesRepeatAfterEightRows) {
  for (const SharedImage &image : images)
    for (int64_t row = 0; row < image.rows; row += SharedImage::rowsOfSwizzle)
      for (int64_t byte = 0; byte < image.rowBytes; byte += 32)
        for (int64_t inGroup = 0; inGroup < 8; ++inGroup)
          for (int64_t piece : {0, 16}) {
            int64_t linear = image.offsetOf(row, byte) + inGroup * image.span + piece;
            int64_t bits = image.span == 128 ? 7 : image.span == 64 ? 3 : 1;
            ASSERT_EQ(linear ^ ((linear >> 7 & bits) << 4),
                      offsetByPieces(image, row + inGroup, byte + piece));
          }
}

/// The fields of a descriptor (PTX ISA, 9.7.16.5.1): leading offset in bits 16-29, stride offset in
/// bits 32-45, both in units of 16 bytes, and the swizzle in bits 62-63 (1: 128 bytes, 2: 64 bytes,
/// 3: 32 bytes).
TEST(SharedImage, DescriptorsHaveTheOffsetsOfGroupsAndPanels) {
  auto fields = [](uint64_t descriptor) {
    return std::vector<uint64_t>{descriptor & 0x3FFF, descriptor >> 16 & 0x3FFF,
                                 descriptor >> 32 & 0x3FFF, descriptor >> 49 & 7, descriptor >> 62};
  };
  using Fields = std::vector<uint64_t>;
  EXPECT_EQ(fields(SharedImage::inPanels(64, 128).descriptor(true)), (Fields{0, 1, 64, 0, 1}));
  EXPECT_EQ(fields(SharedImage::inPanels(64, 64).descriptor(true)), (Fields{0, 1, 32, 0, 2}));
  EXPECT_EQ(fields(SharedImage::inPanels(64, 32).descriptor(true)), (Fields{0, 1, 16, 0, 3}));
  // 64 rows of 128 bytes are 8192 bytes, or 512 units.
  EXPECT_EQ(fields(SharedImage::inPanels(64, 512).descriptor(false)), (Fields{0, 512, 64, 0, 1}));
  EXPECT_EQ(fields(SharedImage::inPanels(16, 64).descriptor(false)), (Fields{0, 64, 32, 0, 2}));
}

} // namespace
