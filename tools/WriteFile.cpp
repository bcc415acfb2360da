// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes files atomically: the bytes go to a new file in the same folder, which is then renamed.
// LLVM keeps a list of the new files, and removes them when a signal ends the program.

#include "tools/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>
#include <vector>

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using support::Failure;
using support::Result;

static Failure cannotWrite(StringRef path, const std::string &why) {
  return {(path == "-" ? "standard output" : path.str()) + ": cannot write: " + why};
}

/// Returns and clears the stream's error since the last call. LLVM ends the program when it
/// destroys a stream whose error was not checked.
static std::error_code takeError(llvm::raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

Result<void> tools::flush(llvm::raw_fd_ostream &stream, StringRef name) {
  if (std::error_code error = takeError(stream))
    return cannotWrite(name, error.message());
  return {};
}

Result<void> tools::flush(llvm::raw_ostream &stream, StringRef name) {
  // raw_ostream does not tell whether it is a raw_fd_ostream.
  for (llvm::raw_fd_ostream *standard : {&llvm::outs(), &llvm::errs()})
    if (&stream == standard)
      return flush(*standard, name);
  stream.flush();
  return {};
}

namespace {
/// A file whose contents are on disk under a temporary name.
class StagedFile {
public:
  static Result<StagedFile> stage(StringRef path, StringRef bytes);
  /// Renames it to its final name.
  Result<void> commit();

  StagedFile(StagedFile &&other) : path(std::move(other.path)), file(std::move(other.file)) {
    other.file.reset();
  }
  ~StagedFile() {
    if (file)
      llvm::consumeError(file->discard());
  }

private:
  StagedFile(StringRef path, llvm::sys::fs::TempFile file) : path(path), file(std::move(file)) {}

  std::string path;
  std::optional<llvm::sys::fs::TempFile> file;
};
} // namespace

Result<StagedFile> StagedFile::stage(StringRef path, StringRef bytes) {
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%");
  if (!temporary)
    return cannotWrite(path, llvm::toString(temporary.takeError()));
  StagedFile staged(path, std::move(*temporary)); // From here it cleans up.
  llvm::raw_fd_ostream stream(staged.file->FD, /*shouldClose=*/false);
  stream << bytes;
  if (std::error_code error = takeError(stream))
    return cannotWrite(path, error.message());
  return staged;
}

Result<void> StagedFile::commit() {
  llvm::Error error = file->keep(path);
  file.reset();
  if (error)
    return cannotWrite(path, llvm::toString(std::move(error)));
  return {};
}

/// For standard output, devices and pipes, which cannot be replaced by a rename.
static Result<void> writeInPlace(StringRef path, StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << bytes;
    error = takeError(stream);
  }
  if (error)
    return cannotWrite(path, error.message());
  return {};
}

/// The file to replace; none if `path` must be written in place.
static Result<std::optional<std::string>> fileToReplace(StringRef path) {
  llvm::sys::fs::file_status status;
  if (path == "-")
    return std::optional<std::string>();
  if (llvm::sys::fs::status(path, status))
    return std::optional(path.str()); // the file does not exist yet
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return cannotWrite(path, "is a folder");
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return std::optional<std::string>();
  if (std::error_code error = llvm::sys::fs::access(path, llvm::sys::fs::AccessMode::Write))
    return cannotWrite(path, error.message());
  // A symbolic link is kept: the file that it points to is replaced.
  llvm::SmallString<128> target;
  if (std::error_code error = llvm::sys::fs::real_path(path, target))
    return cannotWrite(path, error.message());
  return std::optional(std::string(target));
}

/// A canonical name for the file to replace: its folder may have several names.
static std::string uniqueName(const std::string &target) {
  llvm::SmallString<128> folder = llvm::sys::path::parent_path(target), name;
  if (llvm::sys::fs::real_path(folder.empty() ? "." : folder.str(), name))
    return target;
  llvm::sys::path::append(name, llvm::sys::path::filename(target));
  return std::string(name);
}

Result<void> tools::verifyDistinct(llvm::ArrayRef<NamedOutput> outputs) {
  std::map<std::string, std::string> optionOf;
  for (const NamedOutput &output : outputs) {
    if (output.path.empty())
      continue;
    Result<std::optional<std::string>> target = fileToReplace(output.path);
    if (!target || !*target) // not a regular file, or not writable: writing reports that
      continue;
    const auto [other, isNew] = optionOf.insert({uniqueName(**target), output.option});
    if (!isNew)
      return Failure{output.option + ": " +
                     (other->second == output.option ? "another one" : other->second) +
                     " writes the same file, '" + output.path + "'"};
  }
  return {};
}

Result<void> tools::writeFiles(llvm::ArrayRef<FileContents> files) {
  std::vector<StagedFile> staged;
  std::set<std::string> names;
  std::vector<FileContents> inPlace;
  for (const FileContents &file : files) {
    Result<std::optional<std::string>> target = fileToReplace(file.path);
    if (!target)
      return target.failure();
    if (!*target) {
      inPlace.push_back(file);
      continue;
    }
    if (!names.insert(uniqueName(**target)).second)
      return cannotWrite(file.path, "another output goes to the same file");
    Result<StagedFile> made = StagedFile::stage(**target, file.bytes);
    if (!made)
      return made.failure();
    staged.push_back(std::move(*made));
  }
  for (const FileContents &file : inPlace)
    if (Result<void> written = writeInPlace(file.path, file.bytes); !written)
      return written;
  for (StagedFile &file : staged)
    if (Result<void> committed = file.commit(); !committed)
      return committed;
  return {};
}

Result<void> tools::writeFile(StringRef path, StringRef bytes) {
  return writeFiles(FileContents{path, bytes});
}
