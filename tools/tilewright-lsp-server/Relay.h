// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's language server has no place to add anything: its classes are internal, and it reads
// standard input and writes standard output. So it gets two pipes in their place, and the relay
// carries the messages between them and the editor, past an Assistant.

#ifndef TILEWRIGHT_TOOLS_LSP_RELAY_H
#define TILEWRIGHT_TOOLS_LSP_RELAY_H

#include "Assistant.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LSP/Transport.h"

namespace tilewright::editor {

/// How the editor's messages are written.
struct Style {
  llvm::lsp::JSONStreamStyle input = llvm::lsp::JSONStreamStyle::Standard;
  bool isPretty = false;
};

/// Runs the server, which reads descriptor 0 and writes descriptor 1 until its client says `exit`,
/// and returns its exit status. Fails if there are no pipes.
support::Result<int> runBehindRelay(const Style &style, llvm::function_ref<int()> server);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_RELAY_H
