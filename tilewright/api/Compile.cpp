// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compile.h.

#include "tilewright/api/Compile.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/api/code/CompileStage.h"
#include "tilewright/codegen/Remarks.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

Result<void> CodeOptions::verify() const {
  Result<AnyTarget> known = targetNamed(target);
  if (!known)
    return known.failure();
  if (optimization < 0 || optimization > 3)
    return Failure{"the optimization level must be in 0..3, but is " +
                   std::to_string(optimization)};
  const bool isGpu = std::holds_alternative<nvidia::Target>(*known);
  if (isGpu && isForCpus(stage))
    return Failure{"a GPU target has the stages tile, plan, threads, llvm, ptx and cubin"};
  if (!isGpu && isForGpus(stage))
    return Failure{"only GPU targets (sm_NN) have the stages threads, ptx and cubin"};
  if (isGpu && debugInfo)
    return Failure{"only CPU targets have debug information"};
  return {};
}

static StageOptions stageOptionsOf(const CodeOptions &options) {
  const auto level = codegen::OptLevel(options.optimization);
  const AnyTarget target = *targetNamed(options.target);
  if (const auto *gpu = std::get_if<nvidia::Target>(&target))
    return {options.stage, nvidia::CompileOptions{*gpu, level}};
  cpu::CompileOptions compile{std::get<cpu::Target>(target), level};
  compile.debugInfo = options.debugInfo;
  compile.launchers = options.stage >= Stage::Loops;
  return {options.stage, compile};
}

Result<Code> api::compileTo(const Module &module, const CodeOptions &options) {
  if (Result<void> known = options.verify(); !known)
    return known.failure();
  ModuleState &state = *module.state;
  std::lock_guard lock(state.mutex);
  std::optional<codegen::Remarks> remarks;
  if (options.remarks)
    remarks.emplace();
  Result<Code> code = compileTo(state.module, stageOptionsOf(options));
  if (code && remarks)
    code->remarks = remarks->text();
  (void)state.takeFailure(nullptr);
  return code;
}
