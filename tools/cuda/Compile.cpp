// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compile.h.

#include "tools/cuda/Compile.h"

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

/// Consumes the diagnostics and returns their text; a failure with this text if the status is one.
static Result<std::string> textOf(const Api &api, twStatus status, twDiagnostics *diagnostics) {
  std::string text = api.twDiagnosticsText(diagnostics);
  api.twDiagnosticsDestroy(diagnostics);
  if (status != TW_SUCCESS)
    return Failure{std::move(text)};
  return text;
}

static Result<std::string> compileEntries(const Api &api, const twModule *module,
                                          const Program &program) {
  twCompileOptions options = {};
  options.size = sizeof options;
  options.optimization = twOptimization(TW_O0 + program.optimization);
  options.debugInfo = program.debugInfo;
  std::string said;
  for (size_t i = 0; i < api.twModuleEntryCount(module); ++i) {
    twKernelHandle *kernel = nullptr;
    twDiagnostics *diagnostics = nullptr;
    const twStatus status =
        api.twKernelCompile(api.twModuleEntry(module, i), &options, &kernel, &diagnostics);
    api.twKernelDestroy(kernel);
    Result<std::string> text = textOf(api, status, diagnostics);
    if (!text)
      return text;
    said += *text;
  }
  return said;
}

Result<std::string> cuda::compile(const Api &api, const Program &program) {
  twContext *context = api.twContextCreate();
  twModule *module = nullptr;
  twDiagnostics *diagnostics = nullptr;
  const twStatus status = api.twModuleRead(context, program.bytes.data(), program.bytes.size(),
                                           program.name.c_str(), &module, &diagnostics);
  api.twContextDestroy(context);
  Result<std::string> said = textOf(api, status, diagnostics);
  if (!said || program.verifiesOnly)
    return api.twModuleDestroy(module), said;
  Result<std::string> more = compileEntries(api, module, program);
  api.twModuleDestroy(module);
  if (!more)
    return more;
  return *said + *more;
}
