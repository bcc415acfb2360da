// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets an Assistant change the messages of MLIR's language server. The server has no extension
// points: its classes are internal, and it uses standard input and output. So two pipes replace
// these, and the relay carries the messages between them and the editor, through an Assistant.

#ifndef TILEWRIGHT_TOOLS_LSP_RELAY_H
#define TILEWRIGHT_TOOLS_LSP_RELAY_H

#include "Assistant.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LSP/Transport.h"

namespace tilewright::editor {

/// The format of the editor's messages.
struct Style {
  llvm::lsp::JSONStreamStyle input = llvm::lsp::JSONStreamStyle::Standard;
  bool isPretty = false;
};

/// Runs the server, which reads descriptor 0 and writes descriptor 1 until the editor sends `exit`,
/// and returns its exit status. Fails if the pipes cannot be created.
support::Result<int> runBehindRelay(const Style &style, llvm::function_ref<int()> server);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_RELAY_H
