// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What are the words of a PTX text? Names (`%r1`, `add`), dot-words (`.global`, `.L2::128B`),
// numbers, strings and single characters. Comments and white space are left out.

#ifndef TILEWRIGHT_PTX_TEXT_LEXER_H
#define TILEWRIGHT_PTX_TEXT_LEXER_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::ptx {

/// In the PTX text, from 1; 0 for none.
struct Place {
  uint32_t line = 0, column = 0;

  bool operator==(const Place &) const = default;
};

/// Why a text is not accepted, and where.
struct Refusal {
  Place place;
  std::string message;
};

/// `3:9: message`
std::string toString(const Refusal &refusal);

enum class TokenKind : uint8_t { Name, DotWord, Integer, Float, String, Character, End };

struct Token {
  TokenKind kind;
  Place place;
  /// As in the text; of a string, what is between the quotes.
  std::string_view text;
  /// Of an integer; of a float, the bits of the f64, or of the f32 if `isSingle`.
  uint64_t bits = 0;
  bool isSingle = false;

  bool is(char character) const {
    return kind == TokenKind::Character && text.front() == character;
  }
  bool isDot(std::string_view word) const { return kind == TokenKind::DotWord && text == word; }
  bool isName(std::string_view name) const { return kind == TokenKind::Name && text == name; }
};

struct Tokens {
  /// Ends with a token of kind End.
  std::vector<Token> list;
  std::optional<Refusal> refusal;
};

/// The tokens point into the text.
Tokens readTokens(std::string_view text);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_LEXER_H
