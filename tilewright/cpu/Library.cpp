// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.

#include "tilewright/cpu/Library.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <optional>
#include <utility>

using namespace tilewright;
using codegen::Sanitizer;
using cpu::LinkFailure;
using cpu::LinkOptions;
using cpu::Target;
using support::Failure;
using support::Result;

namespace {
/// A file that does not stay, not even when a signal ends the program: LLVM keeps a list of those.
/// It is in no folder of its own, because LLVM's list is only of files.
class TemporaryFile {
public:
  static Result<TemporaryFile> create(const char *name);
  TemporaryFile(TemporaryFile &&other) : file(std::exchange(other.file, std::nullopt)) {}
  ~TemporaryFile() {
    if (file)
      llvm::consumeError(file->discard());
  }

  const std::string &path() const { return file->TmpName; }
  Result<void> write(std::string_view bytes);

private:
  explicit TemporaryFile(llvm::sys::fs::TempFile file) : file(std::move(file)) {}

  std::optional<llvm::sys::fs::TempFile> file;
};
} // namespace

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

namespace {
struct Linker {
  std::vector<std::string> command;
  /// Whether it knows the libraries of the target.
  bool hasLibraries = true;
};
} // namespace

/// What links for a target: of this machine's kind its own compiler; else the cross compiler,
/// or clang without the libraries that only the target has.
static Result<Linker> linkerFor(const Target &target) {
  std::vector<Linker> candidates;
  if (target.isForThisArchitecture()) {
    candidates = {{{"cc"}}, {{"clang-22"}}, {{"gcc"}}, {{"clang"}}};
  } else {
    std::string system = (llvm::Triple(target.triple).getArchName() + "-linux-gnu").str();
    candidates = {{{system + "-gcc"}}};
    for (const char *clang : {"clang-22", "clang"})
      candidates.push_back({{clang, "--target=" + system, "-fuse-ld=lld", "-nostdlib"}, false});
  }
  std::string tried;
  for (Linker &candidate : candidates) {
    std::string &program = candidate.command.front();
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(program)) {
      program = *path;
      return candidate;
    }
    tried += (tried.empty() ? "" : ", ") + program;
  }
  return Failure{"a shared library for " + target.triple +
                 " needs a compiler to link it, and there is none of " + tried};
}

static std::vector<std::string> argumentsFor(const std::string &object, const std::string &library,
                                             const LinkOptions &options, bool hasLibraries) {
  std::vector<std::string> arguments = {"-shared", "-o", library, object};
  if (options.sanitize == Sanitizer::Address)
    arguments.push_back("-fsanitize=address");
  if (options.sanitize == Sanitizer::Thread)
    arguments.push_back("-fsanitize=thread");
  if (!options.name.empty())
    arguments.push_back("-Wl,-soname," + options.name);
  if (!options.runtime.empty()) {
    arguments.push_back(options.runtime.string());
    arguments.push_back("-Wl,-rpath," + options.runtime.parent_path().string());
  }
  // Where a processor cannot round, kernels call what does.
  if (hasLibraries)
    arguments.push_back("-lm");
  return arguments;
}

/// Runs a program; what it says on standard error is the failure.
static Result<void> execute(const std::vector<std::string> &command, const std::string &log) {
  llvm::SmallVector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string error;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  int status = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (status == 0)
    return {};
  auto said = llvm::MemoryBuffer::getFile(log);
  std::string why = said ? (*said)->getBuffer().rtrim().str() : "";
  return Failure{command.front() + " failed: " + (why.empty() ? error : why)};
}

namespace {
/// What a linker reads and writes.
struct LinkFiles {
  TemporaryFile object, library, log;

  /// With the object written.
  static Result<LinkFiles> make(std::string_view object);
};
} // namespace

Result<LinkFiles> LinkFiles::make(std::string_view object) {
  Result<TemporaryFile> objectFile = TemporaryFile::create("kernels.o");
  if (!objectFile)
    return objectFile.failure();
  if (Result<void> written = objectFile->write(object); !written)
    return written.failure();
  Result<TemporaryFile> library = TemporaryFile::create("kernels.so");
  if (!library)
    return library.failure();
  Result<TemporaryFile> log = TemporaryFile::create("log");
  if (!log)
    return log.failure();
  return LinkFiles{std::move(*objectFile), std::move(*library), std::move(*log)};
}

static Result<void> link(Linker linker, const LinkFiles &files, const LinkOptions &options) {
  for (std::string &argument :
       argumentsFor(files.object.path(), files.library.path(), options, linker.hasLibraries))
    linker.command.push_back(std::move(argument));
  return execute(linker.command, files.log.path());
}

Result<std::string> cpu::linkLibrary(std::string_view object, const Target &target,
                                     const LinkOptions &options, LinkFailure *why) {
  auto failed = [&](LinkFailure kind, const Failure &failure) {
    if (why)
      *why = kind;
    return failure;
  };
  Result<Linker> linker = linkerFor(target);
  if (!linker)
    return failed(LinkFailure::Linker, linker.failure());
  Result<LinkFiles> files = LinkFiles::make(object);
  if (!files)
    return failed(LinkFailure::Files, files.failure());
  if (Result<void> linked = link(std::move(*linker), *files, options); !linked)
    return failed(LinkFailure::Linker, linked.failure());
  const std::string &library = files->library.path();
  auto bytes = llvm::MemoryBuffer::getFile(library);
  if (!bytes)
    return failed(LinkFailure::Files,
                  Failure{library + ": cannot be read: " + bytes.getError().message()});
  return (*bytes)->getBuffer().str();
}
