// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright run --device ptx`: compiles the program for a GPU and runs it on the PTX machine.

#include "tilewright/api/PtxFindings.h"
#include "tilewright/api/devices/PtxEntry.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/report/Place.h"
#include "tools/tilewright/WriteReports.h"
#include "tools/tilewright/ptx/Watch.h"
#include "tools/tilewright/run/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::tools;
using api::PtxEntry;
using support::Result;

static Result<std::unique_ptr<const PtxEntry>> compile(const PreparedRun &run) {
  nvidia::CompileOptions options = run.options.ptx.compile;
  options.target.use(run.options.ptx.sharedMemory);
  // With counters, compile without checks of assumptions: a GPU would not execute them.
  options.checksAssumptions = run.options.ptx.watch.counters.empty();
  codegen::PrintedRemarks remarks(run.options.remarks, run.err);
  return PtxEntry::compile(run.entry, options, run.file);
}

static RunStatus statusOf(api::Outcome outcome) {
  return outcome == api::Outcome::Succeeded    ? RunStatus::Succeeded
         : outcome == api::Outcome::Misbehaved ? RunStatus::Misbehaved
                                               : RunStatus::Failed;
}

static Result<void> writeReports(const PreparedRun &run, const api::PtxRunResult &ran,
                                 RunStatus status) {
  report::Report report{run.file, api::ptxRulesAtSource(), ran.findings};
  report.unlistedFindings = int64_t(ran.unlistedFindings);
  report.exitStatus = int(status);
  report.ranToItsEnd = llvm::none_of(ran.findings, [](const report::Finding &finding) {
    return finding.kind == report::FindingKind::StepLimit;
  });
  report.runAsJson =
      llvm::json::Object{{"kernel", report::jsonText(tile::EntryOp(run.entry).getSymName())},
                         {"grid", llvm::json::Array{run.grid.x(), run.grid.y(), run.grid.z()}},
                         {"target", run.options.ptx.compile.target.cpu},
                         {"steps", int64_t(ran.steps)}};
  addScheduleTo(report.runAsJson, run.options.ptx.schedule);
  report.runAsSarif = report.runAsJson;
  const std::string text = api::textOf(ran.findings, ran.unlistedFindings);
  run.err << toString(report, formatOnStandardError(run.options.reports), text);
  return writeReportFiles(report, text, run.options.reports);
}

RunStatus tools::runOnPtx(const PreparedRun &run) {
  if (Result<void> supported = run.verifyForGpuCode("ptx"); !supported)
    return run.unusable(supported.failure());
  auto entry = compile(run);
  if (!entry)
    return run.failed(entry.failure());
  Result<std::vector<api::Argument>> arguments = run.arguments.forLibrary();
  if (!arguments)
    return run.unusable(arguments.failure());
  Result<std::unique_ptr<PtxWatch>> watch =
      PtxWatch::create((*entry)->program(), (*entry)->textName(), run.options.ptx.watch);
  if (!watch)
    return run.unusable(watch.failure());

  Result<void> watched;
  api::PtxRunOptions options;
  options.schedule = run.options.ptx.schedule;
  options.checks = run.options.ptx.checks;
  options.output = [&](std::string_view text) { run.out << llvm::StringRef(text); };
  options.begin = [&](ptx::Machine &machine) { (*watch)->attach(machine); };
  options.end = [&](const ptx::Machine &machine) { watched = (*watch)->finish(machine); };
  Result<api::PtxRunResult> ran = (*entry)->run(run.grid, *arguments, options);
  if (!ran)
    return run.failed(ran.failure());
  if (!watched)
    return run.unusable(watched.failure());
  const RunStatus status = statusOf(ran->outcome);
  if (Result<void> reported = writeReports(run, *ran, status); !reported)
    return run.unusable(reported.failure());
  return status == RunStatus::Succeeded ? run.finish() : status;
}
