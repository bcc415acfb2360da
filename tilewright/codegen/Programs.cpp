// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Programs.h.

#include "tilewright/codegen/Programs.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using codegen::TemporaryFile;
using support::Failure;
using support::Result;

//===-- Temporary files -----------------------------------------------------------------------===//

Result<TemporaryFile> TemporaryFile::create(const char *name) {
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  llvm::SmallString<128> model = folder;
  llvm::sys::path::append(model, llvm::Twine("tilewright-%%%%%%%%-") + name);
  auto file = llvm::sys::fs::TempFile::create(model);
  if (!file)
    return Failure{folder.str().str() +
                   ": a temporary file cannot be made: " + llvm::toString(file.takeError())};
  return TemporaryFile(std::move(*file));
}

TemporaryFile::~TemporaryFile() {
  if (file)
    llvm::consumeError(file->discard());
}

Result<void> TemporaryFile::write(std::string_view bytes) {
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << bytes;
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  if (error)
    return Failure{path() + ": cannot write: " + error.message()};
  return {};
}

Result<std::string> TemporaryFile::read() const {
  auto bytes = llvm::MemoryBuffer::getFile(path());
  if (!bytes)
    return Failure{path() + ": cannot be read: " + bytes.getError().message()};
  return (*bytes)->getBuffer().str();
}

//===-- Programs ------------------------------------------------------------------------------===//

Result<void> codegen::execute(const std::vector<std::string> &command, const TemporaryFile &log) {
  llvm::SmallVector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string error;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log.path()),
                                                llvm::StringRef(log.path())};
  int status = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (status == 0)
    return {};
  Result<std::string> said = log.read();
  std::string why = said ? llvm::StringRef(*said).rtrim().str() : "";
  return Failure{command.front() + " failed: " + (why.empty() ? error : why)};
}
