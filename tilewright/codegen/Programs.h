// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs system programs, such as an assembler or a compiler driver that links, on temporary files.

#ifndef TILEWRIGHT_CODEGEN_PROGRAMS_H
#define TILEWRIGHT_CODEGEN_PROGRAMS_H

#include "tilewright/support/Result.h"

#include "llvm/Support/FileSystem.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::codegen {

/// A temporary file, which is removed even when a signal ends the program: LLVM keeps a list of
/// such files. The list does not support folders, so the file does not get a folder of its own.
class TemporaryFile {
public:
  /// The file name ends with `name`.
  static support::Result<TemporaryFile> create(const char *name);
  TemporaryFile(TemporaryFile &&other) : file(std::exchange(other.file, std::nullopt)) {}
  ~TemporaryFile();

  const std::string &path() const { return file->TmpName; }
  support::Result<void> write(std::string_view bytes);
  /// Reads the file, for example after a program has written it.
  support::Result<std::string> read() const;

private:
  explicit TemporaryFile(llvm::sys::fs::TempFile file) : file(std::move(file)) {}

  std::optional<llvm::sys::fs::TempFile> file;
};

/// Runs a program; its path is the first element of `command`. If it fails, the Failure contains
/// its output, which goes to `log`.
support::Result<void> execute(const std::vector<std::string> &command, const TemporaryFile &log);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_PROGRAMS_H
