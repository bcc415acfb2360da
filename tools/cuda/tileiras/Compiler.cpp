// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compiler.h.

#include "tools/cuda/tileiras/Compiler.h"
#include "tools/cuda/Service.h"

#include <cstdio>
#include <cstdlib>
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

/// The machines prepare the program themselves, when the driver loads it.
static bool isForMachine() {
  const char *device = std::getenv("TILEWRIGHT_DEVICE");
  return device && (std::string_view(device) == "reference" || std::string_view(device) == "ptx");
}

/// None if the parent does not compile for others, or ended before it answered.
static std::optional<Result<std::string>> compileInParent(const Program &program) {
  const Socket parent = connectTo(getppid());
  if (!parent)
    return std::nullopt;
  const Result<std::string> build = buildOfCompiler();
  if (!build || !send(parent, *build, program))
    return std::nullopt;
  return receiveAnswer(parent);
}

static Result<std::string> compileInProcess(const Program &program) {
  Result<Api> api = load(library());
  if (!api)
    return api.failure().at("tileiras: error");
  return compile(*api, program);
}

Result<void> cuda::compile(const std::string &bytes, const Options &options) {
  const Program program = {bytes, options.input, options.optimization, options.debugInfo,
                           isForMachine()};
  std::optional<Result<std::string>> messages = compileInParent(program);
  if (!messages)
    messages = compileInProcess(program);
  if (!*messages)
    return messages->failure();
  std::fputs((*messages)->c_str(), stderr);
  return {};
}
