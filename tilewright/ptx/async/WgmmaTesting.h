// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for tests of wgmma: the layouts of shared memory in the manual, matrices of small numbers
// in these layouts, and a kernel that multiplies them.

#ifndef TILEWRIGHT_PTX_ASYNC_WGMMATESTING_H
#define TILEWRIGHT_PTX_ASYNC_WGMMATESTING_H

#include "tilewright/ptx/Testing.h"

#include "tilewright/numerics/Convert.h"

#include <bit>
#include <functional>
#include <optional>

namespace tilewright::ptx::testing {

/// A layout of the manual: the byte offset of an element of `bytes` bytes, and the fields of the
/// descriptor.
struct Layout {
  std::function<unsigned(unsigned row, unsigned column, unsigned bytes)> at;
  unsigned leading, stride, mode;
  bool isTransposed = false;
};

/// Consecutive rows of `width` bytes; chunk c (16 bytes) of a row is stored at c ^ change.
inline Layout wide(unsigned width, unsigned mode) {
  const auto at = [=](unsigned row, unsigned column, unsigned bytes) {
    const unsigned byte = column * bytes, change = row * width / 128 % (width / 16);
    return row * width + (byte / 16 ^ change) * 16 + byte % 16;
  };
  return {at, 16, 8 * width, mode};
}

/// 8 rows of 16 bytes form a block of 128 bytes; two blocks are side by side, then come the next 8
/// rows.
inline const Layout blocks = {[](unsigned row, unsigned column, unsigned bytes) {
                                const unsigned byte = column * bytes;
                                return row / 8 * 256 + byte / 16 * 128 + row % 8 * 16 + byte % 16;
                              },
                              128, 256, 0};

/// The same, transposed.
inline const Layout transposedBlocks = {[](unsigned row, unsigned column, unsigned) {
                                          return row / 8 * 256 + column / 8 * 128 +
                                                 column % 8 * 16 + row % 8 * 2;
                                        },
                                        128, 256, 0, true};

/// Columns of `width` bytes in groups of 8; rows that do not fit are 2048 bytes further on.
inline Layout tall(unsigned width, unsigned mode) {
  const auto at = [=](unsigned row, unsigned column, unsigned) {
    const unsigned perSpan = width / 2, byte = row % perSpan * 2;
    const unsigned change = column % 8 * width / 128 % (width / 16);
    return row / perSpan * 2048 + column / 8 * 1024 + column % 8 * width +
           (byte / 16 ^ change) * 16 + byte % 16;
  };
  return {at, 2048, 1024, mode, true};
}

inline uint64_t descriptorOf(const Layout &layout, unsigned start) {
  return start >> 4 | uint64_t(layout.leading >> 4) << 16 | uint64_t(layout.stride >> 4) << 32 |
         uint64_t(layout.mode) << 62;
}

struct Form {
  std::string types; ///< `f32.f16.f16`
  unsigned n, k, bytes;
  std::string constants; ///< Operands after the predicate.
  std::function<uint32_t(int)> encode;
  bool isFloat = true;
  /// For a sparse A: `k / 2` elements of each row are stored.
  std::optional<unsigned> selector = std::nullopt;

