// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads untrusted bytes. A cursor covers a part of the file and checks bounds before each read; the
// first error is stored in the Problem. After an error all cursors read zeros, so callers may check
// for errors late.

#ifndef TILEWRIGHT_BYTECODE_CURSOR_H
#define TILEWRIGHT_BYTECODE_CURSOR_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <type_traits>

namespace tilewright::bytecode {

/// The first error in a file.
class Problem {
public:
  bool found() const { return !message.empty(); }

  /// `part` is the section or a part of it: "function section, entry @k".
  void report(uint64_t offset, llvm::StringRef part, const llvm::Twine &what);

  support::Failure failure() const { return {message}; }

private:
  std::string message;
};

/// "1 byte", "17 bytes".
inline std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

class Cursor {
public:
  /// Reads `bytes`, which begin at `fileOffset` in the file.
  Cursor(llvm::ArrayRef<uint8_t> bytes, uint64_t fileOffset, llvm::StringRef part, Problem &problem)
      : start(bytes.data()), next(start), item(start), end(start + bytes.size()),
        fileOffset(fileOffset), partName(part), problem(&problem) {}

  bool ok() const { return !problem->found(); }
  bool atEnd() const { return next == end; }
  size_t remaining() const { return end - next; }
  /// Offset in the file of the next byte.
  uint64_t offset() const { return fileOffset + (next - start); }
  /// Offset in the file of the value that was read last.
  uint64_t itemOffset() const { return fileOffset + (item - start); }
  llvm::StringRef part() const { return partName; }

  /// Reports a problem with the value that was read last.
  void fail(const llvm::Twine &what) { failAt(itemOffset(), what); }
  void failAt(uint64_t offset, const llvm::Twine &what) {
    problem->report(offset, partName, what);
    next = end; // Nothing more can be read.
  }

  // The encodings of bytecode format, 1. `what` names the value in error messages.

  uint8_t byte(const char *what) { return fixed<uint8_t>(what); }
  template <typename T> T fixed(const char *what) {
    const uint8_t *bytes = take(sizeof(T), what).data();
    return bytes ? llvm::support::endian::read<T, llvm::endianness::little>(bytes) : T(0);
  }
  uint64_t varint(const char *what) {
    item = next;
    if (next != end && *next < 0x80)
      return *next++;
    return longVarint(what);
  }
  /// A varint of at most 32 bits.
  uint32_t varint32(const char *what);
  int64_t svarint(const char *what);
  /// The bytes of a varint; the last one may contain bits beyond the 64th (17, item 4).
  llvm::ArrayRef<uint8_t> varintBytes(const char *what);

  /// Reads the number of items that follow, each of which takes at least `bytesEach` bytes.
  size_t count(const char *what, size_t bytesEach = 1);
  /// Reads a count and that many fixed-width numbers.
  template <typename T> llvm::SmallVector<T, 8> numbers(const char *what) {
    size_t size = count(what, sizeof(T));
    llvm::SmallVector<T, 8> values;
    for (size_t i = 0; i < size; ++i)
      values.push_back(fixed<T>(what));
    return values;
  }
  /// The next `size` bytes; empty with a null pointer if there are not that many.
  llvm::ArrayRef<uint8_t> take(uint64_t size, const char *what);
  /// Reports remaining bytes, if there are any: "... in the entry of a type".
  void expectEnd(const char *where) {
    if (ok() && !atEnd())
      failAt(offset(), bytesText(remaining()) + " left over " + where);
  }
  /// The padding up to an alignment, relative to the start of the cursor's bytes.
  uint64_t paddingTo(uint64_t alignment) const;
  /// Skips padding, whatever it contains.
  void align(uint64_t alignment);

private:
  uint64_t longVarint(const char *what);

  const uint8_t *start, *next, *item, *end;
  uint64_t fileOffset;
  llvm::StringRef partName;
  Problem *problem;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_CURSOR_H
