// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright estimate`: what a launch costs on GPUs, without one.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/estimate/Bounds.h"
#include "tilewright/api/estimate/CostChanges.h"
#include "tilewright/api/estimate/Estimate.h"
#include "tilewright/nvidia/Target.h"
#include "tools/tilewright/run/EntryArguments.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;
namespace json = llvm::json;

namespace {
struct EstimateFlags : LaunchFlags {
  std::string json, before;
  nvidia::Target target = *nvidia::Target::named(nvidia::defaultTarget);
  int64_t blocks = 4, maxSteps = 0, tolerance = 0;
  bool runsAll = false;
};
} // namespace

static int fail(const Failure &failure, int status) {
  llvm::errs() << (status == ExitUsage ? "tilewright estimate: " : "") << failure.message << "\n";
  return status;
}

//===-- As text -----------------------------------------------------------------------------===//

/// `1.25 us`
static std::string timeText(double seconds) {
  for (const auto &[scale, unit] :
       {std::pair(1.0, "s"), std::pair(1e-3, "ms"), std::pair(1e-6, "us")})
    if (seconds >= scale)
      return llvm::formatv("{0:f2} {1}", seconds / scale, unit);
  return llvm::formatv("{0:f2} ns", seconds / 1e-9);
}

/// The number, or `unknown`.
static std::string known(const json::Object &object, llvm::StringRef member) {
  const std::optional<int64_t> number = object.getInteger(member);
  return number ? std::to_string(*number) : "unknown";
}

static void printResources(const json::Object &document) {
  const json::Object &occupancy = *document.getObject("occupancy");
  const bool isCluster = document.getInteger("ctas") != 1;
  llvm::outs() << "a block: "
               << (isCluster ? known(document, "ctas") + " CTAs, each with " : std::string())
               << known(document, "threads") << " threads, " << known(document, "registers")
               << " registers per thread, " << known(document, "spill_bytes")
               << " bytes of spills, " << known(document, "shared_bytes")
               << " bytes of shared memory\n";
  if (const std::optional<llvm::StringRef> failure = document.getString("ptxas_failure"))
    llvm::outs() << "registers are unknown: " << *failure << "\n";
  llvm::outs() << "a multiprocessor: " << known(occupancy, "blocks")
               << (isCluster ? " CTAs" : " blocks") << " at a time, limited by "
               << *occupancy.getString("limiter") << "\n";
}

static void printCounters(const json::Object &document, int64_t blocks) {
  const json::Object &counters = *document.getObject("counters");
  const json::Object &global = *counters.getObject("global"),
                     &shared = *counters.getObject("shared");
  llvm::outs() << "counted in " << known(document, "blocks") << " of " << blocks
               << " blocks: " << known(counters, "instructions") << " instructions, "
               << known(global, "sectors") << " sectors (ideal " << known(global, "ideal_sectors")
               << "), " << known(shared, "bank_cycles") << " bank-conflict cycles (ideal "
               << known(shared, "ideal_bank_cycles") << "), " << known(counters, "barriers")
               << " barriers\n";
}

static void printGpus(const json::Object &document) {
  for (const json::Value &value : *document.getArray("gpus")) {
    const json::Object &gpu = *value.getAsObject(), &bounds = *gpu.getObject("bounds");
    llvm::outs() << *gpu.getString("name") << ": " << timeText(*gpu.getNumber("seconds"))
                 << ", limited by " << *gpu.getString("limiter") << " (";
    llvm::ListSeparator separator;
    for (const api::Bounds::Named &bound : api::Bounds{}.all()) {
      const std::optional<double> seconds = bounds.getNumber(bound.name);
      llvm::outs() << separator << bound.name << " " << (seconds ? timeText(*seconds) : "unknown");
    }
    llvm::outs() << ")\n";
  }
  if (document.getArray("gpus")->empty())
    llvm::outs() << "there are no published figures of a GPU with the target "
                 << *document.getString("target") << "\n";
}

static int print(llvm::StringRef text, int64_t blocks) {
  const json::Value document = llvm::cantFail(json::parse(text));
  printResources(*document.getAsObject());
  printCounters(*document.getAsObject(), blocks);
  printGpus(*document.getAsObject());
  if (Result<void> printed = flush(llvm::outs(), "-"); !printed)
    return fail(printed.failure(), ExitUsage);
  return ExitSuccess;
}

//===-- Beside an earlier version -----------------------------------------------------------===//

