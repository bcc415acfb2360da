// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Tilewright adds to MLIR's language server. It sees the messages of both sides: what the
// editor tells and asks, before the server does, and the server's replies, before the editor does.
// Its share of an answer is computed when the question comes, from the text as it is then; the
// reply to the same id is completed with it. So answers come in the order of the server's.

#ifndef TILEWRIGHT_TOOLS_LSP_ASSISTANT_H
#define TILEWRIGHT_TOOLS_LSP_ASSISTANT_H

#include "Documents.h"

#include <functional>
#include <map>
#include <mutex>

namespace tilewright::editor {

class Assistant {
public:
  /// A message of the editor; may change it.
  void fromEditor(llvm::json::Object &message);
  /// A message of the server; may change it. In another thread than `fromEditor`.
  void fromServer(llvm::json::Object &message);

private:
  using Completion = std::function<void(llvm::json::Object &reply)>;

  Completion completionFor(llvm::StringRef method, llvm::json::Object &params);
  Completion forInitialize(llvm::json::Object &params);
  Completion forHover(const llvm::json::Object &params) const;
  Completion forCompletion(const llvm::json::Object &params) const;
  Completion forSymbols(const llvm::json::Object &params) const;
  Completion forFormatting(const llvm::json::Object &params) const;

  Documents documents;             ///< Of the thread of the editor.
  bool knowsNestedSymbols = false; ///< Of the editor, as it said when it began.

  std::mutex mutex;
  std::map<std::string, Completion> pending; ///< By the id of the request, as JSON.
};

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_ASSISTANT_H
