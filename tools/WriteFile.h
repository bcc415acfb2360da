// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does a result go that is text or bytes? To a file, all or nothing, or to standard
// output.

#ifndef TILEWRIGHT_TOOLS_WRITEFILE_H
#define TILEWRIGHT_TOOLS_WRITEFILE_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Writes all or nothing: `path` appears, or changes, in one step, when everything is on disk.
/// "-" is standard output; devices and pipes are written to as they are.
support::Result<void> writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// The contents of a file that is to be written.
struct FileContents {
  llvm::StringRef path, bytes;
};

/// The same for several files: when one of them cannot be written, none appears or changes.
/// So it is when two of them are the same file.
support::Result<void> writeFiles(llvm::ArrayRef<FileContents> files);

/// A file that an option names: `--coverage`, `lines.info`.
struct NamedOutput {
  std::string option, path;
};
/// Fails if two of them are the same file, where what is written first would be lost. Standard
/// streams, devices and pipes can be shared; outputs without a path write no file.
support::Result<void> verifyDistinct(llvm::ArrayRef<NamedOutput> outputs);

/// Writes what the stream still holds. Fails, with `name` in front, if anything that was
/// written to the stream since its last check is lost.
support::Result<void> flush(llvm::raw_fd_ostream &stream, llvm::StringRef name);
/// The same for a stream that may be llvm::outs() or llvm::errs(); others cannot fail.
support::Result<void> flush(llvm::raw_ostream &stream, llvm::StringRef name);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_WRITEFILE_H
