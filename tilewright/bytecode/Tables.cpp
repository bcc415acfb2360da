// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tables.h. The table of entries and the string table.

#include "tilewright/bytecode/Tables.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

Cursor Input::open(SectionId id) {
  const Section *section = file.find(id);
  return section ? open(id, section->payload, section->offset) : open(id, {}, file.size);
}

template <typename Offset> void EntryTable<Offset>::read(Cursor &cursor, const char *countName) {
  offsets = readNumbers<Offset>(cursor, countName, "an offset");
  dataOffset = cursor.offset();
  data = cursor.take(cursor.remaining(), "the data");
  Offset last = 0;
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    if (offset < last || offset > data.size())
      return cursor.failAt(dataOffset - (offsets.size() - i) * sizeof(Offset),
                           "offset " + Twine(i) + " is " + Twine(uint64_t(offset)) +
                               ", but must be from " + Twine(uint64_t(last)) + " to " +
                               Twine(data.size()));
    last = offset;
  }
}

template class bytecode::EntryTable<uint32_t>;
template class bytecode::EntryTable<uint64_t>;

StringTable::StringTable(Input &input) {
  Cursor cursor = input.open(SectionId::String);
  entries.read(cursor, "the number of strings");
}

StringRef StringTable::read(Cursor &cursor, const char *what) const {
  uint64_t index = cursor.varint(what);
  if (!cursor.ok())
    return {};
  if (index < entries.size())
    return llvm::toStringRef(entries.entry(index));
  cursor.fail(Twine(what) + " is string " + Twine(index) + ", but there are " +
              Twine(entries.size()));
  return {};
}

StringRef StringTable::readName(Cursor &cursor, const char *what) const {
  StringRef name = read(cursor, what);
  if (cursor.ok() && name.empty())
    cursor.fail(Twine(what) + " is empty");
  return name;
}
