// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CompileStage.h.

#include "tilewright/api/code/CompileStage.h"
#include "tilewright/api/RuntimeLibrary.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

//===-- Targets and stages ------------------------------------------------------------------===//

template <typename Target> static Result<AnyTarget> any(Result<Target> target) {
  if (!target)
    return target.failure();
  return AnyTarget(*std::move(target));
}

Result<AnyTarget> api::targetNamed(std::string_view name) {
  const llvm::StringRef text = name;
  if (text.starts_with("sm_"))
    return any(nvidia::Target::named(name));
  const auto [device, cpu] = text.split('=');
  if (device != "cpu" || (text.contains('=') && cpu.empty()))
    return Failure{"expected cpu, cpu=NAME or sm_NN, but got '" + text.str() + "'"};
  return any(cpu::Target::named(cpu.empty() ? "native" : cpu.str()));
}

bool api::isForGpus(Stage stage) { return stage >= Stage::Threads && stage <= Stage::Cubin; }

bool api::isForCpus(Stage stage) { return stage == Stage::Loops || stage >= Stage::Assembly; }

static cpu::Stage cpuStageOf(Stage stage) {
  switch (stage) {
  case Stage::Tile:
    return cpu::Stage::Tile;
  case Stage::Plan:
    return cpu::Stage::Plan;
  case Stage::Loops:
    return cpu::Stage::Loops;
  case Stage::Llvm:
    return cpu::Stage::Llvm;
  case Stage::Assembly:
    return cpu::Stage::Assembly;
  case Stage::Object:
  case Stage::SharedLibrary:
    return cpu::Stage::Object;
  default:
    llvm_unreachable("a stage that CPUs have");
  }
}

static nvidia::Stage gpuStageOf(Stage stage) {
  switch (stage) {
  case Stage::Tile:
    return nvidia::Stage::Tile;
  case Stage::Plan:
    return nvidia::Stage::Plan;
  case Stage::Threads:
    return nvidia::Stage::Threads;
  case Stage::Llvm:
    return nvidia::Stage::Llvm;
  case Stage::Ptx:
    return nvidia::Stage::Ptx;
  case Stage::Cubin:
    return nvidia::Stage::Cubin;
  default:
    llvm_unreachable("a stage that GPUs have");
  }
}

//===-- Compiling ---------------------------------------------------------------------------===//

static Result<std::string> link(std::string_view object, const StageOptions &options,
                                cpu::LinkFailure *why) {
  const auto &compile = std::get<cpu::CompileOptions>(options.compile);
  cpu::LinkOptions link{{}, options.libraryName, compile.sanitize};
  if (compile.target.isForThisArchitecture()) {
    Result<std::filesystem::path> runtime = findRuntimeLibrary();
    if (!runtime)
      return runtime.failure();
    link.runtime = *runtime;
  }
  return cpu::linkLibrary(object, compile.target, link, why);
}

static std::vector<CompiledKernel> kernelsOf(tile::ModuleOp module) {
  std::vector<CompiledKernel> kernels;
  for (auto entry : module.getBody().getOps<tile::EntryOp>())
    kernels.push_back({entry.getSymName().str()});
  return kernels;
}

static Result<Code> compileForGpu(tile::ModuleOp module, Stage stage,
                                  const nvidia::CompileOptions &options) {
  Result<nvidia::CompiledCode> compiled = nvidia::compileTo(gpuStageOf(stage), module, options);
  if (!compiled)
    return compiled.failure();
  Code code{std::move(compiled->code), std::move(compiled->kernels)};
  if (code.kernels.empty())
    code.kernels = kernelsOf(module);
  return code;
}

Result<Code> api::compileTo(tile::ModuleOp module, const StageOptions &options,
                            cpu::LinkFailure *why) {
  if (const auto *gpu = std::get_if<nvidia::CompileOptions>(&options.compile))
    return compileForGpu(module, options.stage, *gpu);
  Result<std::string> code = cpu::compileTo(cpuStageOf(options.stage), module,
                                            std::get<cpu::CompileOptions>(options.compile));
  if (code && options.stage == Stage::SharedLibrary)
    code = link(*code, options, why);
  if (!code)
    return code.failure();
  return Code{*std::move(code), kernelsOf(module)};
}
