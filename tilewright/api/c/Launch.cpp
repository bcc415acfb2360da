// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twLaunchHandle: a kernel with a grid and arguments, which can be run and cancelled.

#include "tilewright/api/c/Common.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/runtime/Faults.h"

using namespace tilewright;
using namespace tilewright::api::c;
using numerics::Format;
using support::Failure;
using support::Result;

/// The maximum depth of links: an array that links to itself would otherwise recurse forever.
static constexpr int mostLevels = 8;

static Result<api::Array> arrayOf(const twArray &given, int level = 0);

static Result<void> addLinks(api::Array &array, const twArray &given, int level) {
  if (given.linkCount && !given.links)
    return Failure{"the links of the array are null"};
  if (given.linkCount && level == mostLevels)
    return Failure{"links lead to links more than " + std::to_string(mostLevels) + " times"};
  for (size_t i = 0; i < given.linkCount; ++i) {
    const std::string place = "link " + std::to_string(i + 1);
    if (!given.links[i].array)
      return Failure{place + ": the array is null"};
    Result<api::Array> target = arrayOf(*given.links[i].array, level + 1);
    if (!target)
      return target.failure().at(place);
    if (Result<void> made = array.link(given.links[i].element, std::move(*target)); !made)
      return made.failure().at(place);
  }
  return {};
}

static Result<api::Array> arrayOf(const twArray &given, int level) {
  Result<twArray> array = readStruct(&given, "array");
  if (!array)
    return array.failure();
  Result<Format> format = formatOf(array->element);
  if (!format)
    return format.failure();
  if (array->rank && !array->shape)
    return Failure{"the shape of the array is null"};
  Result<api::Array> made = api::Array::create(array->data, *format, {array->shape, array->rank},
                                               {array->strides, array->strides ? array->rank : 0});
  if (!made)
    return made;
  made->isInitialised = !array->isUninitialised;
  if (array->name)
    made->name = array->name;
  if (Result<void> linked = addLinks(*made, *array, level); !linked)
    return linked.failure();
  return made;
}

static Result<api::Argument> multicastOf(const twArray *arrays, uint64_t count) {
  if (!arrays && count)
    return Failure{"the arrays of multicast memory are null"};
  api::Multicast multicast;
  const auto *next = reinterpret_cast<const char *>(arrays);
  for (uint64_t i = 0; i < count; ++i) {
    const auto &given = *reinterpret_cast<const twArray *>(next);
    next += given.size; // the caller's struct may have another size than ours
    Result<api::Array> array = arrayOf(given);
    if (!array)
      return array.failure().at("copy " + std::to_string(i));
    multicast.copies.push_back(std::move(*array));
  }
  return api::Argument(std::move(multicast));
}

static Result<api::Argument> argumentOf(const twArgument &given) {
  if (given.element == TW_MULTICAST)
    return multicastOf(given.array, given.bits);
  if (given.array) {
    Result<api::Array> array = arrayOf(*given.array);
    if (!array)
      return array.failure();
    return api::Argument(std::move(*array));
  }
  if (given.element == TW_ADDRESS)
    return api::Argument(api::Address{reinterpret_cast<void *>(uintptr_t(given.bits))});
  Result<Format> format = formatOf(given.element);
  if (!format)
    return format.failure();
  const auto *bytes = reinterpret_cast<const uint8_t *>(&given.bits);
  return api::Argument(numerics::load(bytes, 0, *format));
}

static Result<std::vector<api::Argument>> argumentsOf(const twArgument *arguments, size_t count) {
  if (!arguments && count)
    return Failure{"the arguments are null"};
  std::vector<api::Argument> all;
  all.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Result<api::Argument> argument = argumentOf(arguments[i]);
    if (!argument)
      return argument.failure().at("argument " + std::to_string(i + 1));
    all.push_back(std::move(*argument));
  }
  return all;
}

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
  const auto extent = [&](int i) { return options->grid[i] ? options->grid[i] : 1; };
  Result<runtime::Grid> grid = runtime::Grid::create(extent(0), extent(1), extent(2));
  if (!grid)
    return grid.failure();
  Result<std::vector<api::Argument>> all = argumentsOf(arguments, count);
  if (!all)
    return all.failure();
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
  return api::Launch::create(kernel, *grid, std::move(*all), known);
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

static twStatus statusOf(api::Outcome outcome) {
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
