// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright distribute: what does one thread of a workgroup do for a function over whole
// vectors, and is the result the same when all of them do it?

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/Load.h"
#include "tilewright/layout/Distribute.h"
#include "tilewright/layout/Passes.h"
#include "tilewright/layout/Register.h"
#include "tilewright/simt/Run.h"

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
};
} // namespace

static constexpr const char *help =
    R"(FILE holds functions in MLIR's vector dialect, with iree_vector_ext.to_layout to say how vectors
are held. With --check each function is run as it is, and distributed by all threads of a
workgroup in lockstep, on the same random values: memory must end up equal, and the threads
must not race. Values are small integers, so sums of floats are exact in any order.
Exit status: 0 success; 1 the program is invalid, cannot be distributed, or --check found
something; 2 wrong usage, or a file that cannot be read or written.)";

//===-- Checking -------------------------------------------------------------------------===//

static layout::WorkgroupShape shapeOf(const DistributeOptions &options) {
  layout::WorkgroupShape shape;
  llvm::copy(options.threads, shape.threads.begin());
  shape.lanes = options.subgroupSize;
  return shape;
}

/// Runs a function and says what it did wrong.
static bool runs(mlir::func::FuncOp function, const simt::Workgroup &workgroup,
                 llvm::MutableArrayRef<simt::Buffer> arguments, llvm::StringRef which) {
  Result<simt::Outcome> outcome = simt::run(function, workgroup, arguments);
  if (!outcome) {
    llvm::errs() << formatv("{0}: {1} program: {2}\n", function.getName(), which,
                            outcome.failure().message);
    return false;
  }
  for (const report::Finding &finding : outcome->findings)
    llvm::errs() << formatv("{0}: {1} program: {2}: {3}: {4}\n", function.getName(), which,
                            simt::placeOf(finding.location), simt::nameOf(finding),
                            finding.message);
  return outcome->findings.empty();
}

/// Whether a function and its distributed form leave the same in memory.
static bool isSame(mlir::func::FuncOp whole, mlir::func::FuncOp distributed,
                   const DistributeOptions &options) {
  layout::WorkgroupShape shape = shapeOf(options);
  for (int64_t run = 0; run < options.runs; ++run) {
    const uint64_t seed = options.seed + uint64_t(run); // begins again at 0 after the last one
    Result<std::vector<simt::Buffer>> arguments =
        simt::randomArguments(whole, seed, options.extents);
    if (!arguments) {
      llvm::errs() << formatv("{0}: {1}\n", whole.getName(), arguments.failure().message);
      return false;
    }
    std::vector<simt::Buffer> expected = *arguments, found = std::move(*arguments);
    if (!runs(whole, simt::Workgroup{}, expected, "undistributed") ||
        !runs(distributed, {shape.threads, shape.lanes}, found, "distributed"))
      return false;
    if (std::optional<simt::Difference> difference = simt::firstDifference(expected, found)) {
      llvm::errs() << formatv("{0}: distributed over {1} threads it differs, with the values of "
                              "seed {2}: {3}\n",
                              whole.getName(), shape.workgroup().threads, seed, difference->text);
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

static int check(mlir::ModuleOp whole, mlir::ModuleOp distributed,
                 const DistributeOptions &options) {
  int64_t same = 0, different = 0;
  for (auto [function, counterpart] : llvm::zip_equal(functionsIn(whole), functionsIn(distributed)))
    (isSame(function, counterpart, options) ? same : different) += 1;
  if (same + different == 0) {
    llvm::errs() << "tilewright distribute: there is no function to check\n";
    return ExitInvalid;
  }
  llvm::outs() << formatv("functions: {0} the same, {1} not ({2} threads, {3} runs of each)\n",
                          same, different, shapeOf(options).workgroup().threads, options.runs);
  return different == 0 ? ExitSuccess : ExitInvalid;
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
    return check(*whole, *distributed, options);
  return finishWith(options.output, formatv("{0}\n", *distributed.get()).str());
}

void tools::addDistribute(CLI::App &app, int &exitStatus) {
  auto options = std::make_shared<DistributeOptions>();
  CLI::App *command = app.add_subcommand(
      "distribute", "Rewrite vectors of a workgroup into what one thread does, and check that");
  command->add_option("FILE", options->input, "MLIR text; '-' is standard input")->required();
  addIntegers(*command, "--threads", options->threads, anyCount, {1, 3}, "X[,Y[,Z]]",
              "threads of the workgroup along x, y and z")
      ->required();
  addInteger(*command, "--subgroup-size", options->subgroupSize, anyCount, "N",
             "threads in a subgroup (default 32)");
  addName(*command, "-o", options->output, "FILE",
          "where to write; '-', the default, is standard output");
  CLI::Option *check =
      addFlag(*command, "--check", options->check,
              "run both forms on random values and compare what they leave in memory");
  addInteger(*command, "--seed", options->seed, anyInteger, "N", "decides the values (default 1)")
      ->needs(check);
  addInteger(*command, "--runs", options->runs, anyCount, "N",
             "with so many seeds from there on (default 3)")
      ->needs(check);
  addIntegers(*command, "--extents", options->extents, anyExtent, {1, UINT64_MAX}, "N,...",
              "the dynamic extents of memory arguments, in order (default 16 each)")
      ->needs(check);
  command->footer(help);
  command->callback([options, &exitStatus] { exitStatus = distribute(*options); });
}
