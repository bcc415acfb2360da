// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for tests of products: matrices in all layouts of shared memory, and kernels that
// multiply them.

#ifndef TILEWRIGHT_PTX_TCGEN05_PRODUCTTESTING_H
#define TILEWRIGHT_PTX_TCGEN05_PRODUCTTESTING_H

#include "tilewright/ptx/tcgen05/TensorTesting.h"

namespace tilewright::ptx::testing::tensor {

//===-- Matrices ----------------------------------------------------------------------------===//

/// A type of elements: its bits in shared memory, its number in the instruction descriptor, and the
/// encodings of the values of `ladder`.
struct Element {
  const char *name;
  unsigned bits, number;
  std::array<uint32_t, 4> codes;
};

struct Types {
  const char *name;
  unsigned k, d;
  Element a, b;
};

/// A layout of 16-byte chunks: the number of the swizzle in a descriptor and its span. Transposed:
/// rows are adjacent.
struct Layout {
  unsigned swizzle, span;
  bool isTransposed = false;
};
inline constexpr int ladder[] = {0, 1, 2, -1};
inline constexpr Element half = {"f16", 16, 0, {0, 0x3C00, 0x4000, 0xBC00}},
                         brain = {"bf16", 16, 1, {0, 0x3F80, 0x4000, 0xBF80}},
                         single = {"tf32", 32, 2, {0, 0x3F800000, 0x40000000, 0xBF800000}},
                         e4m3 = {"e4m3", 8, 0, {0, 0x38, 0x40, 0xB8}},
                         e5m2 = {"e5m2", 8, 1, {0, 0x3C, 0x40, 0xBC}},
                         e2m3 = {"e2m3", 6, 3, {0, 0x08, 0x10, 0x28}},
                         e3m2 = {"e3m2", 6, 4, {0, 0x0C, 0x10, 0x2C}},
                         e2m1 = {"e2m1", 4, 5, {0, 2, 4, 10}},
                         unsignedByte = {"u8", 8, 0, {0, 1, 2, 0}},
                         signedByte = {"s8", 8, 1, {0, 1, 2, 0xFF}};

inline const Layout rowsOnly{0, 0}, wide32{6, 32}, wide64{4, 64}, wide128{2, 128};
inline const Layout tall{0, 0, true}, tall32{6, 32, true}, tall64{4, 64, true},
    tall128{2, 128, true}, coarse{1, 128, true};

/// An index of `ladder` for each element.
inline unsigned codeOf(unsigned row, unsigned column, unsigned salt) {
  return (row * 7 + column * 5 + row * column * 3 + salt) >> 1 & 3;
}
inline int valueAt(const Element &type, unsigned code) {
  return type.codes[code] == 0 ? 0 : ladder[code];
}

/// The offset of an element, without its swizzle: leading and stride as `descriptorOf` has them.
inline unsigned plainOffset(const Element &type, const Layout &layout, unsigned row,
                            unsigned column, unsigned rows) {
  const bool isPadded = type.bits == 6 || (type.bits == 4 && type.number == 5);
  const unsigned bits = isPadded ? 8 : type.bits;
  if (!layout.isTransposed) {
    const unsigned byte = column * bits / 8;
    if (!layout.span) // blocks of 8 rows of 16 bytes: next columns first
      return row / 8 * 256 + byte / 16 * 128 + row % 8 * 16 + byte % 16;
    return row * layout.span + byte;
  }
  const unsigned bytes = bits / 8, span = layout.span ? layout.span : 16, perSpan = span / bytes;
  // Blocks of 8 columns: next rows, then next columns.
  const unsigned panels = (rows + perSpan - 1) / perSpan;
  return (column / 8 * panels + row / perSpan) * 8 * span + column % 8 * span +
         row % perSpan * bytes;
}

inline unsigned swizzledOffset(const Layout &layout, unsigned offset) {
  const unsigned chunk = layout.swizzle == 1 ? 32 : 16;
  const unsigned lines = layout.span / chunk;
  return lines > 1 ? offset ^ (offset / 128 % lines * chunk) : offset;
}

inline uint64_t descriptorOf(const Element &type, const Layout &layout, unsigned start,
                             unsigned rows) {
  uint64_t leading = 128, stride = layout.span ? 8 * layout.span : 256;
  if (layout.isTransposed) {
    const bool isPadded = type.bits < 8;
    const unsigned bytes = isPadded ? 1 : type.bits / 8, span = layout.span ? layout.span : 16;
    const unsigned panels = (rows * bytes + span - 1) / span;
    leading = 8 * span; // the next rows
    stride = uint64_t(8) * span * panels;
    if (!layout.span)
      std::swap(leading, stride);
  }
  return start / 16 | leading / 16 << 16 | stride / 16 << 32 | uint64_t(1) << 46 |
         uint64_t(layout.swizzle) << 61;
}

inline void put(std::vector<uint8_t> &image, unsigned offset, unsigned shift, uint32_t bits) {
  for (uint64_t left = uint64_t(bits) << shift; left; left >>= 8)
    image[offset++] |= uint8_t(left);
}

inline void place(std::vector<uint8_t> &image, unsigned start, const Element &type,
                  const Layout &layout, unsigned rows, unsigned k, unsigned salt) {
  const bool isPadded = type.bits == 6 || (type.bits == 4 && type.number == 5);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < k; ++column) {
      unsigned offset = plainOffset(type, layout, row, column, rows), shift = 0;
      if (isPadded) { // 16 elements of 4 or 6 bits at the beginning of 16 bytes
        shift = offset % 16 * type.bits;
        offset = offset / 16 * 16;
      } else if (type.bits == 4) {
        shift = column % 2 * 4;
      }
      put(image, start + swizzledOffset(layout, offset + shift / 8), shift % 8,
          type.codes[codeOf(row, column, salt)]);
    }
}

