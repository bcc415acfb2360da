// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hover texts and completions for the words at a cursor. They are computed from the line alone, so
// that they work while the text does not parse, which is usual during typing.

#ifndef TILEWRIGHT_TOOLS_LSP_WORDS_H
#define TILEWRIGHT_TOOLS_LSP_WORDS_H

#include "Documents.h"

namespace tilewright::editor {

/// Markdown about the operation or type at the cursor; empty if there is neither.
std::string documentationAt(const Cursor &cursor);
/// Markdown about an operation, `addi` or `cuda_tile.addi`; empty if there is no such operation.
std::string documentationOf(llvm::StringRef operation);

/// The possible words at the cursor, as LSP completion items: mnemonics, types, and the literal
/// words and enum values of the line's operation.
llvm::json::Array completionsAt(const Cursor &cursor);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_WORDS_H
