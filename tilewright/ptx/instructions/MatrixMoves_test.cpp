// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix of packed elements, and stmatrix of columns of bytes. Elements differ from each other as
// far as their bits allow; expected positions follow the manual.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// One warp: lane i copies 16 bytes of `rows` to shared memory, has their address in %r0, and
/// registers %r4 to %r7 from `registers`. Returns the state after `move`: first the registers, then
/// the memory, 16 bytes per lane.
static std::vector<uint8_t> movedBytes(const std::string &move, const std::vector<uint8_t> &rows,
                                       const std::vector<uint32_t> &registers) {
  Kernel kernel(header() + R"(
.visible .entry k(.param .u64 out, .param .u64 rows, .param .u64 registers)
{
  .reg .b32 %r<12>;
  .reg .b64 %rd<5>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [rows];
  ld.param.u64 %rd3, [registers];
  mov.u32 %r1, %laneid;
  mad.wide.u32 %rd1, %r1, 16, %rd1;
  mad.wide.u32 %rd2, %r1, 16, %rd2;
  mad.wide.u32 %rd3, %r1, 16, %rd3;
  shl.b32 %r0, %r1, 4;
  mov.u32 %r2, tile;
  add.u32 %r0, %r0, %r2;
  ld.global.v4.b32 {%r8, %r9, %r10, %r11}, [%rd2];
  st.shared.v4.b32 [%r0], {%r8, %r9, %r10, %r11};
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd3];
  bar.warp.sync 0xFFFFFFFF;
  )" + move + R"(
  bar.warp.sync 0xFFFFFFFF;
  ld.shared.v4.b32 {%r8, %r9, %r10, %r11}, [%r0];
  st.global.v4.b32 [%rd1], {%r4, %r5, %r6, %r7};
  st.global.v4.b32 [%rd1+512], {%r8, %r9, %r10, %r11};
  ret;
}
)");
  Region &out = kernel.array(std::vector<uint8_t>(1024));
  kernel.array(rows);
  kernel.array(registers);
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << move << kernel.firstFinding();
  return Kernel::values<uint8_t>(out);
}

/// Element `column` of row `row`: no two neighbours are equal.
static unsigned packedAt(unsigned row, unsigned column, unsigned bits) {
  return (row * 29 + column * 11 + 3) % (1u << bits);
}

/// 32 rows of 16 such elements. The rest of each 16 bytes is padding, which must not be loaded.
static std::vector<uint8_t> packedRows(unsigned bits) {
  std::vector<uint8_t> rows(512);
  for (unsigned row = 0; row < 32; ++row) {
    for (unsigned byte = 2 * bits; byte < 16; ++byte)
      rows[row * 16 + byte] = 0xFF;
    for (unsigned bit = 0; bit < 16 * bits; ++bit)
      if (packedAt(row, bit / bits, bits) >> bit % bits & 1)
        rows[row * 16 + bit / 8] |= uint8_t(1 << bit % 8);
  }
  return rows;
}

TEST(MatrixMoves, LoadsPackedElements) {
  for (unsigned bits : {4u, 6u}) {
    const std::vector<uint8_t> rows = packedRows(bits);
    for (unsigned count : {1u, 2u, 4u}) {
      std::string list = "{%r4";
      for (unsigned at = 1; at < count; ++at)
        list += ", %r" + std::to_string(4 + at);
      const auto out =
          movedBytes("ldmatrix.sync.aligned.m8n16.x" + std::to_string(count) + ".shared.b8x16." +
                         (bits == 4 ? "b4x16_p64 " : "b6x16_p32 ") + list + "}, [%r0];",
                     rows, std::vector<uint32_t>(128, 0xABABABAB));
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned matrix = 0; matrix < 4; ++matrix)
          for (unsigned byte = 0; byte < 4; ++byte)
            ASSERT_EQ(out[lane * 16 + matrix * 4 + byte],
                      matrix < count ? packedAt(matrix * 8 + lane / 4, lane % 4 * 4 + byte, bits)
                                     : 0xAB)
                << bits << " " << count << " " << lane << " " << matrix << " " << byte;
    }
  }
}

