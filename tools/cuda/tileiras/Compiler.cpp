// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compiler.h.

#include "tools/cuda/tileiras/Compiler.h"
#include "tilewright/runtime/CudaToolkit.h"
#include "tools/cuda/Service.h"

#include <cstdio>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

static fs::path library() {
  std::error_code error;
  return libraryFile(fs::canonical("/proc/self/exe", error).parent_path());
}

Result<std::string> cuda::buildOfCompiler() { return buildOf(library()); }

//===-- The assembler -----------------------------------------------------------------------===//

/// The word as the shell reads it.
static std::string quoted(const std::string &word) {
  std::string quoted = "'";
  for (char letter : word)
    quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

/// Ask the program, because the file may be a script that starts another one.
Result<std::string> cuda::buildOfAssembler() {
  const Result<std::string> assembler = runtime::findAssembler();
  if (!assembler)
    return std::string("PTX text");
  FILE *pipe = popen((quoted(*assembler) + " --version 2>/dev/null").c_str(), "r");
  std::string printed;
  for (int byte; pipe && (byte = std::fgetc(pipe)) != EOF;)
    printed += char(byte);
  if (!pipe || pclose(pipe) != 0 || printed.find_first_not_of('\n') == std::string::npos)
    return Failure{*assembler + " --version fails, so that it cannot assemble code for the GPU"};
  printed.erase(printed.find_last_not_of('\n') + 1);
  return *assembler + ", " + printed.substr(printed.rfind('\n') + 1);
}

//===-- Compiling ---------------------------------------------------------------------------===//

/// None if the parent does not compile for others, or ended before it answered.
static std::optional<Answer> compileInParent(const Program &program) {
  const Socket parent = connectTo(getppid());
  if (!parent)
    return std::nullopt;
  const Result<std::string> build = buildOfCompiler();
  if (!build || !send(parent, *build, program))
    return std::nullopt;
  return receiveAnswer(parent);
}

static Program programOf(const std::string &bytes, const Options &options) {
  return {bytes, options.input, options.optimization, options.debugInfo};
}

static Answer cannotLoad(const Result<Api> &api) {
  return {Answer::Failed, api.failure().at("tileiras: error").message};
}

Answer cuda::compile(const std::string &bytes, const Options &options) {
  Program program = programOf(bytes, options);
  program.verifiesOnly = options.device == Device::Machine;
  if (std::optional<Answer> answer = compileInParent(program))
    return *answer;
  const Result<Api> api = load(library());
  return api ? compile(*api, program) : cannotLoad(api);
}

Answer cuda::compileForGpu(const std::string &bytes, const Options &options, GpuCode &code) {
  const Result<Api> api = load(library());
  if (!api)
    return cannotLoad(api);
  const GpuOptions how = {options.processor, bool(runtime::findAssembler()),
                          options.remarks.areWanted()};
  return compileForGpu(*api, programOf(bytes, options), how, code);
}
