// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formatting of a text: the indentation of its lines. Everything else is the author's: a printer
// would drop comments, names of values and line breaks.

#ifndef TILEWRIGHT_TOOLS_LSP_FORMATTING_H
#define TILEWRIGHT_TOOLS_LSP_FORMATTING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace tilewright::editor {

/// What formatting changes, as TextEdits of LSP, one for each line. Then an operation has two
/// blanks more than the one whose region it is in, and no line ends with blanks. Lines that go on
/// with an operation keep their distance to its first line.
llvm::json::Array formattingEdits(llvm::StringRef text);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_FORMATTING_H
