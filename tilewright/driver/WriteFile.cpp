// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteFile.h.

#include "tilewright/driver/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::driver;
using llvm::StringRef;
using support::Failure;
using support::Result;

static Failure cannotWrite(StringRef path, const std::string &why) {
  return {(path == "-" ? "standard output" : path.str()) + ": cannot write: " + why};
}

/// Writes to an open file; the error of a stream that is not asked for it is fatal.
static std::error_code writeTo(llvm::raw_fd_ostream &stream, StringRef bytes) {
  stream << bytes;
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

/// Standard output, a device, a pipe: nothing that could be put in its place.
static Result<void> writeInPlace(StringRef path, StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error)
    error = writeTo(stream, bytes);
  if (error)
    return cannotWrite(path, error.message());
  return {};
}

/// Writes a file beside the old one, then puts it in its place.
static Result<void> replaceFile(StringRef path, StringRef bytes) {
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%");
  if (!temporary)
    return cannotWrite(path, llvm::toString(temporary.takeError()));
  llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  if (std::error_code error = writeTo(stream, bytes)) {
    llvm::consumeError(temporary->discard());
    return cannotWrite(path, error.message());
  }
  if (llvm::Error error = temporary->keep(path))
    return cannotWrite(path, llvm::toString(std::move(error)));
  return {};
}

Result<void> driver::writeFile(StringRef path, StringRef bytes) {
  llvm::sys::fs::file_status status;
  if (path == "-")
    return writeInPlace(path, bytes);
  if (llvm::sys::fs::status(path, status))
    return replaceFile(path, bytes); // there is no such file yet
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return cannotWrite(path, "is a folder");
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return writeInPlace(path, bytes);
  if (std::error_code error = llvm::sys::fs::access(path, llvm::sys::fs::AccessMode::Write))
    return cannotWrite(path, error.message());
  // A link stays a link: the file behind it is replaced.
  llvm::SmallString<128> target;
  if (std::error_code error = llvm::sys::fs::real_path(path, target))
    return cannotWrite(path, error.message());
  return replaceFile(target, bytes);
}
