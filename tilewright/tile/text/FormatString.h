// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the format strings of print_tko (operations, 6.3).

#ifndef TILEWRIGHT_TILE_TEXT_FORMATSTRING_H
#define TILEWRIGHT_TILE_TEXT_FORMATSTRING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tilewright::tile {

/// Plain text, or an expression from its `%` to its conversion character. A `%%` is plain text:
/// "%".
struct FormatPiece {
  llvm::StringRef text;
  bool isExpression;
};

/// The pieces in order; none if an expression is incomplete.
std::optional<llvm::SmallVector<FormatPiece>> scanFormat(llvm::StringRef format);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TEXT_FORMATSTRING_H
