// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Estimate.h.

#include "tilewright/api/estimate/Estimate.h"
#include "tilewright/api/Launch.h"
#include "tilewright/api/ModuleState.h"
#include "tilewright/api/PtxCounters.h"
#include "tilewright/api/devices/Device.h"
#include "tilewright/api/devices/PtxEntry.h"
#include "tilewright/api/devices/WithinMemory.h"
#include "tilewright/api/estimate/Bounds.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/nvidia/Assemble.h"
#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/report/Place.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;
namespace json = llvm::json;

namespace {
/// An entry with the options as they apply.
struct Estimation {
  const ExploredProgram &program;
  const runtime::Grid &grid;
  const std::vector<Argument> &arguments;
  const EstimateOptions &options;
  const nvidia::Target &target;
  int64_t maxSteps;
};

/// What the machine counted in some of the blocks.
struct Sample {
  int64_t blocks = 0;
  LaunchCounts counts = {};
  /// As `--counters` writes them, without the lines of the PTX text.
  json::Object counters = {};
  bool isCancelled = false;
};
} // namespace

//===-- Running some of the blocks ----------------------------------------------------------===//

/// One of each of `count` parts of the clusters, at multiples of the golden ratio: numbers at equal
/// distances could all have the same x.
static std::vector<uint64_t> spread(uint64_t clusters, uint64_t count) {
  constexpr double ratio = 0.6180339887498949;
  std::vector<uint64_t> chosen;
  for (uint64_t part = 0; part < count; ++part) {
    const uint64_t begin = part * clusters / count, end = (part + 1) * clusters / count;
    const double offset = std::fmod(double(part + 1) * ratio, 1);
    chosen.push_back(begin + uint64_t(offset * double(end - begin)));
  }
  return chosen;
}

/// Leaves the sample empty to run all blocks, in parallel.
static void choose(ptx::Machine &machine, int64_t blocks, int64_t ctasOfBlock) {
  const uint64_t size = machine.clusterSize(), clusters = machine.ctaCount() / size;
  const uint64_t count = (uint64_t(blocks) * uint64_t(ctasOfBlock) + size - 1) / size;
  if (blocks && count < clusters)
    machine.sample = spread(clusters, count);
}

static void collect(const ptx::Machine &machine, const ptx::Counters &counters,
                    const PtxEntry &entry, Sample &sample) {
  const auto ctas = int64_t(machine.sample.empty() ? machine.ctaCount()
                                                   : machine.sample.size() * machine.clusterSize());
  sample.blocks = ctas / entry.compiled().ctas;
  sample.counters = countersAsJson(machine, counters, entry.textName());
  sample.counters.erase("ptx_lines");
  const double all = double(machine.ctaCount()) / double(ctas);
  const ptx::Counts total = counters.total();
  sample.counts = {all * double(total.executions),
                   all * double(total.distinctSectors),
                   all * double(total.shared.units),
                   {}};
  for (const auto &[operand, multiplyAdds] : counters.products())
    sample.counts.products[operand] = all * double(multiplyAdds);
}

static Failure endedEarly(const report::Finding &finding, const Estimation &estimation,
                          const Sample &sample) {
  std::string what = "a block does not run to its end: " + report::toString(finding);
  const int64_t all = estimation.grid.blockCount();
  if (sample.blocks < all)
    what += "\nnote: only " + std::to_string(sample.blocks) + " of " + std::to_string(all) +
            " blocks ran; if blocks wait for one another, all of them must run";
  return Failure{std::move(what)};
}

static Result<Sample> runSample(const Estimation &estimation, const PtxEntry &entry) {
  Sample sample;
  std::optional<ptx::Counters> counters;
  PtxRunOptions options;
  std::string unknown;
  options.checks = *ptx::Checks::parse("none", unknown);
  options.schedule.stepLimit = uint64_t(estimation.maxSteps);
  options.cancelled = estimation.options.cancelled;
  options.output = [](std::string_view) {};
  options.discardsArrays = true;
  options.begin = [&](ptx::Machine &machine) {
    machine.counters = &counters.emplace(entry.program());
    choose(machine, estimation.options.blocks, entry.compiled().ctas);
  };
  options.end = [&](const ptx::Machine &machine) { collect(machine, *counters, entry, sample); };
  return withinMemory([&]() -> Result<Sample> {
    Result<PtxRunResult> ran = entry.run(estimation.grid, estimation.arguments, options);
    if (!ran)
      return ran.failure();
    sample.isCancelled = ran->outcome == Outcome::Cancelled;
    if (!ran->findings.empty())
      return endedEarly(ran->findings.front(), estimation, sample);
    return std::move(sample);
  });
}

//===-- The document ------------------------------------------------------------------------===//

/// What NVIDIA's assembler reports about the entry.
static Result<nvidia::Resources> resourcesOf(const PtxEntry &entry, const nvidia::Target &target) {
  std::vector<nvidia::Resources> resources;
  const Result<std::string> cubin = nvidia::assemble(entry.text(), target, &resources);
  if (!cubin)
    return cubin.failure();
  if (resources.empty())
    return Failure{"ptxas reports no resources of the kernel"};
  return resources.front();
}

