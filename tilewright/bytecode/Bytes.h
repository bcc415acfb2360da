// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A byte buffer for writing, with the encodings of bytecode format, 1.

#ifndef TILEWRIGHT_BYTECODE_BYTES_H
#define TILEWRIGHT_BYTECODE_BYTES_H

#include "tilewright/bytecode/Tags.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

namespace tilewright::bytecode {

class Bytes {
public:
  size_t size() const { return data.size(); }
  llvm::ArrayRef<char> bytes() const { return data; }

  void byte(uint8_t value) { data.push_back(char(value)); }
  template <typename T> void fixed(T value) {
    char bytes[sizeof(T)];
    llvm::support::endian::write<T, llvm::endianness::little>(bytes, value);
    append(bytes);
  }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      byte(uint8_t(value) | 0x80);
    byte(value);
  }
  void svarint(int64_t value) { varint(uint64_t(value) << 1 ^ uint64_t(value >> 63)); }

  /// A count and that many fixed-width numbers.
  template <typename T> void numbers(llvm::ArrayRef<T> values) {
    varint(values.size());
    for (T value : values)
      fixed(value);
  }
  /// Pads to a multiple of `alignment`.
  void align(size_t alignment) {
    while (data.size() % alignment)
      byte(paddingByte);
  }
  void append(llvm::ArrayRef<char> more) { data.append(more.begin(), more.end()); }

private:
  llvm::SmallVector<char, 0> data;
};

/// A count, padding, and that many fixed-width numbers.
template <typename Number> void writeNumbers(Bytes &out, llvm::ArrayRef<Number> numbers) {
  out.varint(numbers.size());
  out.align(sizeof(Number));
  for (Number number : numbers)
    out.fixed(number);
}

/// Concatenated entries, with the table of their offsets.
template <typename Offset> class Entries {
public:
  size_t size() const { return offsets.size(); }
  void add(llvm::ArrayRef<char> entry) {
    offsets.push_back(data.size());
    data.append(entry);
  }
  void write(Bytes &out) const {
    writeNumbers<Offset>(out, offsets);
    out.append(data.bytes());
  }

private:
  std::vector<Offset> offsets;
  Bytes data;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_BYTES_H
