// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright distribute`: rewrites functions over whole vectors into what one thread of a
// workgroup executes. With --check, runs both forms and compares the results.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "ReportFlags.h"
#include "tilewright/api/Load.h"
#include "tilewright/layout/Passes.h"
#include "tilewright/layout/dialect/Register.h"
#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/simt/Run.h"
#include "tools/tilewright/WriteReports.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::formatv;
using support::Result;
namespace json = llvm::json;

namespace {
struct DistributeOptions {
  std::string input;
  std::string output = "-";
  std::vector<int64_t> threads;
  int64_t subgroupSize = 32;
  bool check = false;
  uint64_t seed = 1;
  int64_t runs = 3;
  std::vector<int64_t> extents;
  std::vector<report::ReportRequest> reports;
};
} // namespace

static constexpr const char *help =
    R"(FILE has functions in MLIR's vector dialect, in which iree_vector_ext.to_layout sets the layouts
of vectors. With --check, each function runs twice on the same random values: as it is, and
distributed over all threads of a workgroup, in lockstep. Both runs must leave the same values in
memory, and the threads must not race. Values are small integers, so sums of floats are exact in
any order.
Exit status: 0 success; 1 the program is invalid, cannot be distributed, or --check found an
error; 2 wrong usage, or a file that cannot be read or written.)";

//===-- Checking -------------------------------------------------------------------------===//

static layout::WorkgroupShape shapeOf(const DistributeOptions &options) {
  layout::WorkgroupShape shape;
  llvm::copy(options.threads, shape.threads.begin());
  shape.lanes = options.subgroupSize;
  return shape;
}

namespace {
/// Compares functions with their distributed forms, and collects findings.
class Checker {
public:
  explicit Checker(const DistributeOptions &options)
      : options(options),
        showsText(formatOnStandardError(options.reports) == report::ReportFormat::Text) {}

  /// Whether memory has the same contents after both.
  bool isSame(mlir::func::FuncOp whole, mlir::func::FuncOp distributed);

  std::vector<report::Finding> findings;
  /// One line for each finding.
  std::string text;

private:
  bool runs(mlir::func::FuncOp function, const simt::Workgroup &workgroup,
            llvm::MutableArrayRef<simt::Buffer> arguments, const std::string &which);
  report::Finding makeFinding(report::FindingKind kind, mlir::func::FuncOp function,
                              const std::string &message);
  void add(report::Finding finding, const std::string &line);

  const DistributeOptions &options;
  const bool showsText;
};
} // namespace

report::Finding Checker::makeFinding(report::FindingKind kind, mlir::func::FuncOp function,
                                     const std::string &message) {
  report::Finding finding{kind, function.getLoc(), message};
  finding.kernel = function.getName().str();
  finding.operation = function->getName().getStringRef().str();
  return finding;
}

/// Adds a finding. Text is printed at once, while functions run; JSON and SARIF reports are written
/// at the end.
void Checker::add(report::Finding finding, const std::string &line) {
  findings.push_back(std::move(finding));
  text += line;
  if (showsText)
    llvm::errs() << line;
}

bool Checker::runs(mlir::func::FuncOp function, const simt::Workgroup &workgroup,
                   llvm::MutableArrayRef<simt::Buffer> arguments, const std::string &which) {
  const std::string where = formatv("{0}: {1} program: ", function.getName(), which);
  Result<simt::Outcome> outcome = simt::run(function, workgroup, arguments);
  if (!outcome) {
    report::Finding refusal =
        makeFinding(report::FindingKind::Unsupported, function, outcome.failure().message);
    refusal.program = which;
    add(std::move(refusal), where + outcome.failure().message + "\n");
    return false;
  }
  for (report::Finding &finding : outcome->findings) {
    finding.program = which;
    const std::string line = formatv("{0}{1}: {2}: {3}\n", where, simt::placeOf(finding.location),
                                     simt::nameOf(finding), finding.message);
    add(std::move(finding), line);
  }
  return outcome->findings.empty();
}

bool Checker::isSame(mlir::func::FuncOp whole, mlir::func::FuncOp distributed) {
  const layout::WorkgroupShape shape = shapeOf(options);
  const std::string name = whole.getName().str();
  for (int64_t run = 0; run < options.runs; ++run) {
    const uint64_t seed = options.seed + uint64_t(run); // wraps around
    Result<std::vector<simt::Buffer>> arguments =
        simt::randomArguments(whole, seed, options.extents);
    if (!arguments) {
      const std::string &message = arguments.failure().message;
      add(makeFinding(report::FindingKind::Unsupported, whole, message),
          name + ": " + message + "\n");
      return false;
    }
    std::vector<simt::Buffer> expected = *arguments, found = std::move(*arguments);
    if (!runs(whole, simt::Workgroup{}, expected, "undistributed") ||
        !runs(distributed, {shape.threads, shape.lanes}, found, "distributed"))
      return false;
    if (std::optional<simt::Difference> difference = simt::firstDifference(expected, found)) {
      const std::string message =
          formatv("distributed over {0} threads it differs, with the values of seed {1}: {2}",
                  shape.workgroup().threads, seed, difference->text);
      report::Finding finding = makeFinding(report::FindingKind::Difference, whole, message);
      finding.program = "distributed";
      finding.array = difference->argument;
      finding.arrayElement = difference->element.value_or(-1);
      add(std::move(finding), name + ": " + message + "\n");
      return false;
    }
  }
  return true;
}

