// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits PTX text into tokens: names (`%r1`, `add`), dot-words (`.global`, `.L2::128B`), numbers,
// strings and single characters. Comments and white space are skipped.

#ifndef TILEWRIGHT_PTX_TEXT_LEXER_H
#define TILEWRIGHT_PTX_TEXT_LEXER_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::ptx {

/// A position in the PTX text, counted from 1; 0 if there is none.
struct Place {
  uint32_t line = 0, column = 0;

  bool operator==(const Place &) const = default;
};

/// Why and where a text was rejected.
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
  /// As in the text; for a string, without the quotes.
  std::string_view text;
  /// The value of an integer; for a float, the bits of the f64, or of the f32 if `isSingle`.
  uint64_t bits = 0;
  bool isSingle = false;

  bool is(char character) const {
    return kind == TokenKind::Character && text.front() == character;
  }
  bool isDot(std::string_view word) const { return kind == TokenKind::DotWord && text == word; }
  bool isName(std::string_view name) const { return kind == TokenKind::Name && text == name; }
};

struct Tokens {
  /// The last token has kind End.
  std::vector<Token> list;
  std::optional<Refusal> refusal;
};

/// The tokens point into `text`.
Tokens readTokens(std::string_view text);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_LEXER_H
