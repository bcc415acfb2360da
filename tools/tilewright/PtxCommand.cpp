// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright ptx`: runs a PTX kernel on the PTX machine and reports its errors.

#include "Commands.h"
#include "Options.h"
#include "ReportFlags.h"
#include "tilewright/api/PtxFindings.h"
#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/text/Parser.h"
#include "tilewright/report/Place.h"
#include "tilewright/runtime/Threads.h"
#include "tools/tilewright/WriteReports.h"
#include "tools/tilewright/ptx/Parameters.h"
#include "tools/tilewright/ptx/Watch.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tilewright;
using namespace tilewright::tools;
using api::misbehaved;
using api::PtxFindings;
using api::ptxRules;
using support::Failure;
using support::Result;
namespace json = llvm::json;

namespace {
struct PtxOptions {
  std::string file, entry;
  std::vector<int64_t> grid = {1}, block = {1};
  uint64_t shared = 0;
  std::vector<int64_t> cluster;
  std::vector<std::string> arguments;
  ptx::Schedule schedule;
  ptx::Checks checks;
  std::vector<report::ReportRequest> reports;
  PtxWatchOptions watch;
};
} // namespace

static constexpr const char *argumentHelp =
    R"(Each --arg is VALUE[,out=FILE.npy][,print[=bits]], spelled as for 'tilewright run': a number for a scalar;
for a pointer f32[[1, 2], [3, 4]], zeros(16x16xf16), iota(64xi32), random(64xf32), empty(8xf32) or
FILE.npy. An untyped parameter (.b32, .b64) is a float if its number has a point or an exponent. A
parameter that is a structure takes an array of its bytes. A tensor map, or a pointer to one, is
tensormap:box=64x32,swizzle=128B;ARRAY with options from box, dims, strides (bytes), steps (innermost
first), type, swizzle (none, 32B, 64B, 128B, 128B_ATOM_32B, 128B_ATOM_64B) and fill (zero, nan);
ARRAY may be @2, that of argument 2.
)";

static constexpr const char *exitHelp = R"(
Exit status: 0 success; 1 the program is invalid or not supported, or the launch is wrong; 2 wrong
usage, or a file that cannot be read or written; 3 the kernel misbehaved.)";

static std::string checkHelp() {
  std::string help =
      "\nThe checks that --check selects; all other errors are always reported, and end "
      "the run:\n";
  llvm::raw_string_ostream out(help);
  for (ptx::Check check : ptx::optionalChecks()) {
    const report::Rule &rule = ptxRules()[size_t(check)];
    out << "  " << rule.id;
    out.indent(17 - rule.id.size()) << rule.summary << "\n";
  }
  return help;
}

//===-- The run -----------------------------------------------------------------------------===//

static std::array<uint32_t, 3> extentsOf(const std::vector<int64_t> &given) {
  std::array<uint32_t, 3> extents = {1, 1, 1};
  std::copy(given.begin(), given.end(), extents.begin());
  return extents;
}

static int fail(const Failure &failure, int status) {
  llvm::errs() << "tilewright ptx: " << failure.message << "\n";
  return status;
}

static Result<const ptx::Function *> chooseEntry(const ptx::Module &module,
                                                 const std::string &name) {
  std::vector<const ptx::Function *> entries;
  for (const ptx::Function &function : module.functions)
    if (function.isEntry && function.hasBody && (name.empty() || function.name == name))
      entries.push_back(&function);
  if (entries.size() == 1)
    return entries.front();
  if (!name.empty())
    return Failure{"the file has no entry '" + name + "'"};
  if (entries.empty())
    return Failure{"the file has no entry"};
  std::string names;
  for (const ptx::Function *entry : entries)
    names += (names.empty() ? "" : ", ") + std::string(entry->name);
  return Failure{"the file has " + std::to_string(entries.size()) +
                 " entries; --entry chooses one of " + names};
}

namespace {
/// Prepares and runs one entry, and writes its reports.
class PtxRun {
public:
  PtxRun(const PtxOptions &options, const ptx::Module &module, const ptx::Function &entry)
      : options(options), module(module), entry(entry), converter(module, options.file, context) {}