  unsigned columnsOfA() const { return selector ? k / 2 : k; }
};

inline uint32_t half(int value) {
  return uint32_t(
      numerics::floatToFloat({std::bit_cast<uint32_t>(float(value)), numerics::Format::F32},
                             numerics::Format::F16)
          .bits);
}
inline uint32_t brain(int value) { return std::bit_cast<uint32_t>(float(value)) >> 16; }
inline uint32_t single(int value) { return std::bit_cast<uint32_t>(float(value)); }
inline uint32_t byteOf(int value) { return uint8_t(value); }
inline uint32_t e4m3(int value) {
  return uint32_t(numerics::roundToFormat(value, numerics::Format::F8E4M3FN).bits);
}
inline uint32_t e5m2(int value) {
  return uint32_t(numerics::roundToFormat(value, numerics::Format::F8E5M2).bits);
}

/// A kernel that copies 32 KiB to shared memory and multiplies twice.
inline std::string kernelOf(const Form &form, uint64_t a, uint64_t b, bool isInRegisters,
                            const std::string &fence = "fence.proxy.async;",
                            const std::string &product = "") {
  const unsigned registers = form.n / 2;
  const std::string type = form.isFloat ? "f32" : "b32";
  std::string text = header();
  text.replace(text.find("sm_90"), 5, "sm_90a");
  text += ".shared .align 1024 .b8 tile[32768];\n"
          ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 regs)\n{\n"
          ".reg ." +
          type + " d<" + std::to_string(registers) +
          ">;\n.reg .b32 a<4>, meta, %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred p, q;\n"
          "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nld.param.u64 %rd3, [regs];\n"
          "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmul.wide.u32 %rd4, %r1, 16;\n"
          "add.u64 %rd8, %rd3, %rd4;\nld.global.v4.b32 {a0, a1, a2, a3}, [%rd8];\n"
          "mul.wide.u32 %rd8, %r1, 4;\nadd.u64 %rd3, %rd3, %rd8;\n"
          "ld.global.b32 meta, [%rd3+2048];\n"
          "add.u64 %rd2, %rd2, %rd4;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\n$copy:\n"
          "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd2];\n"
          "st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};\nadd.u64 %rd2, %rd2, 2048;\n"
          "add.u32 %r3, %r3, 2048;\nadd.u32 %r2, %r2, 2048;\nsetp.lt.u32 p, %r2, 32768;\n"
          "@p bra $copy;\n" +
          fence + "\nbar.sync 0;\n";
  for (unsigned at = 0; at < registers; ++at)
    text += "mov." + type + " d" + std::to_string(at) + ", " + (form.isFloat ? "0f3F800000" : "1") +
            ";\n";
  text += "mov.b64 %rd5, " + std::to_string(a) + ";\nmov.b64 %rd6, " + std::to_string(b) +
          ";\nmov.u32 %r3, tile;\nshr.u32 %r3, %r3, 4;\ncvt.u64.u32 %rd7, %r3;\n"
          "add.u64 %rd5, %rd5, %rd7;\nadd.u64 %rd6, %rd6, %rd7;\nsetp.eq.u32 p, %r1, %r1;\n"
          "setp.ne.u32 q, %r1, %r1;\n";
  const std::string multiply =
      "wgmma.mma_async" + std::string(form.selector ? ".sp" : "") + ".sync.aligned.m64n" +
      std::to_string(form.n) + "k" + std::to_string(form.k) + "." + form.types + " " +
      registerList("d", registers) + ", " + (isInRegisters ? "{a0, a1, a2, a3}" : "%rd5") +
      ", %rd6, " + (form.selector ? "meta, " + std::to_string(*form.selector) + ", " : "") + "p" +
      form.constants + ";\n";
  text += product.empty() ? "wgmma.fence.sync.aligned;\n" + multiply + multiply +
                                "wgmma.commit_group.sync.aligned;\n"
                                "wgmma.wait_group.sync.aligned 0;\n"
                          : std::string();
  std::string special = product;
  for (size_t at; (at = special.find("MULTIPLY")) != std::string::npos;)
    special.replace(at, 8, multiply);
  text += special + "mul.wide.u32 %rd4, %r1, " + std::to_string(4 * registers) +
          ";\nadd.u64 %rd1, %rd1, %rd4;\n";
  for (unsigned at = 0; at < registers; ++at)
    text += "st.global." + type + " [%rd1+" + std::to_string(4 * at) + "], d" + std::to_string(at) +
            ";\n";
  return text + "ret;\n}\n";
}

/// Two matrices of small numbers, in the layouts of a form. Of a sparse A, only the stored
/// elements.
struct Matrices {
  std::vector<int> a, b;
  std::vector<uint32_t> image = std::vector<uint32_t>(8192);
  /// Four registers of A for each thread, then one of metadata.
  std::vector<uint32_t> registers = std::vector<uint32_t>(640);

  Matrices(const Form &form, const Layout &ofA, const Layout &ofB)
      : a(64 * form.columnsOfA()), b(form.n * form.k) {
    for (unsigned at = 0; at < a.size(); ++at)
      a[at] = int(at * 7 % 11) - 5;
    for (unsigned at = 0; at < b.size(); ++at)
      b[at] = int(at * 5 % 13) - 6;
    auto *bytes = reinterpret_cast<uint8_t *>(image.data());
    const auto put = [&](unsigned at, int value) {
      const uint32_t bits = form.encode(value);
      std::memcpy(bytes + at, &bits, form.bytes);
    };
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned k = 0; k < form.columnsOfA(); ++k)
        put(ofA.at(row, k, form.bytes), a[row * form.columnsOfA() + k]);
    for (unsigned row = 0; row < form.n; ++row)
      for (unsigned k = 0; k < form.k; ++k)
        put(16384 + ofB.at(row, k, form.bytes), b[row * form.k + k]);
    putRegisters(form);
  }

  /// The fragments of A: a lane has row lane / 4 and the row 8 below, adjacent elements in 32 bits,
  /// and the same in the second half of k.
  void putRegisters(const Form &form) {
    const unsigned perWord = 4 / form.bytes;
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned word = 0; word < 4; ++word)
        for (unsigned part = 0; part < perWord; ++part) {
          const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (word % 2) * 8;
          const unsigned k = thread % 4 * perWord + part + (word / 2) * form.columnsOfA() / 2;
          registers[thread * 4 + word] |= form.encode(a[row * form.columnsOfA() + k])
                                          << (8 * form.bytes * part);
        }
  }
};

} // namespace tilewright::ptx::testing

#endif // TILEWRIGHT_PTX_ASYNC_WGMMATESTING_H
