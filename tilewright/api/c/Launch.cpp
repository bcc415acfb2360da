// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twLaunchHandle: a kernel with a grid and arguments, which can be run and cancelled.

#include "tilewright/api/c/Common.h"
#include "tilewright/runtime/Faults.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

/// Passes records to the function of the caller.
static std::function<void(const api::TraceRecord &)> receiverOf(const twLaunchOptions &options) {
  return [receive = options.trace, context = options.traceContext](const api::TraceRecord &record) {
    twTraceRecord known = {};
    known.size = sizeof known;
    known.place = placeOf(record.place);
    std::copy(record.block.begin(), record.block.end(), known.block);
    known.thread = record.thread.value_or(-1);
    known.operation = record.operation.c_str();
    known.text = record.text.c_str();
    receive(context, &known);
  };
}

static Result<api::TraceOptions> traceOf(const twLaunchOptions &options) {
  api::TraceOptions trace;
  if (options.trace)
    trace.receive = receiverOf(options);
  if (options.traceBlockCount && !options.traceBlocks)
    return Failure{"traceBlocks is null"};
  for (size_t i = 0; i < options.traceBlockCount; ++i)
    trace.blocks.push_back(std::to_array(options.traceBlocks[i]));
  if (options.traceOperationCount && !options.traceOperations)
    return Failure{"traceOperations is null"};
  for (size_t i = 0; i < options.traceOperationCount; ++i) {
    if (!options.traceOperations[i])
      return Failure{"an operation to trace is null"};
    trace.operations.push_back(options.traceOperations[i]);
  }
  return trace;
}

static Result<api::Launch> bind(const api::Kernel &kernel, const twLaunchOptions *given,
                                const twArgument *arguments, size_t count) {
  Result<twLaunchOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  Result<GridAndArguments> on = GridAndArguments::of(options->grid, arguments, count);
  if (!on)
    return on.failure();
  api::LaunchOptions known;
  known.threads = options->threads;
  if (options->print)
    known.output = [print = options->print, context = options->printContext](
                       std::string_view text) { print(context, text.data(), text.size()); };
  if (options->report)
    known.report = options->report->report;
  known.stream = options->stream;
  Result<api::TraceOptions> trace = traceOf(*options);
  if (!trace)
    return trace.failure();
  known.trace = *std::move(trace);
  if (options->dependent)
    known.dependent = options->dependent->kernel;
  return api::Launch::create(kernel, on->grid, std::move(on->arguments), known);
}

twStatus twLaunchCreate(const twKernelHandle *kernel, const twLaunchOptions *options,
                        const twArgument *arguments, size_t argumentCount, twLaunchHandle **launch,
                        twDiagnostics **diagnostics) {
  if (launch)
    *launch = nullptr;
  if (!kernel)
    return wrongUsage("twLaunchCreate: the kernel is null", diagnostics);
  if (!launch)
    return wrongUsage("twLaunchCreate: there is no place for the launch", diagnostics);
  Result<api::Launch> made = bind(kernel->kernel, options, arguments, argumentCount);
  if (!made)
    return wrongUsage("twLaunchCreate: " + made.failure().message, diagnostics);
  report({}, diagnostics);
  *launch = new twLaunchHandle{std::move(*made), {}};
  return TW_SUCCESS;
}

twStatus api::c::statusOf(api::Outcome outcome) {
  switch (outcome) {
  case api::Outcome::Succeeded:
    return TW_SUCCESS;
  case api::Outcome::Failed:
    return TW_FAILED;
  case api::Outcome::Misbehaved:
    return TW_MISBEHAVED;
  case api::Outcome::Cancelled:
    return TW_CANCELLED;
  }
  llvm_unreachable("all outcomes are listed");
}

/// The findings as text.
static std::string textOf(const api::LaunchResult &result) {
  std::string text;
  for (const api::Finding &finding : result.findings)
    text += finding.text + "\n";
  if (result.unlistedFindings)
    text += "... and " + std::to_string(result.unlistedFindings) + " more\n";
  if (result.exploration && !result.exploration->limit.empty())
    text += "not all executions were explored: " + result.exploration->limit + "\n";
  return text;
}

twStatus twLaunchRun(twLaunchHandle *launch, twDiagnostics **diagnostics) {
  if (!launch)
    return wrongUsage("twLaunchRun: the launch is null", diagnostics);
  launch->result = {};
  Result<api::LaunchResult> result = launch->launch.run();
  if (!result)
    return fail(TW_FAILED, result.failure().message, diagnostics);
  launch->result = std::move(*result);
  const api::Outcome outcome = launch->result.outcome;
  std::string text = textOf(launch->result);
  if (outcome == api::Outcome::Cancelled)
    text += "the launch was cancelled\n";
  report({{}, std::move(text)}, diagnostics);
  return statusOf(outcome);
}

int64_t twLaunchBlocksDone(const twLaunchHandle *launch) {
  return launch ? launch->launch.blocksDone().value_or(-1) : -1;
}

const char *twLaunchCounters(const twLaunchHandle *launch) {
  return launch && !launch->result.counters.empty() ? launch->result.counters.c_str() : nullptr;
}

void twLaunchCancel(twLaunchHandle *launch) {
  if (launch)
    launch->launch.cancel();
}

void twReportFaults(const char *advice) {
  if (advice)
    runtime::reportFaults(advice);
}

void twLaunchDestroy(twLaunchHandle *launch) { delete launch; }
