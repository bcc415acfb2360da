// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cursor.h.

#include "tilewright/bytecode/Cursor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tilewright::bytecode;

/// Seven bits each.
static constexpr size_t longestVarint = 10;

void Problem::report(uint64_t offset, StringRef part, const Twine &what) {
  if (found())
    return;
  message = ("byte 0x" + utohexstr(offset) + (part.empty() ? "" : ", ") + part + ": " + what).str();
}

ArrayRef<uint8_t> Cursor::take(uint64_t size, const char *what) {
  item = next;
  if (size > remaining() || !ok()) {
    fail(Twine(what) + " takes " + bytesText(size) + ", " + Twine(remaining()) + " remain");
    return {};
  }
  next += size;
  return {item, size_t(size)};
}

ArrayRef<uint8_t> Cursor::varintBytes(const char *what) {
  item = next;
  while (next != end && *next >= 0x80)
    ++next;
  if (next == end) {
    fail(Twine(what) + " is cut off");
    return {};
  }
  ++next;
  if (size_t(next - item) > longestVarint) {
    fail(Twine(what) + " is a varint of more than 10 bytes");
    return {};
  }
  return {item, next};
}

uint64_t Cursor::longVarint(const char *what) {
  ArrayRef<uint8_t> bytes = varintBytes(what);
  uint64_t value = 0;
  for (auto [i, byte] : enumerate(bytes))
    value |= uint64_t(byte & 0x7F) << (7 * i);
  if (bytes.size() == longestVarint && bytes.back() > 1) {
    fail(Twine(what) + " is a varint of more than 64 bits");
    return 0;
  }
  return value;
}

uint32_t Cursor::varint32(const char *what) {
  uint64_t value = varint(what);
  if (isUInt<32>(value))
    return value;
  fail(Twine(what) + " is " + Twine(value) + ", more than 32 bits hold");
  return 0;
}

int64_t Cursor::svarint(const char *what) {
  uint64_t value = varint(what);
  return int64_t(value >> 1) ^ -int64_t(value & 1);
}

size_t Cursor::count(const char *what, size_t bytesEach) {
  uint64_t value = varint(what);
  if (value <= remaining() / bytesEach)
    return value;
  fail(Twine(what) + " is " + Twine(value) + ", but " + bytesText(remaining()) +
       (remaining() == 1 ? " remains" : " remain"));
  return 0;
}

uint64_t Cursor::paddingTo(uint64_t alignment) const {
  return offsetToAlignment(next - start, Align(alignment));
}

void Cursor::align(uint64_t alignment) {
  uint64_t padding = paddingTo(alignment);
  if (padding > remaining())
    return fail("there is no room for " + bytesText(padding) + " of padding");
  next += padding;
}
