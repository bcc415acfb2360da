// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `tileiras`: replaces NVIDIA's compiler for clients that start a program of this name.
// A client starts it several times before the first kernel runs: for its version, and with an empty
// program of each Tile IR version, to find out which ones are supported. So this program is small
// and answers the former by itself, and on devices other than GPUs also the latter. Only a program
// that has to be compiled makes it load Tilewright's library (Compiler.h).

#include "tilewright/support/Version.h"
#include "tools/cuda/Container.h"
#include "tools/cuda/Files.h"
#include "tools/cuda/tileiras/CommandLine.h"
#include "tools/cuda/tileiras/Compiler.h"
#include "tools/cuda/tileiras/Frame.h"
#include "tools/cuda/tileiras/Remarks.h"

#include <csignal>
#include <cstdio>
#include <new>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

/// As NVIDIA's compiler exits.
enum ExitStatus {
  success = 0,
  wrongUsage = 1, ///< Also: the program cannot be read.
  unusable = 2,   ///< Options do not fit each other, or a file cannot be written.
  invalidProgram = 3,
  notCompiled = 5
};

static ExitStatus fail(const std::string &why, ExitStatus status) {
  std::fprintf(stderr, "%s%s", why.c_str(), why.ends_with('\n') ? "" : "\n");
  return status;
}

static ExitStatus writeTo(const std::string &name, const std::string &bytes) {
  Result<void> written = writeFile(name, bytes);
  return written ? success : fail(written.failure().message, unusable);
}

static ExitStatus print(const std::string &text) { return writeTo("-", text); }

static std::string textOf(FormatVersion version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

/// Clients cache compiled kernels per compiler version, so the version contains what determines the
/// code: the build ID, and for GPUs the assembler. The output for other devices is the same for all
/// of them.
static ExitStatus printVersion(Device device) {
  const Result<std::string> build = buildOfCompiler();
  const Result<std::string> assembler =
      device == Device::Gpu ? buildOfAssembler() : Result<std::string>(std::string());
  for (const Result<std::string> *known : {&build, &assembler})
    if (!*known)
      return fail("tileiras: error: " + known->failure().message, unusable);
  return print(std::string("tileiras: Tilewright ") + support::version + ", Tile IR " +
               textOf(oldestClientVersion) + " to " + textOf(newestClientVersion) + ", build " +
               *build + (device == Device::Gpu ? ", for GPUs: " + *assembler : "") + "\n");
}

static ExitStatus printFormatVersions() {
  static_assert(oldestClientVersion.major == newestClientVersion.major);
  std::string lines;
  for (FormatVersion version = oldestClientVersion; version <= newestClientVersion; ++version.minor)
    lines += textOf(version) + "\n";
  return print(lines);
}

//===-- Compiling ---------------------------------------------------------------------------===//

/// Prints the text of an answer, and returns the exit status that it leads to.
static ExitStatus statusOf(const Answer &answer) {
  if (answer.kind == Answer::Invalid)
    return fail(answer.text, invalidProgram);
  if (answer.kind == Answer::Failed)
    return fail(answer.text, notCompiled);
  std::fputs(answer.text.c_str(), stderr);
  return success;
}

/// The file for remarks exists whenever a client requests one. Compiling for other devices than
/// GPUs makes no remarks.
static ExitStatus writeRemarks(const RemarkOptions &options, const GpuCode &code) {
  if (!options.areWanted())
    return success;
  return writeTo(options.isYaml ? options.file : "-", print(code.remarks, code.kernel, options));
}

/// The output comes last: if it is there, all of it is.
static ExitStatus writeOutputs(const Options &options, const std::string &output,
                               const GpuCode &code) {
  if (ExitStatus status = writeRemarks(options.remarks, code))
    return status;
  return writeTo(options.output, output);
}

static ExitStatus compileForGpu(const Options &options, const std::string &program) {
  GpuCode code;
  if (ExitStatus status = statusOf(cuda::compileForGpu(program, options, code)))
    return status;
  return writeOutputs(options, code.bytes, code);
}

static ExitStatus compileForThisMachine(const Options &options, const std::string &program) {
  if (!hasNothingToCompile(program))
    if (ExitStatus status = statusOf(compile(program, options)))
      return status;
  return writeOutputs(options, toBytes({options.optimization, options.debugInfo, program}), {});
}

static ExitStatus compileFile(const Options &options) {
  if (Result<void> fitting = verify(options); !fitting)
    return fail("tileiras: error: " + fitting.failure().message, unusable);
  Result<std::string> program = readFile(options.input);
  if (!program)
    return fail(program.failure().message, wrongUsage);
  if (Result<void> known = verifyVersion(*program); !known)
    return fail(known.failure().at(options.input + ": error").message, invalidProgram);
  return options.device == Device::Gpu ? compileForGpu(options, *program)
                                       : compileForThisMachine(options, *program);
}

static ExitStatus run(std::span<char *const> words) {
  const Result<Device> device = deviceFromEnvironment();
  if (!device)
    return fail("tileiras: error: " + device.failure().message, wrongUsage);
  const Result<Options> options = parse(words, *device);
  if (!options)
    return fail("tileiras: error: " + options.failure().message, wrongUsage);
  switch (options->action) {
  case Options::Help:
    return print(helpText());
  case Options::Version:
    return printVersion(*device);
  case Options::FormatVersions:
    return printFormatVersions();
  case Options::Compilation:
    return compileFile(*options);
  }
  return unusable;
}

int main(int argc, char **argv) {
  occupyStandardStreams();
  // The client may ignore the ends of its processes; this one waits for the assembler's.
  std::signal(SIGCHLD, SIG_DFL);
  try {
    return run({argv + 1, size_t(argc > 0 ? argc - 1 : 0)});
  } catch (const std::bad_alloc &) {
    return fail("tileiras: out of memory", unusable);
  }
}
