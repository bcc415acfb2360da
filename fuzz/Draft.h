// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutates the inside of bytecode files, so that mutants get past the checks of the frame. A file is
// taken apart into sections, tables and functions, and reassembled with lengths and offsets that
// match the mutated parts (bytecode format, 2 to 5 and 8).

#ifndef TILEWRIGHT_FUZZ_DRAFT_H
#define TILEWRIGHT_FUZZ_DRAFT_H

#include "tilewright/bytecode/File.h"

#include <optional>
#include <vector>

namespace tilewright::fuzz {

using Bytes = std::vector<uint8_t>;

/// A function: its header up to the length of the body, and the body.
struct DraftFunction {
  Bytes header, body;
};

/// A section in the most detailed form that can be parsed.
struct DraftSection {
  bytecode::SectionId id;
  Bytes payload;                                       ///< Unless one of the members below is set.
  std::optional<std::vector<Bytes>> entries;           ///< For strings, types or constants.
  std::optional<std::vector<DraftFunction>> functions; ///< For the function section.
};

struct Draft {
  Bytes header; ///< Magic and version.
  std::vector<DraftSection> sections;

  /// None if the frame is already invalid.
  static std::optional<Draft> takeApart(llvm::ArrayRef<uint8_t> file);
  Bytes putTogether() const;

  /// Null if there is no such section.
  DraftSection *find(bytecode::SectionId id);
};

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_DRAFT_H