  int run();

private:
  int launch(const ptx::Program &program);
  int refuse(const ptx::Refusal &refusal);
  /// Writes the reports and returns the exit status.
  int finish(int status, uint64_t unlisted, uint64_t steps);

  const PtxOptions &options;
  const ptx::Module &module;
  const ptx::Function &entry;
  mlir::MLIRContext context;
  PtxFindings converter;
  std::vector<report::Finding> findings;
  /// For the JSON report; null without --counters.
  json::Value counters = nullptr;
};
} // namespace

int PtxRun::finish(int status, uint64_t unlisted, uint64_t steps) {
  report::Report report{options.file, ptxRules(), findings};
  report.unlistedFindings = int64_t(unlisted);
  report.exitStatus = status;
  report.ranToItsEnd = llvm::none_of(findings, [](const report::Finding &finding) {
    return finding.kind == report::FindingKind::Unsupported ||
           finding.kind == report::FindingKind::StepLimit;
  });
  const auto grid = extentsOf(options.grid), block = extentsOf(options.block);
  report.runAsJson =
      json::Object{{"kernel", report::jsonText({entry.name.data(), entry.name.size()})},
                   {"grid", json::Array{grid[0], grid[1], grid[2]}},
                   {"threads", json::Array{block[0], block[1], block[2]}},
                   {"steps", int64_t(steps)}};
  addScheduleTo(report.runAsJson, options.schedule);
  report.runAsSarif = report.runAsJson;
  if (counters.getAsObject())
    report.runAsJson["counters"] = counters;
  const std::string shown = api::textOf(findings, unlisted);
  llvm::errs() << toString(report, formatOnStandardError(options.reports), shown);
  if (Result<void> written = writeReportFiles(report, shown, options.reports); !written)
    return fail(written.failure(), ExitUsage);
  return status;
}

int PtxRun::refuse(const ptx::Refusal &refusal) {
  findings.push_back(converter.refusal(refusal, entry));
  return finish(ExitInvalid, 0, 0);
}

static std::vector<NamedOutput> allOutputs(const PtxOptions &options,
                                           const PtxParameters &parameters) {
  std::vector<NamedOutput> outputs = outputsOf(options.reports);
  outputs.push_back({"--trace", options.watch.trace});
  outputs.push_back({"--counters", options.watch.counters});
  for (NamedOutput &output : outputsOf(parameters.bound()))
    outputs.push_back(std::move(output));
  return outputs;
}

int PtxRun::launch(const ptx::Program &program) {
  Result<PtxParameters> parameters = PtxParameters::bind(module, entry, options.arguments);
  if (!parameters)
    return fail(parameters.failure(), ExitUsage);
  if (Result<void> distinct = verifyDistinct(allOutputs(options, *parameters)); !distinct)
    return fail(distinct.failure(), ExitUsage);
  ptx::Memory memory;
  loadVariables(program, memory);
  Result<std::vector<uint8_t>> bytes = parameters->load(memory);
  if (!bytes)
    return fail(bytes.failure(), ExitUsage);
  ptx::Launch launch{extentsOf(options.grid), extentsOf(options.block), options.shared, *bytes};
  if (!options.cluster.empty())
    launch.cluster = extentsOf(options.cluster);
  if (const auto wrong = checkLaunch(program, launch))
    return fail({*wrong}, ExitInvalid);
  ptx::Machine machine(program, memory, launch, options.schedule);
  machine.checks = options.checks;
  const Result<int> threads = runtime::defaultThreads();
  if (!threads)
    return fail(threads.failure(), ExitUsage);
  machine.threads = uint32_t(*threads);
  machine.output = [](const auto &, std::string_view text) {
    llvm::outs() << llvm::StringRef(text);
  };
  Result<std::unique_ptr<PtxWatch>> watch = PtxWatch::create(program, options.file, options.watch);
  if (!watch)
    return fail(watch.failure(), ExitUsage);
  (*watch)->attach(machine);
  execute(machine);
  if (Result<void> written = (*watch)->finish(machine); !written)
    return fail(written.failure(), ExitUsage);
  counters = (*watch)->countersAsJson(machine);
  for (const ptx::Finding &finding : machine.findings)
    findings.push_back(converter.convert(finding, entry));
  const int status = machine.findings.empty()       ? ExitSuccess
                     : misbehaved(machine.findings) ? ExitMisbehaved
                                                    : ExitInvalid;
  if (const int reported = finish(status, machine.unlisted, machine.steps); reported != status)
    return reported;
  if (status != ExitSuccess)
    return status;
  parameters->unload();
  if (Result<void> written = parameters->writeOutputs(llvm::outs()); !written)
    return fail(written.failure(), ExitUsage);
  return status;
}

