// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a .tileirbc file divided? A header with the version, sections in any order, an end
// marker (bytecode format, 2). Nothing here depends on what a section contains.

#ifndef TILEWRIGHT_BYTECODE_FILE_H
#define TILEWRIGHT_BYTECODE_FILE_H

#include "tilewright/support/Result.h"
#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::bytecode {

/// Since when pointers and tensor views have flags, and an attribute (13.4, section 8.1).
inline constexpr tile::Version pointerFlagsSince = {13, 4};

/// Since when an entry always has hints and attributes of its arguments, a subprogram has flags,
/// and the third part of the version means something (13.4, section 9.1).
inline constexpr tile::Version argumentAttributesSince = {13, 5};

inline constexpr llvm::StringLiteral magic = llvm::StringLiteral::withInnerNUL("\x7FTileIR\0");

enum class SectionId : uint8_t {
  End = 0,
  String = 1,
  Function = 2,
  Debug = 3,
  Constant = 4,
  Type = 5,
  Global = 6,
  Producer = 7,
};
inline constexpr unsigned sectionIdCount = 8;

/// Set beside the id of a section that states an alignment.
inline constexpr uint8_t alignmentFlag = 0x80;

/// "string section", "function section", ...
llvm::StringRef nameOf(SectionId id);

/// The least alignment that a section must state; 0 if it need not state one.
uint64_t requiredAlignment(SectionId id);

struct Section {
  SectionId id;
  uint64_t offset; ///< Of the payload, in bytes from the start of the file.
  llvm::ArrayRef<uint8_t> payload;
};

struct File {
  tile::Version version;
  uint16_t tag; ///< Third part of the version; 1: preview features are used (13.5).
  llvm::SmallVector<Section, sectionIdCount> sections; ///< In the order of the file.
  uint64_t size;                                       ///< In bytes, end marker included.

  /// Null if the file has no such section.
  const Section *find(SectionId id) const;
};

/// Does this start like a bytecode file? Only the magic is looked at.
bool isBytecode(llvm::StringRef bytes);

/// Divides bytes into sections, which point into `bytes`. Fails unless the end marker is the
/// last byte, and on any rule of bytecode format, 2 that is broken.
support::Result<File> readFile(llvm::ArrayRef<uint8_t> bytes);

/// The same for bytecode with other things behind it: `size` says where it ends.
support::Result<File> readEmbeddedFile(llvm::ArrayRef<uint8_t> bytes);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_FILE_H
