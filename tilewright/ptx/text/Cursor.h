// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of the parser in the list of tokens. The cursor keeps the first error; after it,
// every parse function returns false.

#ifndef TILEWRIGHT_PTX_TEXT_CURSOR_H
#define TILEWRIGHT_PTX_TEXT_CURSOR_H

#include "tilewright/ptx/text/Lexer.h"

namespace tilewright::ptx {

class Cursor {
public:
  explicit Cursor(Tokens tokens) : tokens(std::move(tokens)) {}

  const Token &peek(size_t ahead = 0) const {
    return tokens.list[std::min(at + ahead, tokens.list.size() - 1)];
  }
  Token next();
  bool atEnd() const { return peek().kind == TokenKind::End; }
  /// Consumes the token if it is this character or dot-word.
  bool accept(char character);
  bool accept(std::string_view dotWord);
  bool expect(char character);
  bool expectName(std::string_view &name, const char *what);
  bool expectDotWord(std::string_view &word, const char *what);
  /// Parses an integer constant expression, with the operators of C (PTX ISA, 4.5.5).
  bool expectInteger(uint64_t &value);
  /// The same for a value from 0 to `most`.
  bool expectCount(uint64_t &value, uint64_t most, const char *what);

  bool refuse(Place place, std::string message);
  /// "expected WHAT, found 'x'"
  bool refuseNext(const std::string &what);
  /// Puts `what` in front of the message; returns false.
  bool beginRefusal(const std::string &what) {
    tokens.refusal->message.insert(0, what);
    return false;
  }
  const std::optional<Refusal> &refusal() const { return tokens.refusal; }

private:
  bool unary(uint64_t &value, unsigned depth);
  bool binary(uint64_t &value, unsigned strength, unsigned depth);

  Tokens tokens;
  size_t at = 0;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_CURSOR_H