static json::Object occupancyAsJson(const nvidia::Occupancy &occupancy) {
  return json::Object{{"blocks", occupancy.blocks},
                      {"warps", occupancy.warps},
                      {"share", occupancy.share},
                      {"limiter", occupancy.limiter},
                      {"also", json::Array(occupancy.also)}};
}

/// Adds what a block needs, and how many of them a multiprocessor runs at a time.
static void addResources(const PtxEntry &entry, const nvidia::Target &target,
                         json::Object &document) {
  const codegen::CompiledKernel &kernel = entry.compiled();
  nvidia::BlockResources block{kernel.threads, kernel.sharedBytes, std::nullopt};
  document["ctas"] = kernel.ctas;
  document["threads"] = block.threads;
  document["shared_bytes"] = block.sharedBytes;
  for (const char *member : {"registers", "spill_bytes", "ptxas_failure"})
    document[member] = nullptr;
  if (const Result<nvidia::Resources> resources = resourcesOf(entry, target)) {
    block.registers = resources->registers;
    document["registers"] = resources->registers;
    document["spill_bytes"] = resources->spillStores + resources->spillLoads;
  } else {
    document["ptxas_failure"] = report::jsonText(resources.failure().message);
  }
  document["occupancy"] =
      occupancyAsJson(nvidia::occupancyOf(block, nvidia::multiprocessorOf(target.cpu)));
}

static int64_t bytesOf(const Array &array) {
  auto bytes = int64_t(array.bytes().size());
  for (const Link &link : array.links())
    bytes += bytesOf(link.target);
  return bytes;
}

static int64_t bytesOf(const std::vector<Argument> &arguments) {
  int64_t bytes = 0;
  for (const Argument &argument : arguments)
    if (const auto *array = std::get_if<Array>(&argument))
      bytes += bytesOf(*array);
  return bytes;
}

static json::Array gpusAsJson(const Estimation &estimation, const LaunchCounts &counts,
                              int64_t ctasOfBlock) {
  const LaunchShape launch{estimation.grid.blockCount() * ctasOfBlock,
                           bytesOf(estimation.arguments)};
  json::Array rows;
  for (const Gpu &gpu : gpus()) {
    if (gpu.sm != estimation.target.cpu)
      continue;
    const Bounds bounds = boundsOf(counts, launch, gpu);
    json::Object byName;
    for (const Bounds::Named &bound : bounds.all())
      byName[bound.name] = bound.seconds;
    rows.push_back(json::Object{{"name", gpu.name},
                                {"seconds", bounds.time()},
                                {"limiter", bounds.limiter()},
                                {"bounds", std::move(byName)}});
  }
  return rows;
}

static std::string documentOf(const Estimation &estimation, Sample sample, const PtxEntry &entry) {
  const runtime::Grid &grid = estimation.grid;
  json::Object document{
      {"version", estimateVersion},
      {"kernel", report::jsonText(estimation.program.entry().getSymName())},
      {"grid", json::Array{grid.x(), grid.y(), grid.z()}},
      {"target", estimation.target.cpu},
      {"blocks", sample.blocks},
      {"gpus", gpusAsJson(estimation, sample.counts, entry.compiled().ctas)},
  };
  addResources(entry, estimation.target, document);
  document["counters"] = std::move(sample.counters);
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(document));
  return text;
}

/// Verifies that the arguments match the parameters, and that the PTX machine accepts them.
static Result<void> verify(const Entry &entry, const runtime::Grid &grid,
                           const std::vector<Argument> &arguments) {
  if (Result<void> verified = verifyLaunch(entry, grid, arguments); !verified)
    return verified.failure();
  for (const Argument &argument : arguments)
    if (Result<void> verified = verifyForPtxMachine(argument); !verified)
      return verified.failure();
  return {};
}

Result<KernelEstimate> api::estimateKernel(const Entry &entry, const runtime::Grid &grid,
                                           const std::vector<Argument> &arguments,
                                           const EstimateOptions &options) {
  if (options.blocks < 0)
    return Failure{"expected a number of blocks from 0, but got " + std::to_string(options.blocks)};
  const std::string name =
      options.target.empty() ? std::string(nvidia::defaultTarget) : options.target;
  const Result<nvidia::Target> target = nvidia::Target::named(name);
  if (!target)
    return target.failure();
  const Result<int64_t> steps = stepLimitOf(options.maxSteps);
  if (!steps)
    return steps.failure();
  if (Result<void> verified = verify(entry, grid, arguments); !verified)
    return verified.failure();
  auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  const Estimation estimation{**program, grid, arguments, options, *target, *steps};
  const auto compiled = PtxEntry::compile((*program)->entry(), {*target}, (*program)->file());
  if (!compiled)
    return compiled.failure();
  Result<Sample> sample = runSample(estimation, **compiled);
  if (!sample)
    return sample.failure();
  if (sample->isCancelled)
    return KernelEstimate{"", true};
  return KernelEstimate{documentOf(estimation, *std::move(sample), **compiled)};
}
