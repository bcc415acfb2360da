// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs of the system, such as an assembler or a compiler that links, on temporary files.

#ifndef TILEWRIGHT_CODEGEN_PROGRAMS_H
#define TILEWRIGHT_CODEGEN_PROGRAMS_H

#include "tilewright/support/Result.h"

#include "llvm/Support/FileSystem.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::codegen {

/// A file that does not stay, not even when a signal ends the program: LLVM keeps a list of those.
/// It is in no folder of its own, because LLVM's list is only of files.
class TemporaryFile {
public:
  /// Its name ends with `name`.
  static support::Result<TemporaryFile> create(const char *name);
  TemporaryFile(TemporaryFile &&other) : file(std::exchange(other.file, std::nullopt)) {}
  ~TemporaryFile();

  const std::string &path() const { return file->TmpName; }
  support::Result<void> write(std::string_view bytes);
  /// What a program has written there.
  support::Result<std::string> read() const;

private:
  explicit TemporaryFile(llvm::sys::fs::TempFile file) : file(std::move(file)) {}

  std::optional<llvm::sys::fs::TempFile> file;
};

/// Runs a program, whose path comes first; what it says, in `log`, is the failure.
support::Result<void> execute(const std::vector<std::string> &command, const TemporaryFile &log);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_PROGRAMS_H
