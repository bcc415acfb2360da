// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes results, text or bytes, to a file (all or nothing) or to standard output.

#ifndef TILEWRIGHT_TOOLS_WRITEFILE_H
#define TILEWRIGHT_TOOLS_WRITEFILE_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Writes atomically: `path` appears or changes in one step, after everything is on disk. "-" is
/// standard output; devices and pipes are written in place.
support::Result<void> writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// A file to be written, and its contents.
struct FileContents {
  llvm::StringRef path, bytes;
};

/// Writes several files: if one of them cannot be written, none appears or changes. Fails, too, if
/// two of them are the same file.
support::Result<void> writeFiles(llvm::ArrayRef<FileContents> files);

/// An output file and the option that names it: `--coverage`, `lines.info`.
struct NamedOutput {
  std::string option, path;
};
/// Fails if two of them are the same file, where the second would overwrite the first. Standard
/// streams, devices and pipes may be shared; an empty path means no output.
support::Result<void> verifyDistinct(llvm::ArrayRef<NamedOutput> outputs);

/// Writes buffered output. Fails, with a message that starts with `name`, if anything written since
/// the last check was lost.
support::Result<void> flush(llvm::raw_fd_ostream &stream, llvm::StringRef name);
/// The same for a stream that may be llvm::outs() or llvm::errs(); any other stream cannot fail.
support::Result<void> flush(llvm::raw_ostream &stream, llvm::StringRef name);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_WRITEFILE_H
