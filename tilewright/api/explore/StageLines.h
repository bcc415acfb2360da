// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the source line of each line of generated code, in the text: `.loc` directives of PTX and
// assembly, comments in SASS, debug metadata of LLVM IR, and positions in plans.

#ifndef TILEWRIGHT_API_EXPLORE_STAGELINES_H
#define TILEWRIGHT_API_EXPLORE_STAGELINES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::api {

struct SourceLine {
  /// As locations name it; empty in plans, which name only lines and columns.
  std::string file;
  unsigned line, column = 0;

  bool operator==(const SourceLine &) const = default;
};

/// One for each line of a text; none for lines that belong to no source line.
using StageLines = std::vector<std::optional<SourceLine>>;

/// Instructions belong to the last `.loc` before them in their function.
StageLines linesByLoc(llvm::StringRef assembly);
/// Instructions belong to the last comment `//## File "k.mlir", line 36` before them in their
/// function. If there are several in a row, the first is the innermost of inlined functions.
StageLines linesOfSass(llvm::StringRef sass);
/// Instructions with `!dbg` belong to its line.
StageLines linesByMetadata(llvm::StringRef llvmIr);
/// Lines belong to the first operation that they name with a position (`mmaf at 48:15`), or else to
/// that of the first value (`%tile`) for which an earlier line has one.
StageLines linesOfPlan(llvm::StringRef plan);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_STAGELINES_H
