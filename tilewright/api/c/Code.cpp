// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twCode: a module compiled to text or bytes.

#include "tilewright/api/Compile.h"
#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

struct twCode {
  tilewright::api::Code code;
};

static std::optional<api::Stage> stageOf(twStage stage) {
  switch (stage) {
  case TW_STAGE_TILE:
    return api::Stage::Tile;
  case TW_STAGE_PLAN:
    return api::Stage::Plan;
  case TW_STAGE_THREADS:
    return api::Stage::Threads;
  case TW_STAGE_LOOPS:
    return api::Stage::Loops;
  case TW_STAGE_LLVM:
    return api::Stage::Llvm;
  case TW_STAGE_PTX:
    return api::Stage::Ptx;
  case TW_STAGE_CUBIN:
    return api::Stage::Cubin;
  case TW_STAGE_ASSEMBLY:
    return api::Stage::Assembly;
  case TW_STAGE_OBJECT:
    return api::Stage::Object;
  case TW_STAGE_SHARED_LIBRARY:
    return api::Stage::SharedLibrary;
  }
  return std::nullopt;
}

static Result<api::CodeOptions> optionsOf(const twCodeOptions *given) {
  Result<twCodeOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  const std::optional<api::Stage> stage = stageOf(options->stage);
  if (!stage)
    return Failure{"there is no stage " + std::to_string(int(options->stage))};
  api::CodeOptions known;
  known.stage = *stage;
  if (options->target)
    known.target = options->target;
  if (options->optimization)
    known.optimization = int(options->optimization) - TW_O0;
  known.debugInfo = options->debugInfo;
  known.remarks = options->remarks;
  if (Result<void> verified = known.verify(); !verified)
    return verified.failure();
  return known;
}

twStatus twModuleCompile(const twModule *module, const twCodeOptions *options, twCode **code,
                         twDiagnostics **diagnostics) {
  if (code)
    *code = nullptr;
  if (!module)
    return wrongUsage("twModuleCompile: the module is null", diagnostics);
  if (!code)
    return wrongUsage("twModuleCompile: there is no place for the code", diagnostics);
  Result<api::CodeOptions> known = optionsOf(options);
  if (!known)
    return wrongUsage("twModuleCompile: " + known.failure().message, diagnostics);
  Result<api::Code> compiled = api::compileTo(module->module, *known);
  if (!compiled)
    return fail(TW_FAILED, compiled.failure().message, diagnostics);
  report({}, diagnostics);
  *code = new twCode{std::move(*compiled)};
  return TW_SUCCESS;
}

void twCodeDestroy(twCode *code) { delete code; }

const void *twCodeBytes(const twCode *code) { return code ? code->code.contents.c_str() : nullptr; }

size_t twCodeSize(const twCode *code) { return code ? code->code.contents.size() : 0; }

const char *twCodeRemarks(const twCode *code) { return code ? code->code.remarks.c_str() : ""; }

size_t twCodeKernelCount(const twCode *code) { return code ? code->code.kernels.size() : 0; }

twStatus twCodeKernel(const twCode *code, size_t index, twCompiledKernel *kernel) {
  if (!kernel || index >= twCodeKernelCount(code))
    return TW_USAGE;
  const api::CompiledKernel &found = code->code.kernels[index];
  twCompiledKernel known = {};
  known.name = found.name.c_str();
  known.threads = found.threads;
  known.sharedBytes = found.sharedBytes;
  return fillStruct(kernel, known);
}
