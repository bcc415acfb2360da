// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a program, as data? What is printed as `k.mlir:3:5: error: ...` comes with
// its place in numbers, so that an editor, a test or a Python exception need not parse text.

#ifndef TILEWRIGHT_API_DIAGNOSTIC_H
#define TILEWRIGHT_API_DIAGNOSTIC_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::api {

/// A place in a source or in bytecode. What is not known is empty, 0 or none.
struct Place {
  std::string file;
  /// Both from 1.
  int64_t line = 0, column = 0;
  /// The offset in a bytecode file. A place may have a line as well, if the file has debug
  /// information.
  std::optional<int64_t> byte = std::nullopt;
};

enum class Severity { Error, Warning, Remark };

struct Note {
  Place place;
  std::string message;
};

struct Diagnostic {
  Severity severity;
  Place place;
  /// One line, without place and severity.
  std::string message;
  std::vector<Note> notes = {};
};

/// What a function has to say about a program.
struct Diagnostics {
  std::vector<Diagnostic> list;
  /// The same as the command line prints it, with source lines and carets.
  std::string text;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIAGNOSTIC_H
