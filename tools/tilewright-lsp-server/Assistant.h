// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tilewright's additions to MLIR's language server. It sees the messages of both sides: the
// editor's before the server does, and the server's replies before the editor does. Additions to an
// answer are computed when the request arrives, from the text at that time, and merged into the
// server's reply with the same ID. So answers are sent in the server's order.

#ifndef TILEWRIGHT_TOOLS_LSP_ASSISTANT_H
#define TILEWRIGHT_TOOLS_LSP_ASSISTANT_H

#include "Documents.h"

#include <functional>
#include <map>
#include <mutex>

namespace tilewright::editor {

class Assistant {
public:
  /// Processes a message from the editor; may change it.
  void fromEditor(llvm::json::Object &message);
  /// Processes a message from the server; may change it. Runs on another thread than `fromEditor`.
  void fromServer(llvm::json::Object &message);

private:
  using Completion = std::function<void(llvm::json::Object &reply)>;

  Completion completionFor(llvm::StringRef method, llvm::json::Object &params);
  Completion forInitialize(llvm::json::Object &params);
  Completion forHover(const llvm::json::Object &params) const;
  Completion forCompletion(const llvm::json::Object &params) const;
  Completion forSymbols(const llvm::json::Object &params) const;
  Completion forFormatting(const llvm::json::Object &params) const;

  Documents documents;             ///< Used by the editor's thread only.
  bool knowsNestedSymbols = false; ///< Whether the editor supports them; set at initialisation.

  std::mutex mutex;
  std::map<std::string, Completion> pending; ///< By request ID, as JSON.
};

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_ASSISTANT_H
