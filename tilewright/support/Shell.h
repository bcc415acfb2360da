// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a POSIX shell, for commands that are printed to be repeated.

#ifndef TILEWRIGHT_SUPPORT_SHELL_H
#define TILEWRIGHT_SUPPORT_SHELL_H

#include <string>
#include <string_view>

namespace tilewright::support {

/// The text in single quotes.
inline std::string quotedShellWord(std::string_view text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

/// The text as a word, in quotes if it needs them.
inline std::string shellWord(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-./+,:@%=";
  const bool isPlain = !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
  return isPlain ? std::string(text) : quotedShellWord(text);
}

} // namespace tilewright::support

#endif // TILEWRIGHT_SUPPORT_SHELL_H
