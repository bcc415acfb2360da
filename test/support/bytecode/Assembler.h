// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembles bytecode files from parts, valid or not: nothing is checked, and nothing is shared with
// the writer.

#ifndef TILEWRIGHT_TEST_SUPPORT_BYTECODE_ASSEMBLER_H
#define TILEWRIGHT_TEST_SUPPORT_BYTECODE_ASSEMBLER_H

#include "test/support/bytecode/BytecodeTest.h"

namespace tilewright::bytecode {

inline RawBytes operator+(RawBytes first, const RawBytes &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

RawBytes varint(uint64_t value);
/// Little-endian in `width` bytes.
RawBytes fixed(uint64_t value, unsigned width);
/// A count, padding, offsets of `width` bytes, and the entries (bytecode format, 3 to 5).
RawBytes table(const std::vector<RawBytes> &entries, unsigned width);
/// Rows, references and attributes (bytecode format, 13).
RawBytes debugSection(const std::vector<uint32_t> &rows, const std::vector<uint64_t> &references,
                      const std::vector<RawBytes> &attributes);

/// Indexes of the first types of a Kernel.
inline constexpr uint8_t i1 = 0, i32 = 1, tileI32 = 2;

inline const RawBytes returnOp = {0x5C, 0, 0};

struct Frame {
  uint8_t id;         ///< With the alignment flag.
  uint64_t alignment; ///< 0: none is stated.
  RawBytes payload;
};

/// Header, sections, end marker.
RawBytes assemble(uint8_t minorVersion, const std::vector<Frame> &frames);

/// The kernel of min_ok_v13_1, to be changed:
///
///   entry k(%0: tile<i32>)
///     %1 = constant {value=5} : tile<i32>
///     %2 = addi lhs=%0 rhs=%1 {overflow=none} : tile<i32>
///     return
///
/// The function section comes first: its payload starts at 0x10, the one name at 0x11, the
/// signature at 0x12, flags at 0x13, row at 0x14, length at 0x15 and body at 0x16, as long as
/// there are no hints and less than 128 bytes.
struct Kernel {
  uint8_t minorVersion = 1;
  std::vector<std::string> strings = {"k"};
  std::vector<RawBytes> types = {{0x00}, {0x03}, {0x0D, i32, 0}, {0x10, 1, tileI32, 0}};
  std::vector<RawBytes> constants = {{4, 5, 0, 0, 0}};
  uint8_t name = 0, signature = 3, flags = 0x02, row = 0;
  RawBytes hints;
  RawBytes body = {0x10, tileI32, 0, 0x03, tileI32, 0, 0, 1, 0x5C, 0, 0};
  RawBytes globals, producer, debug; ///< No section if empty.

  /// Adds a string, type or constant and returns its index.
  uint8_t add(std::string text) { return strings.push_back(std::move(text)), strings.size() - 1; }
  uint8_t addType(RawBytes entry) { return types.push_back(std::move(entry)), types.size() - 1; }
  uint8_t addConstant(const RawBytes &raw) {
    return constants.push_back(varint(raw.size()) + raw), constants.size() - 1;
  }

  RawBytes functions() const;
  std::vector<Frame> frames() const;
  RawBytes file() const { return assemble(minorVersion, frames()); }
  /// The file, with the payload of one section replaced.
  RawBytes fileWith(SectionId id, RawBytes payload) const;
};

/// The file of a Kernel with this body.
RawBytes kernelWithBody(const RawBytes &body);
/// The same, with another type as the signature.
RawBytes kernelWithType(uint8_t minorVersion, const RawBytes &entry);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_TEST_SUPPORT_BYTECODE_ASSEMBLER_H
