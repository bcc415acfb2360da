// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a compiled run go? The program is compiled, or taken from the cache, and loaded
// into this process; the runtime launches it over the arrays, which it reads and writes where
// they are.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/runtime/Threads.h"
#include "tools/tilewright/run/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::tools;
using api::CompiledEntry;
using support::Result;

/// A slot per parameter (runtime/Kernel.h).
static std::vector<uint64_t> slotsFor(Arguments &arguments) {
  std::vector<uint64_t> slots;
  for (const BoundValue &value : arguments.values) {
    if (value.array)
      slots.push_back(api::slotFor(arguments.arrays[*value.array].storage().bytes()));
    else
      slots.push_back(api::slotFor(value.scalar));
  }
  return slots;
}

static Result<CompiledEntry> compile(const PreparedRun &run, const cpu::Target &target) {
  const CpuOptions &options = run.options.cpu;
  cpu::CompileOptions compileOptions;
  compileOptions.target = target;
  compileOptions.level = options.level;
  compileOptions.debugInfo = options.debugInfo;
  std::optional<codegen::Cache> cache;
  if (options.useCache)
    cache = codegen::Cache::usual();
  std::optional<cpu::Remarks> remarks;
  if (options.remarks)
    remarks.emplace();
  Result<CompiledEntry> compiled =
      CompiledEntry::compile(run.entry, compileOptions, cache ? &*cache : nullptr);
  if (remarks)
    run.err << remarks->text();
  return compiled;
}

/// Assertions that failed are told as the reference machine tells them.
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
  Result<int> threads =
      run.options.cpu.threads ? run.options.cpu.threads : runtime::defaultThreads();
  if (!threads)
    return run.unusable(threads.failure());
  Result<CompiledEntry> compiled = compile(run, *target);
  if (!compiled)
    return run.failed(compiled.failure());

  runtime::TextSink output = [&](std::string_view text) { run.out << llvm::StringRef(text); };
  runtime::LaunchOptions options;
  options.threads = *threads;
  options.output = &output;
  Result<runtime::LaunchResult> result =
      compiled->launch(run.grid, slotsFor(run.arguments), options);
  if (!result)
    return run.failed(result.failure());
  tell(*result, run.err);
  return result->succeeded() ? run.finish() : RunStatus::Failed;
}
