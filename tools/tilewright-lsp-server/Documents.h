// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that are open in the editor, tracked through its notifications. The server, which also
// parses them, gives no access to them.

#ifndef TILEWRIGHT_TOOLS_LSP_DOCUMENTS_H
#define TILEWRIGHT_TOOLS_LSP_DOCUMENTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace tilewright::editor {

/// A position in a text.
struct Cursor {
  llvm::StringRef text;
  size_t offset;

  /// The line up to the position.
  llvm::StringRef before() const { return text.take_front(offset).rsplit('\n').second; }
  /// The rest of the line.
  llvm::StringRef after() const { return text.drop_front(offset).split('\n').first; }
};

class Documents {
public:
  /// Follows textDocument/didOpen, didChange and didClose.
  void onNotification(llvm::StringRef method, const llvm::json::Value &params);

  /// Null if it is not open.
  const std::string *find(llvm::StringRef uri) const;
  /// The position in the parameters of a request.
  std::optional<Cursor> cursorOf(const llvm::json::Object &params) const;

private:
  llvm::StringMap<std::string> texts;
};

/// The URI in a request's parameters; empty if there is none.
llvm::StringRef uriOf(const llvm::json::Object &params);

/// The number of UTF-16 code units of a UTF-8 text.
int64_t utf16Length(llvm::StringRef text);
/// The offset of a position given in UTF-16 code units, or of the nearest existing one.
size_t offsetOf(llvm::StringRef text, int64_t line, int64_t character);

} // namespace tilewright::editor

#endif // TILEWRIGHT_TOOLS_LSP_DOCUMENTS_H
