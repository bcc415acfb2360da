// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Formatting.h. Regions are found by their brackets. A line continues the operation of the
// previous line if one of that operation's brackets is open, if the previous line ends with an
// operator, or if this line cannot begin an operation.

#include "Formatting.h"
#include "Documents.h"
#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::editor;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
class Formatter {
public:
  /// Formats the next line, given without its line break.
  std::string format(StringRef line);

private:
  struct Bracket {
    char kind;
    size_t indent; ///< Lines within the region are indented by two more spaces.
  };
  size_t indentOf(StringRef line, size_t found);
  bool goesOn(StringRef line) const;
  void follow(StringRef line, size_t indent);

  llvm::SmallVector<Bracket> open;
  /// The indentation of the current operation's first line: original and new.
  size_t foundIndent = 0, operationIndent = 0;
  bool endsWithOperator = false;
  bool isInString = false;
};
} // namespace

/// Whether the line can begin an operation, an alias or a block.
static bool beginsStatement(StringRef line) {
  if (StringRef("%#!^}\"").contains(line.front()) || line.starts_with("//"))
    return true;
  StringRef word =
      line.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
  return tile::findOp(word) || word.contains('.');
}

bool Formatter::goesOn(StringRef line) const {
  const bool isInBrackets = !open.empty() && open.back().kind != '{';
  return isInBrackets || endsWithOperator || !beginsStatement(line);
}

size_t Formatter::indentOf(StringRef line, size_t found) {
  if (line.starts_with("}") && !open.empty() && open.back().kind == '{') {
    foundIndent = found;
    return operationIndent = open.back().indent;
  }
  if (goesOn(line) && !line.starts_with("//")) {
    return operationIndent + (found > foundIndent ? found - foundIndent : 0);
  }
  const auto region = std::find_if(open.rbegin(), open.rend(),
                                   [](const Bracket &bracket) { return bracket.kind == '{'; });
  const size_t indent = region == open.rend() ? 0 : region->indent + 2;
  if (!line.starts_with("//")) {
    foundIndent = found;
    operationIndent = indent;
  }
  return indent;
}

/// Updates the open brackets after a line. A region that begins there is indented relative to the
/// operation, or to the arguments at the beginning of the line: a reduction's are on their own
/// line.
void Formatter::follow(StringRef line, size_t indent) {
  const bool isInBrackets = !open.empty() && open.back().kind != '{';
  if (isInBrackets || !line.starts_with("("))
    indent = operationIndent;
  char last = 0, beforeLast = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (isInString) {
      if (c == '\\')
        ++i;
      isInString = c != '"';
    } else if (line.substr(i).starts_with("//")) {
      break;
    } else if (c == '"') {
      isInString = true;
    } else if (StringRef("([{").contains(c)) {
      open.push_back({c, indent});
    } else if (StringRef(")]}").contains(c) && !open.empty()) {
      open.pop_back();
    }
    if (!llvm::isSpace(c)) {
      beforeLast = last;
      last = c;
    }
  }
  if (line.starts_with("^"))
    endsWithOperator = false; // the colon of a label
  else if (last)              // ignores lines that contain only a comment
    endsWithOperator = StringRef(",:=").contains(last) || (beforeLast == '-' && last == '>');
}

std::string Formatter::format(StringRef line) {
  if (isInString) { // the contents of strings stay as they are
    follow(line, operationIndent);
    return line.str();
  }
  const StringRef content = line.trim(" \t");
  if (content.empty())
    return "";
  const size_t indent = indentOf(content, line.size() - line.ltrim(" \t").size());
  follow(content, indent);
  return std::string(indent, ' ') + (isInString ? line.ltrim(" \t") : content).str();
}

json::Array editor::formattingEdits(StringRef text) {
  Formatter formatter;
  json::Array edits;
  for (int64_t number = 0; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    line.consume_back("\r"); // part of the line break, outside the range of positions
    if (std::string formatted = formatter.format(line); formatted != line)
      edits.push_back(json::Object{
          {"range",
           json::Object{{"start", json::Object{{"line", number}, {"character", 0}}},
                        {"end", json::Object{{"line", number}, {"character", utf16Length(line)}}}}},
          {"newText", std::move(formatted)}});
    text = rest;
  }
  return edits;
}