static std::vector<mlir::func::FuncOp> functionsIn(mlir::ModuleOp module) {
  std::vector<mlir::func::FuncOp> functions;
  module.walk([&](mlir::func::FuncOp function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  return functions;
}

namespace {
/// The number of functions whose two forms have the same result, and of the others.
struct Counts {
  int64_t same = 0, different = 0;
};
} // namespace

static report::Report reportOn(const Checker &checker, Counts counts,
                               const DistributeOptions &options, llvm::StringRef file) {
  report::Report report{file, simt::rules(), checker.findings};
  report.exitStatus = counts.different == 0 ? ExitSuccess : ExitInvalid;
  report.ranToItsEnd = llvm::none_of(checker.findings, [](const report::Finding &finding) {
    return finding.kind == report::FindingKind::Unsupported ||
           finding.kind == report::FindingKind::StepLimit;
  });
  const auto [x, y, z] = shapeOf(options).threads;
  report.runAsJson = json::Object{
      {"threads", json::Array{x, y, z}},
      {"subgroup_size", options.subgroupSize},
      {"seed", options.seed},
      {"runs", options.runs},
      {"functions", json::Object{{"same", counts.same}, {"different", counts.different}}}};
  report.runAsSarif = json::Object{{"threads", json::Array{x, y, z}},
                                   {"subgroupSize", options.subgroupSize},
                                   {"seed", options.seed},
                                   {"runs", options.runs}};
  return report;
}

static int check(mlir::ModuleOp whole, mlir::ModuleOp distributed, const DistributeOptions &options,
                 llvm::StringRef file) {
  Counts counts;
  Checker checker(options);
  for (auto [function, counterpart] : llvm::zip_equal(functionsIn(whole), functionsIn(distributed)))
    (checker.isSame(function, counterpart) ? counts.same : counts.different) += 1;
  if (counts.same + counts.different == 0) {
    llvm::errs() << "tilewright distribute: there is no function to check\n";
    return ExitInvalid;
  }
  llvm::outs() << formatv("functions: {0} the same, {1} not ({2} threads, {3} runs of each)\n",
                          counts.same, counts.different, shapeOf(options).workgroup().threads,
                          options.runs);
  const report::Report report = reportOn(checker, counts, options, file);
  const report::ReportFormat format = formatOnStandardError(options.reports);
  if (format != report::ReportFormat::Text)
    llvm::errs() << toString(report, format, checker.text);
  if (Result<void> written = writeReportFiles(report, checker.text, options.reports); !written) {
    llvm::errs() << "tilewright distribute: " << written.failure().message << "\n";
    return ExitUsage;
  }
  return report.exitStatus;
}

//===-- The command ----------------------------------------------------------------------===//

static int distribute(const DistributeOptions &options) {
  std::string error;
  auto file = mlir::openInputFile(options.input, &error);
  if (!file) {
    llvm::errs() << "tilewright distribute: " << error << "\n";
    return ExitUsage;
  }
  mlir::DialectRegistry registry;
  layout::registerDialects(registry);
  simt::registerDialects(registry);
  api::Loader loader({});
  mlir::MLIRContext &context = loader.context();
  context.appendDialectRegistry(registry);
  mlir::OwningOpRef<mlir::ModuleOp> whole =
      loader.loadMemory(file->getBuffer(), file->getBufferIdentifier());
  if (!whole)
    return ExitInvalid;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);

  mlir::OwningOpRef<mlir::ModuleOp> distributed = whole->clone();
  context.loadAllAvailableDialects();
  if (failed(layout::distributeVectors(*distributed, shapeOf(options))))
    return ExitInvalid;
  mlir::PassManager passes(&context);
  passes.addPass(layout::createLowerGathers());
  passes.addPass(mlir::createCSEPass());
  if (failed(passes.run(*distributed)))
    return ExitInvalid;
  if (options.check)
    return check(*whole, *distributed, options, loader.name());
  return finishWith(options.output, formatv("{0}\n", *distributed.get()).str());
}

void tools::addDistribute(Command program) {
  auto options = std::make_shared<DistributeOptions>();
  Command command = program.addCommand(
      "distribute", "Rewrite vectors of a workgroup into per-thread code, and check the result");
  addFile(command, options->input, "MLIR text; '-' is standard input");
  addIntegers(command, "--threads", options->threads, anyCount, {1, 3}, "X[,Y[,Z]]",
              "threads of the workgroup along x, y and z")
      .required();
  addInteger(command, "--subgroup-size", options->subgroupSize, anyCount, "N",
             "threads in a subgroup (default 32)");
  addName(command, "-o", options->output, "FILE",
          "the file to write; '-', the default, is standard output")
      .isFile();
  Option check =
      command.addFlag("--check", options->check,
                      "run both forms on random values and compare the resulting memory");
  addInteger(command, "--seed", options->seed, anyInteger, "N", "seed of the values (default 1)")
      .needs(check);
  addInteger(command, "--runs", options->runs, anyCount, "N",
             "number of consecutive seeds (default 3)")
      .needs(check);
  addIntegers(command, "--extents", options->extents, anyExtent, {1, UINT64_MAX}, "N,...",
              "the dynamic extents of memory arguments, in order (default 16 each)")
      .needs(check);
  addReports(command, options->reports).needs(check);
  command.setFooter(help);
  command.onRun([options] { return distribute(*options); });
}
