// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics about a program, as data. A diagnostic that is printed as `k.mlir:3:5: error: ...`
// has its file, line and column as members, so that an editor, a test or a Python exception need
// not parse text.

#ifndef TILEWRIGHT_API_DIAGNOSTIC_H
#define TILEWRIGHT_API_DIAGNOSTIC_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::api {

/// A place in a source file or in a bytecode file. Unknown members are empty, 0 or none.
struct Place {
  std::string file;
  /// Both count from 1.
  int64_t line = 0, column = 0;
  /// The offset in a bytecode file. The place has a line as well if the file has debug information.
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
  /// One line, without the place and the severity.
  std::string message;
  std::vector<Note> notes = {};
};

/// All diagnostics of one function call about a program.
struct Diagnostics {
  std::vector<Diagnostic> list;
  /// The same as the command line prints it, with source lines and carets.
  std::string text;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIAGNOSTIC_H
