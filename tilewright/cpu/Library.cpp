// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.

#include "tilewright/cpu/Library.h"
#include "tilewright/codegen/Programs.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <cmath>
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace tilewright;
using codegen::Sanitizer;
using codegen::TemporaryFile;
using cpu::LinkFailure;
using cpu::LinkOptions;
using cpu::Target;
using support::Failure;
using support::Result;

using Arguments = std::vector<std::string>;

// --- With lld, in this process ----------------------------------------------------------------

/// The file of the library that defines `function`; empty if the loader does not know it.
static std::string fileWith(const void *function) {
  Dl_info info = {};
  return dladdr(function, &info) && info.dli_fname ? info.dli_fname : "";
}

/// The C and math libraries, which kernels call where a processor has no instruction, as for
/// rounding in SSE2. A machine without a compiler has no `libm.so` for the linker, so it links the
/// files that this process uses.
static Arguments systemLibraries() {
  auto *floor = static_cast<double (*)(double)>(std::floor);
  Arguments arguments = {"--as-needed"};
  for (const void *function : {reinterpret_cast<const void *>(floor),
                               reinterpret_cast<const void *>(&gnu_get_libc_version)})
    if (std::string file = fileWith(function); !file.empty())
      arguments.push_back(std::move(file));
  arguments.push_back("--no-as-needed");
  return arguments;
}

static Arguments lldArguments(const std::string &object, const std::string &library,
                              const Target &target, const LinkOptions &options) {
  // A single thread: with several, lld deletes an old output file in the background.
  Arguments arguments = {"ld.lld",          "-shared", "--threads=1", "--hash-style=gnu",
                         "--build-id=none", "-o",      library,       object};
  if (!options.name.empty())
    arguments.push_back("-soname=" + options.name);
  if (!options.runtime.empty()) {
    arguments.push_back(options.runtime.string());
    arguments.push_back("-rpath=" + options.runtime.parent_path().string());
  }
  if (target.isForThisArchitecture())
    for (std::string &argument : systemLibraries())
      arguments.push_back(std::move(argument));
  return arguments;
}

/// lld keeps its state in globals: only one link runs at a time, and none after a failure that left
/// the state undefined. Errors that are fatal to lld, such as a truncated object, end the process;
/// but objects here come from LLVM.
static Result<void> runLld(const Arguments &arguments) {
  static std::mutex mutex;
  static bool isUsable = true;
  std::lock_guard lock(mutex);
  if (!isUsable)
    return Failure{"lld cannot link again after an earlier failure"};
  std::vector<const char *> words;
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  std::string output;
  llvm::raw_string_ostream stream(output);
  lld::Result result = lld::lldMain(words, stream, stream, {{lld::Gnu, &lld::elf::link}});
  isUsable = result.canRunAgain;
  if (result.retCode == 0)
    return {};
  return Failure{llvm::StringRef(output).rtrim().str()};
}

// --- With a compiler, for sanitizers ----------------------------------------------------------

/// Only a compiler knows where its sanitizer's runtime library is.
static Result<std::string> compilerFor(const Target &target) {
  Arguments candidates = {"cc", "clang-22", "gcc", "clang"};
  if (!target.isForThisArchitecture())
    candidates = {(llvm::Triple(target.triple).getArchName() + "-linux-gnu-gcc").str()};
  for (const std::string &candidate : candidates)
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(candidate))
      return *path;
  return Failure{"a sanitized shared library for " + target.triple +
                 " needs a compiler to link it, and there is none of " +
                 llvm::join(candidates, ", ")};
}

static Arguments compilerArguments(const std::string &object, const std::string &library,
                                   const LinkOptions &options) {
  const char *sanitizer = options.sanitize == Sanitizer::Address ? "address" : "thread";
  Arguments arguments = {"-shared", "-o", library, object, std::string("-fsanitize=") + sanitizer};
  if (!options.name.empty())
    arguments.push_back("-Wl,-soname," + options.name);
  if (!options.runtime.empty()) {
    arguments.push_back(options.runtime.string());
    arguments.push_back("-Wl,-rpath," + options.runtime.parent_path().string());
  }
  arguments.push_back("-lm");
  return arguments;
}

static Result<void> runCompiler(const std::string &object, const std::string &library,
                                const Target &target, const LinkOptions &options) {
  Result<std::string> compiler = compilerFor(target);
  if (!compiler)
    return compiler.failure();
  Result<TemporaryFile> log = TemporaryFile::create("log");
  if (!log)
    return log.failure();
  Arguments command = {*compiler};
  for (std::string &argument : compilerArguments(object, library, options))
    command.push_back(std::move(argument));
  return codegen::execute(command, *log);
}

// --- Both -------------------------------------------------------------------------------------

/// A linker reads and writes files.
static Result<std::pair<TemporaryFile, TemporaryFile>> makeFiles(std::string_view object) {
  Result<TemporaryFile> input = TemporaryFile::create("kernels.o");
  if (!input)
    return input.failure();
  if (Result<void> written = input->write(object); !written)
    return written.failure();
  Result<TemporaryFile> library = TemporaryFile::create("kernels.so");
  if (!library)
    return library.failure();
  return std::pair{std::move(*input), std::move(*library)};
}

Result<std::string> cpu::linkLibrary(std::string_view object, const Target &target,
                                     const LinkOptions &options, LinkFailure *why) {
  auto failed = [&](LinkFailure kind, const Failure &failure) {
    if (why)
      *why = kind;
    return failure;
  };
  Result<std::pair<TemporaryFile, TemporaryFile>> files = makeFiles(object);
  if (!files)
    return failed(LinkFailure::Files, files.failure());
  const std::string &input = files->first.path(), &output = files->second.path();
  Result<void> linked = options.sanitize == Sanitizer::None
                            ? runLld(lldArguments(input, output, target, options))
                            : runCompiler(input, output, target, options);
  if (!linked)
    return failed(LinkFailure::Linker, linked.failure());
  Result<std::string> library = files->second.read();
  if (!library)
    return failed(LinkFailure::Files, library.failure());
  return library;
}
