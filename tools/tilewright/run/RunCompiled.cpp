// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright run --device cpu`: compiles the program, or takes it from the compile cache, loads
// the code into this process, and launches it on the arrays, in place.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/runtime/Faults.h"
#include "tilewright/runtime/Threads.h"
#include "tools/tilewright/run/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::tools;
using api::CompiledEntry;
using support::Result;

static Result<CompiledEntry> compile(const PreparedRun &run, tile::EntryOp entry,
                                     const cpu::Target &target) {
  const CpuOptions &options = run.options.cpu;
  cpu::CompileOptions compileOptions;
  compileOptions.target = target;
  compileOptions.level = options.level;
  compileOptions.debugInfo = options.debugInfo;
  std::optional<codegen::Cache> cache;
  if (options.useCache)
    cache = codegen::Cache::inDefaultFolder();
  codegen::PrintedRemarks remarks(run.options.remarks, run.err);
  return CompiledEntry::compile(entry, compileOptions, cache ? &*cache : nullptr);
}

/// Prints failed assertions in the format of the reference machine.
static void tell(const runtime::LaunchResult &result, llvm::raw_ostream &err) {
  for (const runtime::FailedAssert &failed : result.failedAsserts)
    err << runtime::toString(failed) << "\n";
  if (result.unlistedAsserts)
    err << "... and " << result.unlistedAsserts << " more\n";
}

RunStatus tools::runCompiled(const PreparedRun &run) {
  Result<cpu::Target> target = api::targetForThisMachine(run.options.cpu.target);
  if (!target)
    return run.unusable(target.failure());
  for (const std::string &text : run.options.cpu.tuning)
    if (auto set = codegen::setThreshold(target->tuning, cpu::thresholds(), text); !set)
      return run.unusable(set.failure());
  Result<int> threads =
      run.options.cpu.threads ? run.options.cpu.threads : runtime::defaultThreads();
  if (!threads)
    return run.unusable(threads.failure());
  Result<CompiledEntry> compiled = compile(run, run.entry, *target);
  if (!compiled)
    return run.failed(compiled.failure());
  std::optional<CompiledEntry> dependent;
  if (run.dependent) {
    Result<CompiledEntry> second = compile(run, run.dependent, *target);
    if (!second)
      return run.failed(second.failure());
    dependent.emplace(*std::move(second));
  }

  Result<std::vector<api::Argument>> arguments = run.arguments.forLibrary();
  if (!arguments)
    return run.unusable(arguments.failure());
  Result<api::Slots> slots = api::Slots::of(*arguments);
  if (!slots)
    return run.failed(slots.failure());
  runtime::reportFaults("run it with --check all to see where that is", runtime::Suspects::Kernels);
  runtime::TextSink output = [&](std::string_view text) { run.out << llvm::StringRef(text); };
  runtime::LaunchOptions options;
  options.threads = *threads;
  options.output = &output;
  Result<runtime::LaunchResult> result = compiled->launch(run.grid, slots->values, options);
  if (!result)
    return run.failed(result.failure());
  tell(*result, run.err);
  // The first launch has ended, so the dependent one need not wait.
  if (dependent && result->succeeded()) {
    result = dependent->launch(run.grid, slots->values, options);
    if (!result)
      return run.failed(result.failure());
    tell(*result, run.err);
  }
  return result->succeeded() ? run.finish() : RunStatus::Failed;
}
