// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Watch.h.

#include "tools/tilewright/ptx/Watch.h"
#include "Options.h"
#include "tilewright/api/PtxCounters.h"
#include "tools/WriteFile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

//===-- Options -----------------------------------------------------------------------------===//

std::vector<std::string> tools::ptxCheckNames() {
  std::vector<std::string> names = {"all", "none"};
  for (ptx::Check check : ptx::optionalChecks())
    names.emplace_back(ptx::ruleOf(check).id);
  return names;
}

void tools::addScheduleTo(llvm::json::Object &run, const ptx::Schedule &schedule) {
  const bool isRandom = schedule.order == ptx::Order::Random;
  run["schedule"] = isRandom ? "random" : schedule.order == ptx::Order::Up ? "up" : "down";
  run["seed"] = isRandom ? llvm::json::Value(schedule.seed) : llvm::json::Value(nullptr);
}

void tools::addPtxCounters(Command command, PtxWatchOptions &options) {
  command.addFileFlag("--counters", options.counters,
                      "print performance counters by source line, to standard error; "
                      "--counters=FILE: to a file, as JSON (.json) or else text");
}

void tools::addPtxTrace(Command command, PtxWatchOptions &options) {
  Option trace = command.addFileFlag(
      "--trace", options.trace,
      "print a line for each instruction that a thread executes, to standard error; --trace=FILE: "
      "to a file");
  addTexts(command, "--trace-block", options.blocks, "X[,Y[,Z]]",
           "trace this block only; may be repeated")
      .needs(trace);
  addIntegers(command, "--trace-thread", options.threads, {0, 1023}, {1, 1024}, "N[,...]",
              "trace these threads of their block only, x fastest")
      .needs(trace);
  addTexts(command, "--trace-op", options.opcodes, "NAME[,...]",
           "trace these instructions only: ld, or ld.global.f32")
      .needs(trace)
      .splitAt(',');
  addInteger(command, "--trace-lines", options.traceLines, {1, INT64_MAX}, "N",
             "maximum number of lines in the trace (default " + std::to_string(options.traceLines) +
                 ")")
      .needs(trace);
}

//===-- The run -----------------------------------------------------------------------------===//

static Result<ptx::TraceFilter> filterOf(const PtxWatchOptions &options) {
  ptx::TraceFilter filter;
  for (const std::string &text : options.blocks) {
    Result<std::vector<int64_t>> given = parseIntegers(text, {0, UINT32_MAX}, {1, 3});
    if (!given)
      return given.failure().at("--trace-block");
    std::array<uint32_t, 3> block = {};
    std::copy(given->begin(), given->end(), block.begin());
    filter.blocks.insert(block);
  }
  filter.threads.insert(options.threads.begin(), options.threads.end());
  filter.opcodes.insert(options.opcodes.begin(), options.opcodes.end());
  if (const std::string unknown = filter.unknownOpcode(); !unknown.empty())
    return Failure{"--trace-op: there is no PTX instruction '" + unknown + "'"};
  filter.mostLines = uint64_t(options.traceLines);
  return filter;
}

Result<std::unique_ptr<PtxWatch>> PtxWatch::create(const ptx::Program &program, std::string file,
                                                   const PtxWatchOptions &options) {
  std::unique_ptr<PtxWatch> watch(new PtxWatch(std::move(file), options));
  if (!options.counters.empty())
    watch->counters.emplace(program);
  if (options.trace.empty())
    return watch;
  if (Result<void> opened = watch->openTrace(); !opened)
    return opened.failure();
  return watch;
}

Result<void> PtxWatch::openTrace() {
  Result<ptx::TraceFilter> filter = filterOf(options);
  if (!filter)
    return filter.failure();
  llvm::raw_ostream *out = &llvm::errs();
  if (options.trace != "-") {
    std::error_code error;
    traceFile = std::make_unique<llvm::raw_fd_ostream>(options.trace, error);
    if (error)
      return Failure{options.trace + ": " + error.message()};
    out = traceFile.get();
  }
  trace.emplace(file, *filter,
                [out](const ptx::TraceLine &line) { *out << llvm::StringRef(line.text) << "\n"; });
  return {};
}

void PtxWatch::attach(ptx::Machine &machine) {
  machine.counters = counters ? &*counters : nullptr;
  machine.trace = trace ? &*trace : nullptr;
}

Result<void> PtxWatch::finish(const ptx::Machine &machine) {
  if (trace) {
    trace->close();
    if (const uint64_t more = trace->unwritten())
      (traceFile ? *traceFile : llvm::errs())
          << "... and " << more << " more lines; --trace-lines sets the limit\n";
  }
  if (traceFile)
    if (Result<void> written = flush(*traceFile, options.trace); !written)
      return written;
  if (!counters)
    return {};
  if (options.counters == "-") {
    llvm::errs() << countersAsText(machine, *counters, file);
    return {};
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::StringRef(options.counters).ends_with(".json"))
    out << llvm::formatv("{0:2}\n", countersAsJson(machine));
  else
    out << countersAsText(machine, *counters, file);
  return writeFile(options.counters, text);
}

llvm::json::Value PtxWatch::countersAsJson(const ptx::Machine &machine) const {
  if (!counters)
    return nullptr;
  return api::countersAsJson(machine, *counters, file);
}