//===-- Kernels -----------------------------------------------------------------------------===//

inline constexpr unsigned startOfB = 16384;

inline std::string copyImage() {
  return "shl.b32 %r6, %r1, 4;\nmov.u32 %r7, tile;\nadd.u32 %r7, %r7, %r6;\n"
         "cvt.u64.u32 %rd3, %r6;\nadd.u64 %rd3, %rd3, %rd2;\nmov.u32 %r8, 0;\n$copy:\n"
         "ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%rd3];\n"
         "st.shared.v4.b32 [%r7], {%v0, %v1, %v2, %v3};\nadd.u32 %r7, %r7, 2048;\n"
         "add.u64 %rd3, %rd3, 2048;\nadd.u32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 24;\n"
         "@%p3 bra $copy;\n";
}

inline const std::string init = "@%p2 mbarrier.init.shared.b64 [bar], 1;\n",
                         proxy = "fence.proxy.async.shared::cta;\n",
                         commit = "@%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::"
                                  "cluster.b64 [bar];\n",
                         waiting =
                             "$wait:\nmbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;\n@!%p3 "
                             "bra $wait;\n",
                         after = "tcgen05.fence::after_thread_sync;\n";

/// Moves descriptors of both matrices to %rd4 and %rd5; their starts are relative to `tile`.
inline std::string descriptors(uint64_t a, uint64_t b, uint32_t instruction) {
  return "mov.u32 %r9, tile;\nshr.u32 %r9, %r9, 4;\ncvt.u64.u32 %rd6, %r9;\nmov.u64 %rd4, " +
         std::to_string(a) + ";\nadd.u64 %rd4, %rd4, %rd6;\nmov.u64 %rd5, " + std::to_string(b) +
         ";\nadd.u64 %rd5, %rd5, %rd6;\nmov.b32 %r10, " + std::to_string(instruction) + ";\n";
}

/// Loads `n` columns, and stores them as rows of `out`.
inline std::string results(unsigned n) {
  std::string code =
      "mul.wide.u32 %rd3, %r1, " + std::to_string(4 * n) + ";\nadd.u64 %rd3, %rd3, %rd1;\n";
  for (unsigned column = 0; column < n; ++column)
    code += "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%r5+" + std::to_string(column) +
            "];\ntcgen05.wait::ld.sync.aligned;\nst.global.b32 [%rd3+" +
            std::to_string(4 * column) + "], %v0;\n";
  return code;
}

inline uint32_t instructionOf(const Types &kind, unsigned m, unsigned n, const Layout &ofA,
                              const Layout &ofB) {
  return kind.d << 4 | kind.a.number << 7 | kind.b.number << 10 | uint32_t(ofA.isTransposed) << 15 |
         uint32_t(ofB.isTransposed) << 16 | n / 8 << 17 | m / 16 << 24;
}

inline Words imageOf(const Types &kind, unsigned m, unsigned n, const Layout &ofA,
                     const Layout &ofB) {
  std::vector<uint8_t> image(49152);
  place(image, 0, kind.a, ofA, m, kind.k, 0);
  place(image, startOfB, kind.b, ofB, n, kind.k, 3);
  Words words(image.size() / 4);
  std::memcpy(words.data(), image.data(), image.size());
  return words;
}

inline std::string product(const std::string &kind, const std::string &a, const std::string &tail) {
  return "@%p2 tcgen05.mma.cta_group::1." + kind + " [%r4], " + a + ", %rd5, %r10, " + tail + ";\n";
}

