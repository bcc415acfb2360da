// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a .tileirbc file into sections: a header with the version, sections in any order, an end
// marker (bytecode format, 2). The contents of sections are not decoded here.

#ifndef TILEWRIGHT_BYTECODE_FILE_H
#define TILEWRIGHT_BYTECODE_FILE_H

#include "tilewright/support/Result.h"
#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::bytecode {

/// Since this version, pointers and tensor views have flags and an attribute (13.4, section 8.1).
inline constexpr tile::Version pointerFlagsSince = {13, 4};

/// Since this version, an entry always has hints and argument attributes, a subprogram has flags,
/// and the third part of the version has a meaning (13.4, section 9.1).
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

/// Set in the id byte of a section that states an alignment.
inline constexpr uint8_t alignmentFlag = 0x80;

/// "string section", "function section", ...
llvm::StringRef nameOf(SectionId id);

/// The smallest alignment that a section must state; 0 if it need not state one.
uint64_t requiredAlignment(SectionId id);

struct Section {
  SectionId id;
  uint64_t offset; ///< The offset of the payload in the file.
  llvm::ArrayRef<uint8_t> payload;
};

struct File {
  tile::Version version;
  uint16_t tag; ///< Third part of the version; 1: preview features are used (13.5).
  llvm::SmallVector<Section, sectionIdCount> sections; ///< In file order.
  uint64_t size;                                       ///< In bytes, including the end marker.

  /// Null if the file has no such section.
  const Section *find(SectionId id) const;
};

/// Whether this starts like a bytecode file; checks only the magic.
bool isBytecode(llvm::StringRef bytes);

/// Splits a file into sections, which point into `bytes`. Fails if a rule of bytecode format, 2, is
/// violated, or if anything follows the end marker.
support::Result<File> readFile(llvm::ArrayRef<uint8_t> bytes);

/// Also accepts bytes behind the end marker; `size` is where the bytecode ends.
support::Result<File> readEmbeddedFile(llvm::ArrayRef<uint8_t> bytes);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_FILE_H
