// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See File.h. Implements bytecode format, 2 and 15.

#include "tilewright/bytecode/File.h"
#include "tilewright/bytecode/Cursor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::bytecode;

namespace {
struct SectionRow {
  StringLiteral name;
  uint64_t alignment; ///< 0: none required.
  bool mandatory;
};
} // namespace

static constexpr SectionRow sectionRows[sectionIdCount] = {
    {"end marker", 0, true},      {"string section", 4, true},    {"function section", 8, true},
    {"debug section", 8, false},  {"constant section", 8, false}, {"type section", 4, false},
    {"global section", 0, false}, {"producer section", 0, false},
};

StringRef bytecode::nameOf(SectionId id) { return sectionRows[unsigned(id)].name; }

uint64_t bytecode::requiredAlignment(SectionId id) { return sectionRows[unsigned(id)].alignment; }

const Section *File::find(SectionId id) const {
  const Section *section = find_if(sections, [&](const Section &s) { return s.id == id; });
  return section == sections.end() ? nullptr : section;
}

bool bytecode::isBytecode(StringRef bytes) { return bytes.starts_with(magic); }

/// Reads magic and version.
static void readHeader(Cursor &cursor, File &file) {
  ArrayRef<uint8_t> start = cursor.take(magic.size(), "the magic");
  if (cursor.ok() && toStringRef(start) != magic)
    return cursor.fail("the magic is not that of Tile IR bytecode, 7F 54 69 6C 65 49 52 00");
  uint64_t versionOffset = cursor.offset();
  file.version.major = cursor.byte("the version");
  file.version.minor = cursor.byte("the version");
  file.tag = cursor.fixed<uint16_t>("the version");
  if (!cursor.ok())
    return;
  if (file.version < tile::oldestVersion || file.version > tile::newestVersion)
    cursor.failAt(versionOffset, "the version is " + file.version.str() + ", but " +
                                     tile::oldestVersion.str() + " to " +
                                     tile::newestVersion.str() + " are known");
  // Older readers ignore it (14.1).
  else if (file.version >= argumentAttributesSince && file.tag == 1)
    cursor.failAt(versionOffset + 2, "the tag of the version is 1: the file uses preview features, "
                                     "which are not supported");
  else if (file.version >= argumentAttributesSince && file.tag != 0)
    cursor.failAt(versionOffset + 2, "the tag of the version is " + Twine(file.tag) +
                                         ", but must be 0, or 1 for preview features");
}

/// Reads the alignment that a section states, and skips the padding up to it.
static void readAlignment(Cursor &cursor, SectionId id, bool stated) {
  uint64_t required = requiredAlignment(id);
  uint64_t alignment = stated ? cursor.varint("the alignment") : 1;
  if (!cursor.ok())
    return;
  if (!isPowerOf2_64(alignment))
    return cursor.fail("the alignment is " + Twine(alignment) + ", not a power of two");
  if (required && (!stated || alignment < required))
    return cursor.fail(stated ? "the alignment is " + Twine(alignment) + ", but " +
                                    Twine(required) + " is required"
                              : "states no alignment, but " + Twine(required) + " is required");
  cursor.align(alignment);
}

/// Reads one section; false at the end marker, and after an error.
static bool readSection(Cursor &frame, File &file, Problem &problem) {
  if (frame.atEnd()) {
    frame.failAt(frame.offset(), "the end marker is missing");
    return false;
  }
  uint8_t idAndFlag = frame.byte("a section id");
  unsigned number = idAndFlag & ~alignmentFlag;
  if (number >= sectionIdCount)
    frame.fail("the section id is " + Twine(number) + ", but 1 to " + Twine(sectionIdCount - 1) +
               " are known");
  else if (idAndFlag == alignmentFlag)
    frame.fail("the end marker has an alignment flag");
  if (!frame.ok() || number == unsigned(SectionId::End))
    return false;

  auto id = SectionId(number);
  if (file.find(id))
    frame.fail("there is a second " + nameOf(id));
  uint64_t length = frame.varint("the length of a section");
  uint64_t lengthOffset = frame.itemOffset();
  auto fits = [&](const Twine &when) {
    if (frame.ok() && length > frame.remaining())
      problem.report(lengthOffset, nameOf(id),
                     "claims " + Twine(length) + " bytes, " + Twine(frame.remaining()) + " remain" +
                         when);
    return frame.ok();
  };
  if (!fits(""))
    return false;
  readAlignment(frame, id, idAndFlag & alignmentFlag);
  if (!fits(" after padding"))
    return false;
  uint64_t offset = frame.offset();
  file.sections.push_back({id, offset, frame.take(length, "a section")});
  return frame.ok();
}

tilewright::support::Result<File> bytecode::readEmbeddedFile(ArrayRef<uint8_t> bytes) {
  Problem problem;
  Cursor cursor(bytes, 0, "", problem);
  File file = {};
  readHeader(cursor, file);
  while (cursor.ok() && readSection(cursor, file, problem))
    ;
  for (SectionId id : {SectionId::String, SectionId::Function})
    if (cursor.ok() && !file.find(id))
      cursor.failAt(cursor.offset(), "there is no " + nameOf(id));
  if (problem.found())
    return problem.failure();
  file.size = cursor.offset();
  return file;
}

tilewright::support::Result<File> bytecode::readFile(ArrayRef<uint8_t> bytes) {
  tilewright::support::Result<File> file = readEmbeddedFile(bytes);
  if (file && file->size != bytes.size()) {
    Problem problem;
    problem.report(file->size, "", bytesText(bytes.size() - file->size) + " after the end marker");
    return problem.failure();
  }
  return file;
}