inline uint32_t encoded(const Types &kind, int value) {
  if (kind.d == 2)
    return uint32_t(value);
  if (kind.d == 1)
    return std::bit_cast<uint32_t>(float(value));
  // f16 of an integer: exponent and mantissa from f32.
  const auto bits = std::bit_cast<uint32_t>(float(value));
  return value == 0 ? 0
                    : (bits >> 31 << 15) | ((bits >> 23 & 0xFF) - 112) << 10 | (bits >> 13 & 0x3FF);
}

inline int exactAt(const Types &kind, unsigned row, unsigned column) {
  int sum = 0;
  for (unsigned i = 0; i < kind.k; ++i)
    sum += valueAt(kind.a, codeOf(row, i, 0)) * valueAt(kind.b, codeOf(column, i, 3));
  return sum;
}

/// Two products in a row, the second added to the first, in the lanes of a matrix of m rows.
inline void checkProduct(const Types &kind, unsigned m, unsigned n, const Layout &ofA,
                         const Layout &ofB) {
  const std::string name = std::string("kind::") + kind.name;
  const std::string code =
      init + allocation(256) + copyImage() + proxy + "bar.sync 0;\n" +
      descriptors(descriptorOf(kind.a, ofA, 0, m), descriptorOf(kind.b, ofB, startOfB, n),
                  instructionOf(kind, m, n, ofA, ofB)) +
      product(name, "%rd4", "%p4") + product(name, "%rd4", "%p2") + commit + waiting + after +
      (m == 64 ? "and.b32 %r11, %r1, 16;\n" : "") + results(n) + release(256);
  Kernel kernel(tensorText(code));
  ASSERT_EQ(kernel.refused, "");
  Region &out = kernel.array(Words(128 * n));
  kernel.array(imageOf(kind, m, n, ofA, ofB));
  kernel.launch.block = {128, 1, 1};
  kernel.checks.set(Check::Undefined, m == 128); // half of the lanes are not written
  kernel.run();
  ASSERT_EQ(kernel.firstFinding(), "nothing");
  const Words found = Kernel::values<uint32_t>(out);
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      const unsigned lane = m == 64 ? row / 16 * 32 + row % 16 : row;
      ASSERT_EQ(found[lane * n + column], encoded(kind, 2 * exactAt(kind, row, column)))
          << name << " " << kind.a.name << " " << kind.b.name << " m " << m << " n " << n << " row "
          << row << " column " << column << " layouts " << ofA.swizzle << ofA.isTransposed << " "
          << ofB.swizzle << ofB.isTransposed;
    }
}

inline const Types halves = {"f16", 16, 1, half, half};

//===-- Pairs of CTAs -----------------------------------------------------------------------===//

inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

inline const std::string clusterBarrier =
    "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

inline std::string paired(const std::string &code) {
  return replaced(code, "cta_group::1", "cta_group::2");
}

/// Each CTA has its rows of A and half of the columns of B. The first one, in which %p5 is true for
/// one thread, begins the product in `code`, and commits it to the mbarriers of both, which store
/// `width` columns each.
inline std::string pairKernel(unsigned width, const std::string &code, const std::string &begin,
                              const std::string &end) {
  return init +
         "fence.mbarrier_init.release.cluster;\nmov.u32 %r20, %cluster_ctarank;\n"
         "mul.wide.u32 %rd8, %r20, 49152;\nadd.u64 %rd2, %rd2, %rd8;\n"
         "mul.wide.u32 %rd8, %r20, " +
         std::to_string(512 * width) +
         ";\nadd.u64 %rd1, %rd1, %rd8;\nsetp.eq.and.u32 %p5, %r20, 0, %p2;\nmov.b16 %h1, 3;\n" +
         begin + copyImage() + proxy + clusterBarrier + code +
         "@%p5 "
         "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster."
         "b64 [bar], %h1;\n" +
         waiting + after + results(width) + end + clusterBarrier;
}

/// The first finding; `image` has that of the first CTA, then that of the second one.
inline std::string pairRun(const std::string &code, const Words &image, const Schedule &schedule,
                           Words &result, uint32_t clusterSize = 2) {
  Kernel kernel(tensorText(code));
  if (!kernel.refused.empty())
    return kernel.refused;
  Region &out = kernel.array(result);
  kernel.array(image);
  kernel.launch.block = {128, 1, 1};
  kernel.launch.grid = {clusterSize, 1, 1};
  kernel.launch.cluster = {clusterSize, 1, 1};
  kernel.schedule = schedule;
  kernel.run();
  result = Kernel::values<uint32_t>(out);
  return kernel.firstFinding();
}

} // namespace tilewright::ptx::testing::tensor

#endif // TILEWRIGHT_PTX_TCGEN05_PRODUCTTESTING_H
