// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compile.h.

#include "tools/cuda/Compile.h"

using namespace tilewright;
using namespace tilewright::cuda;

/// Adds the text of the diagnostics to the answer, and consumes them. A failure replaces the text,
/// and makes the answer `ifFailed`. Returns whether there is none.
static bool add(const Api &api, twStatus status, twDiagnostics *diagnostics, Answer::Kind ifFailed,
                Answer &answer) {
  const std::string text = api.twDiagnosticsText(diagnostics);
  api.twDiagnosticsDestroy(diagnostics);
  if (status != TW_SUCCESS)
    answer = {ifFailed, text};
  else
    answer.text += text;
  return status == TW_SUCCESS;
}

namespace {
/// A verified program; null if it is invalid, which the answer then says.
class Module {
public:
  Module(const Api &api, const Program &program, Answer &answer) : api(api) {
    twContext *context = api.twContextCreate();
    twDiagnostics *diagnostics = nullptr;
    const twStatus status = api.twModuleRead(context, program.bytes.data(), program.bytes.size(),
                                             program.name.c_str(), &module, &diagnostics);
    api.twContextDestroy(context);
    add(api, status, diagnostics, Answer::Invalid, answer);
  }
  ~Module() { api.twModuleDestroy(module); }
  Module(const Module &) = delete;

  const twModule *get() const { return module; }

private:
  const Api &api;
  twModule *module = nullptr;
};
} // namespace

static void compileEntries(const Api &api, const twModule *module, const Program &program,
                           Answer &answer) {
  twCompileOptions options = {};
  options.size = sizeof options;
  options.optimization = twOptimization(TW_O0 + program.optimization);
  options.debugInfo = program.debugInfo;
  for (size_t i = 0; i < api.twModuleEntryCount(module); ++i) {
    twKernelHandle *kernel = nullptr;
    twDiagnostics *diagnostics = nullptr;
    const twStatus status =
        api.twKernelCompile(api.twModuleEntry(module, i), &options, &kernel, &diagnostics);
    api.twKernelDestroy(kernel);
    if (!add(api, status, diagnostics, Answer::Failed, answer))
      return;
  }
}

Answer cuda::compile(const Api &api, const Program &program) {
  Answer answer;
  const Module module(api, program, answer);
  if (module.get() && !program.verifiesOnly)
    compileEntries(api, module.get(), program, answer);
  return answer;
}

static GpuCode codeOf(const Api &api, const twCode *compiled) {
  GpuCode code;
  code.bytes.assign(static_cast<const char *>(api.twCodeBytes(compiled)), api.twCodeSize(compiled));
  code.remarks = api.twCodeRemarks(compiled);
  if (api.twCodeKernelCount(compiled) == 1) {
    twCompiledKernel kernel = {};
    kernel.size = sizeof kernel;
    api.twCodeKernel(compiled, 0, &kernel);
    code.kernel = kernel.name;
  }
  return code;
}

Answer cuda::compileForGpu(const Api &api, const Program &program, const GpuOptions &options,
                           GpuCode &code) {
  Answer answer;
  const Module module(api, program, answer);
  if (!module.get())
    return answer;
  twCodeOptions how = {};
  how.size = sizeof how;
  how.stage = options.isCubin ? TW_STAGE_CUBIN : TW_STAGE_PTX;
  how.target = options.target.c_str();
  how.optimization = twOptimization(TW_O0 + program.optimization);
  how.remarks = options.remarks;
  twCode *compiled = nullptr;
  twDiagnostics *diagnostics = nullptr;
  const twStatus status = api.twModuleCompile(module.get(), &how, &compiled, &diagnostics);
  if (add(api, status, diagnostics, Answer::Failed, answer))
    code = codeOf(api, compiled);
  api.twCodeDestroy(compiled);
  return answer;
}