/// The document of the earlier version; empty without one.
static Result<std::string> readBefore(const EstimateFlags &flags, const api::Entry &entry,
                                      const runtime::Grid &grid) {
  const std::string &file = flags.before;
  if (file.empty())
    return std::string();
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return Failure{file + ": " + buffer.getError().message()};
  std::string text = (*buffer)->getBuffer().str();
  Result<void> verified = api::verifyEstimate(text, entry.name(), flags.target.cpu, grid);
  if (!verified)
    return verified.failure().at(file);
  return text;
}

/// To standard error, where findings are.
static void print(const std::vector<api::CostIncrease> &increases) {
  constexpr size_t mostLines = 5;
  for (const api::CostIncrease &increase : increases) {
    llvm::errs() << "higher than before: " << increase.what << ": " << increase.before << " -> "
                 << increase.after << "\n";
    for (const api::LineCosts &line : llvm::ArrayRef(increase.lines).take_front(mostLines))
      llvm::errs() << "  " << line.file << ":" << line.line << ": " << line.before << " -> "
                   << line.after << "\n";
    if (increase.lines.size() > mostLines)
      llvm::errs() << "  and " << increase.lines.size() - mostLines << " more lines\n";
  }
}

/// The exit status of a comparison.
static int compare(llvm::StringRef before, llvm::StringRef after, const EstimateFlags &flags) {
  const auto increases = api::costIncreases(before, after, double(flags.tolerance) / 100);
  if (!increases)
    return fail({flags.before + ": " + increases.failure().message}, ExitUsage);
  print(*increases);
  return increases->empty() ? ExitSuccess : ExitHigher;
}

//===-- The command -------------------------------------------------------------------------===//

static int estimate(const EstimateFlags &flags) {
  const Result<runtime::Grid> grid = runtime::Grid::parse(flags.grid);
  if (!grid)
    return fail(grid.failure(), ExitUsage);
  EntryArguments given;
  if (Result<void> loaded = given.load(flags); !loaded)
    return fail(loaded.failure(), given.status());
  const Result<std::string> before = readBefore(flags, given.entry(), *grid);
  if (!before)
    return fail(before.failure(), ExitUsage);
  api::EstimateOptions options;
  options.target = flags.target.cpu;
  options.blocks = flags.runsAll ? 0 : flags.blocks;
  options.maxSteps = flags.maxSteps;
  const Result<api::KernelEstimate> estimated =
      api::estimateKernel(given.entry(), *grid, given.arguments(), options);
  if (!estimated)
    return fail(estimated.failure(), ExitInvalid);
  const int status = flags.json.empty() ? print(estimated->json, grid->blockCount())
                                        : finishWith(flags.json, estimated->json + "\n");
  if (status != ExitSuccess || flags.before.empty())
    return status;
  return compare(*before, estimated->json, flags);
}

void tools::addEstimate(Command program) {
  auto flags = std::make_shared<EstimateFlags>();
  Command command = program.addCommand("estimate", "Estimate what a launch costs on GPUs");
  addLaunchFlags(command, *flags);
  addGpu(command, flags->target);
  addInteger(command, "--blocks", flags->blocks, {1, INT64_MAX}, "N",
             "how many blocks to run, spread over the grid (default 4)");
  command.addFlag("--all-blocks", flags->runsAll,
                  "run all blocks, for kernels whose blocks wait for one another or take work from "
                  "a common counter");
  addInteger(command, "--max-steps", flags->maxSteps, {1, INT64_MAX}, "N",
             "maximum number of executed PTX instructions (default 1000000000)");
  command.addFileFlag("--json", flags->json,
                      "write a JSON document to standard output; --json=FILE: to a file");
  Option before =
      addName(command, "--before", flags->before, "FILE",
              "the JSON document of an earlier version: say which costs are higher, on which lines")
          .isFile();
  addInteger(command, "--tolerance", flags->tolerance, {0, 1000000}, "PERCENT",
             "how much higher a cost may be than before (default 0)")
      .needs(before);
  command.setFooter(
      "Runs some blocks on the PTX machine, without checks, and divides what it counts by\n"
      "what GPUs can do. Exit status: 0 success; 1 the program is invalid or a block\n"
      "does not run to its end; 2 wrong usage, or a file that cannot be read or written; 3 a\n"
      "cost is higher than in the document of --before.");
  command.onParsed([command] {
    if (command.has("--blocks") && command.has("--all-blocks"))
      refuse("--blocks", "cannot be combined with --all-blocks");
  });
  command.onRun([flags] { return estimate(*flags); });
}
