// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Diagnostics.h.

#include "tilewright/driver/Diagnostics.h"
#include "tilewright/tile/OpTable.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::driver;

Location driver::withoutScopes(Location loc) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](tile::DILocAttr debugLoc) { return debugLoc.getSourceLoc(); });
  return cast<LocationAttr>(replacer.replace(LocationAttr(loc)));
}

/// What the parser cannot know: that a name exists, but needs its prefix here.
static std::string adviceFor(StringRef message) {
  auto [before, tried] = message.split("is unknown (tried 'builtin.");
  StringRef mnemonic = tried.split("'").first;
  if (mnemonic.empty() || !tile::findOp(mnemonic))
    return "";
  return ("here it is written with its prefix: 'cuda_tile." + mnemonic + "'").str();
}

SourceDiagnostics::SourceDiagnostics(llvm::SourceMgr &sources, MLIRContext *context,
                                     raw_ostream &out)
    : SourceMgrDiagnosticHandler(sources, context, out) {
  setHandler([this](Diagnostic &diagnostic) { show(diagnostic); });
}

void SourceDiagnostics::show(Diagnostic &diagnostic) {
  Diagnostic shown(withoutScopes(diagnostic.getLocation()), diagnostic.getSeverity());
  shown << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    shown.attachNote(withoutScopes(note.getLocation())) << note.str();
  if (std::string advice = adviceFor(diagnostic.str()); !advice.empty())
    shown.attachNote() << advice;
  emitDiagnostic(shown);
}

static constexpr unsigned maxNesting = 256;
static constexpr size_t maxWord = 4096;

/// Where the word that starts at `at` ends: letters, digits and what may stand between
/// the extents of a shape.
static size_t endOfWord(StringRef text, size_t at) {
  while (at < text.size() && (llvm::isAlnum(text[at]) || StringRef("_$.?").contains(text[at])))
    ++at;
  return at;
}

std::optional<Excess> driver::findExcess(StringRef text) {
  unsigned depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
    case '/': // a comment, to the end of the line
      if (text.substr(at).starts_with("//"))
        at = std::min(text.find('\n', at), text.size());
      break;
    case '"': // a string, in which a backslash hides the next character
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
        if (text[at] == '\\')
          ++at;
      break;
    case '-': // an arrow closes nothing
      if (text.substr(at).starts_with("->"))
        ++at;
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > maxNesting)
        return Excess{text.data() + at,
                      "brackets are nested deeper than " + std::to_string(maxNesting) + " levels"};
      break;
    case ')':
    case ']':
    case '}':
    case '>':
      depth -= depth != 0;
      break;
    default:
      if (size_t end = endOfWord(text, at); end > at) {
        if (end - at > maxWord)
          return Excess{text.data() + at,
                        "word is longer than " + std::to_string(maxWord) + " characters"};
        at = end - 1;
      }
    }
  }
  return std::nullopt;
}
