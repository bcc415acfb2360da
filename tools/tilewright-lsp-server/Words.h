// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the words at a cursor mean? The answers come from the line alone, so that they are there
// while the text does not parse, as it mostly is while somebody types.

#ifndef TILEWRIGHT_TOOLS_LSP_WORDS_H
#define TILEWRIGHT_TOOLS_LSP_WORDS_H

#include "Documents.h"

namespace tilewright::editor {

/// Markdown about the operation or type at the cursor; empty if there is none.
std::string documentationAt(const Cursor &cursor);
/// Markdown about an operation, `addi` or `cuda_tile.addi`; empty if Tile IR has no such one.
std::string documentationOf(llvm::StringRef operation);

/// What may stand at the cursor, as items of LSP: mnemonics, clauses and enumerants of the
/// operation of the line, types.
llvm::json::Array completionsAt(const Cursor &cursor);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_WORDS_H
