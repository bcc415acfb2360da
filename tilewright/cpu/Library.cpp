// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.

#include "tilewright/cpu/Library.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

#include <fstream>

using namespace tilewright;
using cpu::LinkOptions;
using cpu::Sanitizer;
using cpu::Target;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

namespace {
/// A folder that goes with all that is in it.
class TemporaryFolder {
public:
  static Result<TemporaryFolder> create() {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createUniqueDirectory("tilewright", path))
      return Failure{"a temporary folder cannot be made: " + error.message()};
    return TemporaryFolder(path.str().str());
  }
  TemporaryFolder(TemporaryFolder &&other) : path(std::exchange(other.path, {})) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path.empty())
      fs::remove_all(path, ignored);
  }

  fs::path operator/(const char *name) const { return path / name; }

private:
  explicit TemporaryFolder(std::string path) : path(std::move(path)) {}
  fs::path path;
};
} // namespace

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

static std::vector<std::string> argumentsFor(const fs::path &object, const fs::path &library,
                                             const LinkOptions &options, bool hasLibraries) {
  std::vector<std::string> arguments = {"-shared", "-o", library.string(), object.string()};
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
static Result<void> execute(const std::vector<std::string> &command, const fs::path &log) {
  llvm::SmallVector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string logPath = log.string(), error;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(logPath),
                                                llvm::StringRef(logPath)};
  int status = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (status == 0)
    return {};
  auto said = llvm::MemoryBuffer::getFile(logPath);
  std::string why = said ? (*said)->getBuffer().rtrim().str() : "";
  return Failure{command.front() + " failed: " + (why.empty() ? error : why)};
}

Result<std::string> cpu::linkLibrary(std::string_view object, const Target &target,
                                     const LinkOptions &options) {
  Result<Linker> linker = linkerFor(target);
  if (!linker)
    return linker.failure();
  Result<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder)
    return folder.failure();
  fs::path objectPath = *folder / "kernels.o", library = *folder / "kernels.so";
  std::ofstream file(objectPath, std::ios::binary);
  file << object;
  file.close();
  if (!file)
    return Failure{objectPath.string() + ": cannot be written"};

  std::vector<std::string> command = linker->command;
  for (std::string &argument : argumentsFor(objectPath, library, options, linker->hasLibraries))
    command.push_back(std::move(argument));
  if (Result<void> linked = execute(command, *folder / "log"); !linked)
    return linked.failure();
  auto bytes = llvm::MemoryBuffer::getFile(library.string());
  if (!bytes)
    return Failure{library.string() + ": cannot be read: " + bytes.getError().message()};
  return (*bytes)->getBuffer().str();
}
