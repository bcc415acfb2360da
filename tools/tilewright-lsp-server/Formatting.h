// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats a text by changing the indentation of its lines, and nothing else: a printer would drop
// comments, value names and line breaks.

#ifndef TILEWRIGHT_TOOLS_LSP_FORMATTING_H
#define TILEWRIGHT_TOOLS_LSP_FORMATTING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace tilewright::editor {

/// The changes, as LSP TextEdits, one for each changed line. They indent operations by two spaces
/// relative to the operation whose region contains them, and remove trailing spaces. Continuation
/// lines keep their indentation relative to the operation's first line.
llvm::json::Array formattingEdits(llvm::StringRef text);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_FORMATTING_H
