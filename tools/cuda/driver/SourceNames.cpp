// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SourceNames.h. Only the part of Python's grammar that can occur in a `def`'s parentheses is
// handled: comments, strings, and brackets in annotations and defaults.

#include "tools/cuda/driver/SourceNames.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace tilewright::cuda;

namespace {
class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  std::vector<std::string> parse(std::string_view function);

private:
  bool take(std::string_view word) {
    if (!text.starts_with(word))
      return false;
    text.remove_prefix(word.size());
    return true;
  }
  std::string_view takeName();
  void skipSpace();
  void skipComment() { text.remove_prefix(std::min(text.find('\n'), text.size())); }
  bool skipString();
  bool skipRest();

  std::string_view text;
};
} // namespace

/// Non-ASCII bytes are part of names.
static bool belongsToName(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view Parser::takeName() {
  const size_t length = std::ranges::find_if_not(text, belongsToName) - text.begin();
  const std::string_view name = text.substr(0, length);
  text.remove_prefix(length);
  return name;
}

/// Also skips comments and line ends.
void Parser::skipSpace() {
  constexpr std::string_view space = " \t\f\r\n\\";
  while (!text.empty())
    if (text.front() == '#')
      skipComment();
    else if (space.find(text.front()) != std::string_view::npos)
      text.remove_prefix(1);
    else
      return;
}

/// False if the string is not terminated.
bool Parser::skipString() {
  const std::string triple(3, text.front());
  const std::string end = text.starts_with(triple) ? triple : triple.substr(2);
  for (text.remove_prefix(end.size()); !text.empty(); text.remove_prefix(1)) {
    if (take(end))
      return true;
    if (text.front() == '\\' && text.size() > 1)
      text.remove_prefix(1);
  }
  return false;
}

/// Skips a parameter's annotation and default, up to the next comma or parenthesis; false if there
/// is none.
bool Parser::skipRest() {
  size_t depth = 0;
  while (!text.empty()) {
    const char c = text.front();
    if (depth == 0 && (c == ',' || c == ')'))
      return true;
    if (c == '#') {
      skipComment();
      continue;
    }
    if (c == '"' || c == '\'') {
      if (!skipString())
        return false;
      continue;
    }
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && depth-- == 0)
      return false;
    text.remove_prefix(1);
  }
  return false;
}

std::vector<std::string> Parser::parse(std::string_view function) {
  skipSpace();
  if (takeName() != "def")
    return {};
  skipSpace();
  if (takeName() != function)
    return {};
  skipSpace();
  if (!take("("))
    return {};
  std::vector<std::string> names;
  for (;;) {
    skipSpace();
    if (take(")"))
      return names;
    // Bare `*` and `/` are separators, not parameters.
    while (take("*") || take("/"))
      skipSpace();
    if (const std::string_view name = takeName(); !name.empty())
      names.emplace_back(name);
    if (!skipRest())
      return {};
    take(",");
  }
}

std::vector<std::string> tilewright::cuda::parameterNames(std::string_view text,
                                                          std::string_view function) {
  return Parser(text).parse(function);
}

std::vector<std::string> tilewright::cuda::parameterNamesIn(const std::string &file, size_t line,
                                                            std::string_view function) {
  std::ifstream stream(file);
  std::string skipped;
  for (size_t i = 1; i < line; ++i)
    std::getline(stream, skipped);
  std::ostringstream rest;
  rest << stream.rdbuf();
  return parameterNames(rest.str(), function);
}

std::string tilewright::cuda::nameOf(std::span<const size_t> path,
                                     std::span<const std::string> names) {
  std::string name =
      names.empty() ? "argument " + std::to_string(path.front() + 1) : names[path.front()];
  for (size_t item : path.subspan(1))
    name += "[" + std::to_string(item) + "]";
  return name;
}
