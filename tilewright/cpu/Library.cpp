// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.

#include "tilewright/cpu/Library.h"
#include "tilewright/codegen/Programs.h"

#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using codegen::Sanitizer;
using codegen::TemporaryFile;
using cpu::LinkFailure;
using cpu::LinkOptions;
using cpu::Target;
using support::Failure;
using support::Result;

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
  return codegen::execute(linker.command, files.log);
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
  Result<std::string> library = files->library.read();
  if (!library)
    return failed(LinkFailure::Files, library.failure());
  return library;
}