int PtxRun::run() {
  const auto prepared = prepare(module, entry);
  if (const auto *refusal = std::get_if<ptx::Refusal>(&prepared))
    return refuse(*refusal);
  return launch(std::get<ptx::Program>(prepared));
}

static int runFile(const PtxOptions &options) {
  const auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.file, /*IsText=*/false,
                                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail({options.file + ": " + buffer.getError().message()}, ExitUsage);
  const auto parsed = ptx::parse((*buffer)->getBuffer().str());
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed)) {
    llvm::errs() << options.file << ":" << refusal->place.line << ":" << refusal->place.column
                 << ": error: " << refusal->message << "\n";
    return ExitInvalid;
  }
  const auto &module = std::get<ptx::Module>(parsed);
  Result<const ptx::Function *> entry = chooseEntry(module, options.entry);
  if (!entry)
    return fail(entry.failure(), ExitUsage);
  return PtxRun(options, module, **entry).run();
}

//===-- The command -------------------------------------------------------------------------===//

static void addSchedule(Command command, PtxOptions &options) {
  addChoice<ptx::Order>(
      command, "--schedule", options.schedule.order,
      {{"up", ptx::Order::Up}, {"down", ptx::Order::Down}, {"random", ptx::Order::Random}}, "ORDER",
      "order in which threads are scheduled: up (default), down or random");
  addInteger(command, "--seed", options.schedule.seed, anyInteger, "N",
             "seed of the random schedule (default 0)");
  addInteger(command, "--quantum", options.schedule.quantum, {1, 1 << 30}, "N",
             "instructions per time slice (default 4096; in a random schedule, 1 to 64)");
  addInteger(command, "--max-steps", options.schedule.stepLimit, {1, INT64_MAX}, "N",
             "maximum number of instructions that all threads together execute (default " +
                 std::to_string(options.schedule.stepLimit) + ")");
  const std::vector<std::string> names = ptxCheckNames();
  auto parse = [names](const std::string &text) -> Result<ptx::Checks> {
    std::string unknown;
    if (const auto checks = ptx::Checks::parse(text, unknown))
      return *checks;
    return Failure{unknownName("check", unknown, names)};
  };
  addParsed(
      command, "--check", options.checks, parse, "LIST",
      "the errors to check for: all, none, or a comma-separated list of names (see below); the "
      "prefix no- removes a check")
      .completedBy({Values::List, names});
}

void tools::addPtx(Command program) {
  auto options = std::make_shared<PtxOptions>();
  Command command = program.addCommand("ptx", "Run a PTX kernel without a GPU, and check it");
  addFile(command, options->file, "PTX text; '-' is standard input");
  addName(command, "--entry", options->entry, "NAME", "the entry, if the file has several");
  addIntegers(command, "--grid", options->grid, {1, UINT32_MAX}, {1, 3}, "X[,Y[,Z]]",
              "thread blocks along each dimension (default 1)");
  addIntegers(command, "--block", options->block, {1, 1024}, {1, 3}, "X[,Y[,Z]]",
              "threads of a block along each dimension (default 1)");
  addIntegers(command, "--cluster", options->cluster, {1, 16}, {1, 3}, "X[,Y[,Z]]",
              "thread blocks of a cluster along each dimension (default: as the entry declares)");
  addInteger(command, "--shared", options->shared, {0, 1 << 20}, "BYTES",
             "dynamic shared memory of a block (default 0)");
  addTexts(command, "--arg", options->arguments, "SPEC",
           "the next parameter; once for each, in order (see below)")
      .isFile();
  addSchedule(command, *options);
  addReports(command, options->reports);
  addPtxCounters(command, options->watch);
  addPtxTrace(command, options->watch);
  command.setFooter(argumentHelp + checkHelp() + exitHelp);
  command.onRun([options] {
    const int status = runFile(*options);
    llvm::outs().flush();
    return status;
  });
}