TEST(MatrixMoves, LoadsTransposedBytes) {
  for (unsigned bits : {8u, 6u, 4u}) {
    const std::vector<uint8_t> rows = packedRows(bits);
    const std::string type = bits == 8   ? "b8 "
                             : bits == 6 ? "b8x16.b6x16_p32 "
                                         : "b8x16.b4x16_p64 ";
    for (unsigned count : {1u, 2u}) {
      const auto out =
          movedBytes("ldmatrix.sync.aligned.m16n16.x" + std::to_string(count) + ".trans.shared." +
                         type + (count == 1 ? "{%r4, %r5}" : "{%r4, %r5, %r6, %r7}") + ", [%r0];",
                     rows, std::vector<uint32_t>(128, 0xABABABAB));
      // The matrix times 16 rows; the second of two registers has the column 8 further. Of the
      // transposed matrix, lane 0 holds the first four elements of the first row.
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned number = 0; number < 4; ++number)
          for (unsigned byte = 0; byte < 4; ++byte)
            ASSERT_EQ(out[lane * 16 + number * 4 + byte],
                      number < 2 * count ? packedAt(number / 2 * 16 + lane % 4 * 4 + byte,
                                                    lane / 4 + number % 2 * 8, bits)
                                         : 0xAB)
                << bits << " " << count << " " << lane << " " << number << " " << byte;
    }
  }
}

TEST(MatrixMoves, StoresTransposedBytes) {
  // A matrix of 16 rows and 8 columns: the element of row r and column c is 8 r + c + 128 matrix.
  std::vector<uint32_t> registers(128);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      const unsigned first = 8 * (lane / 4) + 2 * (lane % 4) + 128 * matrix;
      registers[lane * 4 + matrix] = (first & 0xFF) | ((first + 1) & 0xFF) << 8 |
                                     ((first + 64) & 0xFF) << 16 | ((first + 65) & 0xFF) << 24;
    }
  for (unsigned count : {1u, 2u, 4u}) {
    std::string list = "{%r4";
    for (unsigned at = 1; at < count; ++at)
      list += ", %r" + std::to_string(4 + at);
    const auto out = movedBytes("stmatrix.sync.aligned.m16n8.x" + std::to_string(count) +
                                    ".trans.shared.b8 [%r0], " + list + "};",
                                std::vector<uint8_t>(512, 0xEE), registers);
    for (unsigned column = 0; column < 32; ++column) // 8 per matrix
      for (unsigned row = 0; row < 16; ++row)
        ASSERT_EQ(out[512 + column * 16 + row],
                  column / 8 < count ? (8 * row + column % 8 + 128 * (column / 8)) & 0xFF : 0xEE)
            << count << " " << column << " " << row;
  }
}

// Unsupported forms.
TEST(MatrixMoves, RejectsUnsupportedForms) {
  for (const char *code :
       {"ldmatrix.sync.aligned.m8n16.x1.shared.b8 {%r1}, [%r3];",
        "ldmatrix.sync.aligned.m8n16.x1.trans.shared.b8x16.b4x16_p64 {%r1}, [%r3];",
        "ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r1, %r2}, [%r3];",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b16 {%r1, %r2}, [%r3];",
        "ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r1, %r2, %r4, %r5}, [%r3];",
        "ldmatrix.sync.aligned.m16n8.x1.trans.shared.b8 {%r1}, [%r3];",
        "stmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 [%r3], {%r1};",
        "stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r3], {%r1};",
        "stmatrix.sync.aligned.m8n8.x1.trans.shared.b8 [%r3], {%r1};"})
    EXPECT_NE(refusalOf(code).find("not supported"), std::string::npos) << code << refusalOf(code);
}
