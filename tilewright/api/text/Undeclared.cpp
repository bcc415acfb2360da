// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Undeclared.h.

#include "tilewright/api/text/Undeclared.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;

static bool isPartOfName(char c) { return llvm::isAlnum(c) || StringRef("$._-#").contains(c); }

/// The name at this position, `%x` or `%x#1`; empty if there is none.
static StringRef nameAt(StringRef text, unsigned line, unsigned column) {
  for (; line > 1; --line)
    text = text.split('\n').second;
  StringRef rest = text.drop_front(std::min<size_t>(column - 1, text.size()));
  if (!rest.starts_with("%"))
    return {};
  return rest.take_front(1 + rest.drop_front().take_while(isPartOfName).size());
}

api::UndeclaredNames::UndeclaredNames(MLIRContext *context, llvm::MemoryBufferRef text)
    : ScopedDiagnosticHandler(context) {
  setHandler([text](Diagnostic &diagnostic) {
    auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
    if (place && diagnostic.str() == "use of undeclared SSA value name")
      if (StringRef name = nameAt(text.getBuffer(), place.getLine(), place.getColumn());
          !name.empty())
        diagnostic << " '" << name << "'";
    return failure(); // not handled: the previous handlers print it
  });
}
