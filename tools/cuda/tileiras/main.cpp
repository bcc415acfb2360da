// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `tileiras`: replaces NVIDIA's compiler for clients that start a program of this name.
// A client starts it several times before the first kernel runs: for its version, and with an empty
// program of each Tile IR version, to find out which ones are supported. So this program is small
// and answers these queries by itself. Only a program with functions makes it load Tilewright's
// library (Compiler.h).

#include "tilewright/support/Version.h"
#include "tools/cuda/Container.h"
#include "tools/cuda/Files.h"
#include "tools/cuda/tileiras/CommandLine.h"
#include "tools/cuda/tileiras/Compiler.h"
#include "tools/cuda/tileiras/Frame.h"

#include <cstdio>
#include <new>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

enum ExitStatus { success = 0, invalidProgram = 1, unusable = 2 };

static ExitStatus fail(const std::string &why, ExitStatus status) {
  std::fprintf(stderr, "%s%s", why.c_str(), why.ends_with('\n') ? "" : "\n");
  return status;
}

static ExitStatus print(const std::string &text) {
  Result<void> written = writeFile("-", text);
  return written ? success : fail(written.failure().message, unusable);
}

static std::string textOf(FormatVersion version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

/// The version contains the build ID, because clients cache compiled kernels per compiler version.
static ExitStatus printVersion() {
  Result<std::string> build = buildOfCompiler();
  if (!build)
    return fail("tileiras: error: " + build.failure().message, unusable);
  return print(std::string("tileiras: Tilewright ") + support::version + ", Tile IR " +
               textOf(oldestClientVersion) + " to " + textOf(newestClientVersion) + ", build " +
               *build + "\n");
}

static ExitStatus compileFile(const Options &options) {
  Result<std::string> program = readFile(options.input);
  if (!program)
    return fail(program.failure().message, unusable);
  if (Result<void> known = verifyVersion(*program); !known)
    return fail(known.failure().at(options.input + ": error").message, invalidProgram);
  if (!hasNothingToCompile(*program))
    if (Result<void> compiled = compile(*program, options); !compiled)
      return fail(compiled.failure().message, invalidProgram);
  const std::string container = toBytes({options.optimization, options.debugInfo, *program});
  if (Result<void> written = writeFile(options.output, container); !written)
    return fail(written.failure().message, unusable);
  // Clients of 13.4 request remarks. There are none: write an empty YAML stream.
  if (!options.remarks.empty())
    if (Result<void> written = writeFile(options.remarks, ""); !written)
      return fail(written.failure().message, unusable);
  return success;
}

static ExitStatus run(std::span<char *const> words) {
  Result<Options> options = parse(words);
  if (!options)
    return fail("tileiras: error: " + options.failure().message, unusable);
  switch (options->action) {
  case Options::Help:
    return print(helpText());
  case Options::Version:
    return printVersion();
  case Options::Compilation:
    return compileFile(*options);
  }
  return unusable;
}

int main(int argc, char **argv) {
  occupyStandardStreams();
  try {
    return run({argv + 1, size_t(argc > 0 ? argc - 1 : 0)});
  } catch (const std::bad_alloc &) {
    return fail("tileiras: out of memory", unusable);
  }
}
