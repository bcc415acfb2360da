// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How can a bytecode file be damaged inside, so that damage gets past its frame? It is taken apart
// into sections, tables and functions, and put together again with lengths and offsets that
// fit whatever became of the parts (bytecode format, 2 to 5 and 8).

#ifndef TILEWRIGHT_FUZZ_DRAFT_H
#define TILEWRIGHT_FUZZ_DRAFT_H

#include "tilewright/bytecode/File.h"

#include <optional>
#include <vector>

namespace tilewright::fuzz {

using Bytes = std::vector<uint8_t>;

/// A function is what its header holds before the length of the body, and the body.
struct DraftFunction {
  Bytes header, body;
};

/// A section in the most detailed form that its bytes allow.
struct DraftSection {
  bytecode::SectionId id;
  Bytes payload;                                       ///< Unless one of the others is there.
  std::optional<std::vector<Bytes>> entries;           ///< Of strings, types or constants.
  std::optional<std::vector<DraftFunction>> functions; ///< Of the function section.
};

struct Draft {
  Bytes header; ///< Magic and version.
  std::vector<DraftSection> sections;

  /// None if the frame is already broken.
  static std::optional<Draft> takeApart(llvm::ArrayRef<uint8_t> file);
  Bytes putTogether() const;

  /// Null if there is no such section.
  DraftSection *find(bytecode::SectionId id);
};

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_DRAFT_H
