// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright simt`: executes a distributed function with all threads of a workgroup, prints the
// resulting memory, and reports errors of the threads, such as data races.

#include "Commands.h"
#include "Options.h"
#include "ReportFlags.h"
#include "tilewright/api/Load.h"
#include "tilewright/report/Diagnostics.h"
#include "tilewright/report/Place.h"
#include "tilewright/simt/Register.h"
#include "tilewright/simt/Run.h"
#include "tools/tilewright/WriteReports.h"
#include "tools/tilewright/arrays/ArrayValue.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::formatv;
using numerics::Element;
using simt::Buffer;
using support::Failure;
using support::Result;
namespace json = llvm::json;

namespace {
struct SimtOptions {
  std::string file, function;
  std::vector<int64_t> threads = {1};
  int64_t lanes = 32;
  std::vector<std::string> arguments;
  std::optional<uint64_t> seed;
  std::vector<int64_t> extents;
  std::vector<report::ReportRequest> reports;
};
} // namespace

static constexpr const char *help =
    R"(Each --arg is VALUE, spelled as for 'tilewright run': a number for a scalar; for memory or a vector
f32[[1, 2], [3, 4]], zeros(16x16xf16), iota(64xi32), random(64xf32), empty(8xf32) or FILE.npy. An
index is an i64. After the run, the memory of all arguments is printed to standard output, and
findings to standard error, each with its source line.
Exit status: 0 success; 1 the program is invalid, cannot be executed or does not end; 2 wrong usage,
or a file that cannot be read or written; 3 the threads misbehaved.)";

//===-- Arguments ------------------------------------------------------------------------===//

static mlir::Type elementOf(mlir::Type type) {
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return shaped ? shaped.getElementType() : type;
}

static Result<Buffer> makeBuffer(mlir::Type type, llvm::StringRef text) {
  const std::optional<numerics::Format> format = simt::formatOf(elementOf(type));
  if (!format)
    return Failure{formatv("a value of type {0} cannot be given", type)};
  Buffer buffer = {elementOf(type), {}, {}};
  if (!llvm::isa<mlir::ShapedType>(type)) {
    Result<Element> value = parseValue(*format, text);
    if (!value)
      return value.failure();
    buffer.bits.push_back(value->bits);
    return buffer;
  }
  Result<TypedArray> array = makeArray(text, *format);
  if (!array)
    return array.failure();
  buffer.shape.assign(array->shape().begin(), array->shape().end());
  buffer.initialized = array->isInitialised();
  for (int64_t place = 0, count = array->elementCount(); place < count; ++place)
    buffer.bits.push_back(array->load(place).bits);
  return buffer;
}

static Result<std::vector<Buffer>> makeArguments(mlir::func::FuncOp function,
                                                 const SimtOptions &options) {
  if (options.seed)
    return simt::randomArguments(function, *options.seed, options.extents);
  const auto types = function.getArgumentTypes();
  if (types.size() != options.arguments.size())
    return Failure{formatv("'{0}' has {1} parameters, but {2} arguments are given",
                           function.getName(), types.size(), options.arguments.size())};
  std::vector<Buffer> buffers;
  for (auto [number, type] : llvm::enumerate(types)) {
    Result<Buffer> buffer = makeBuffer(type, options.arguments[number]);
    if (!buffer)
      return buffer.failure().at(formatv("argument {0} ({1})", number, type));
    buffers.push_back(std::move(*buffer));
  }
  return buffers;
}

//===-- The run --------------------------------------------------------------------------===//

static Result<mlir::func::FuncOp> chooseFunction(mlir::ModuleOp module, llvm::StringRef name) {
  llvm::SmallVector<mlir::func::FuncOp> functions(module.getOps<mlir::func::FuncOp>());
  if (name.empty() && functions.size() == 1)
    return functions.front();
  if (name.empty())
    return Failure{formatv("the file has {0} functions; --function chooses one", functions.size())};
  for (mlir::func::FuncOp function : functions)
    if (function.getName() == name)
      return function;
  return Failure{formatv("the file has no function '{0}'", name)};
}

static Result<void> printMemory(mlir::func::FuncOp function, llvm::ArrayRef<Buffer> arguments) {
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!llvm::isa<mlir::MemRefType>(type))
      continue;
    const Buffer &buffer = arguments[number];
    const numerics::Format format = *simt::formatOf(buffer.element);
    Result<TypedArray> array = TypedArray::create(format, buffer.shape);
    if (!array)
      return array.failure();
    for (auto [place, bits] : llvm::enumerate(buffer.bits))
      array->store(place, Element{bits, format});
    llvm::outs() << "argument " << number << ": " << type << "\n";
    tools::print(llvm::outs(), *array);
  }
  return {};
}

static simt::Workgroup workgroupOf(const SimtOptions &options) {
  simt::Workgroup workgroup;
  std::copy(options.threads.begin(), options.threads.end(), workgroup.threads.begin());
  workgroup.lanes = options.lanes;
  return workgroup;
}

//===-- Findings -------------------------------------------------------------------------===//

/// Prints findings as diagnostics, which include the source lines.
static void showFindings(llvm::ArrayRef<report::Finding> findings) {
  for (const report::Finding &finding : findings) {
    mlir::InFlightDiagnostic diagnostic = mlir::emitError(finding.location)
                                          << simt::nameOf(finding) << ": " << finding.message;
    for (const report::Related &other : finding.related)
      diagnostic.attachNote(other.location) << other.message;
  }
}

/// The output of showFindings as text, for report files.
static std::string textOf(api::Loader &loader, llvm::ArrayRef<report::Finding> findings) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(loader.bytes(), loader.name(),
                                                              /*RequiresNullTerminator=*/false),
                             llvm::SMLoc());
  report::SourceDiagnostics diagnostics(sources, &loader.context(), out);
  showFindings(findings);
  return text;
}

/// The exit status, with the same meaning as for `tilewright run`.
static int statusOf(llvm::ArrayRef<report::Finding> findings) {
  if (findings.empty())
    return ExitSuccess;
  const bool misbehaved = llvm::any_of(findings, [](const report::Finding &finding) {
    return finding.kind == report::FindingKind::Misbehaviour;
  });
  return misbehaved ? ExitMisbehaved : ExitInvalid;
}

static report::Report reportOn(mlir::func::FuncOp function,
                               llvm::ArrayRef<report::Finding> findings, const SimtOptions &options,
                               llvm::StringRef file) {
  report::Report report{file, simt::rules(), findings};
  report.exitStatus = statusOf(findings);
  report.ranToItsEnd = llvm::none_of(findings, [](const report::Finding &finding) {
    return finding.kind == report::FindingKind::Unsupported ||
           finding.kind == report::FindingKind::StepLimit;
  });
  const auto [x, y, z] = workgroupOf(options).threads;
  report.runAsJson = json::Object{{"kernel", report::jsonText(function.getName())},
                                  {"threads", json::Array{x, y, z}},
                                  {"subgroup_size", options.lanes},
                                  {"seed", nullptr}};
  report.runAsSarif = json::Object{{"kernel", report::jsonText(function.getName())},
                                   {"threads", json::Array{x, y, z}},
                                   {"subgroupSize", options.lanes}};
  if (options.seed)
    report.runAsJson["seed"] = report.runAsSarif["seed"] = *options.seed;
  return report;
}

/// Writes the report to standard error and to the requested files.
static Result<void> writeFindings(api::Loader &loader, mlir::ModuleOp module,
                                  const report::Report &report,
                                  llvm::ArrayRef<report::ReportRequest> requests) {
  const report::ReportFormat format = formatOnStandardError(requests);
  if (format == report::ReportFormat::Text)
    (void)loader.examine(module, [&](mlir::ModuleOp) {
      showFindings(report.findings);
      return mlir::success();
    });
  else
    llvm::errs() << toString(report, format, /*text=*/"");
  return writeReportFiles(report, textOf(loader, report.findings), requests);
}

//===-- The command ----------------------------------------------------------------------===//

static int fail(const Failure &failure, int status) {
  llvm::errs() << "tilewright simt: " << failure.message << "\n";
  return status;
}

/// Reports that the function cannot be run. Report files are written in this case, too: otherwise
/// files from an earlier run would remain.
static int refuse(mlir::func::FuncOp function, const Failure &failure, const SimtOptions &options,
                  llvm::StringRef file) {
  report::Finding refusal{report::FindingKind::Unsupported, function.getLoc(), failure.message};
  refusal.kernel = function.getName().str();
  refusal.operation = function->getName().getStringRef().str();
  const report::Report report = reportOn(function, refusal, options, file);
  const std::string text = "tilewright simt: " + failure.message + "\n";
  llvm::errs() << toString(report, formatOnStandardError(options.reports), text);
  if (Result<void> written = writeReportFiles(report, text, options.reports); !written)
    return fail(written.failure(), ExitUsage);
  return report.exitStatus;
}

static int runFile(const SimtOptions &options) {
  api::Loader loader({});
  mlir::DialectRegistry registry;
  simt::registerDialects(registry);
  loader.context().appendDialectRegistry(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(options.file);
  if (!module)
    return loader.status() == api::LoadStatus::Unreadable ? ExitUsage : ExitInvalid;
  Result<mlir::func::FuncOp> function = chooseFunction(*module, options.function);
  if (!function)
    return fail(function.failure(), ExitUsage);
  Result<std::vector<Buffer>> arguments = makeArguments(*function, options);
  if (!arguments)
    return fail(arguments.failure(), ExitUsage);
  Result<simt::Outcome> outcome = simt::run(*function, workgroupOf(options), *arguments);
  if (!outcome)
    return refuse(*function, outcome.failure(), options, loader.name());
  if (Result<void> printed = printMemory(*function, *arguments); !printed)
    return fail(printed.failure(), ExitInvalid);
  const report::Report report = reportOn(*function, outcome->findings, options, loader.name());
  if (Result<void> written = writeFindings(loader, *module, report, options.reports); !written)
    return fail(written.failure(), ExitUsage);
  return report.exitStatus;
}

void tools::addSimt(Command program) {
  auto options = std::make_shared<SimtOptions>();
  Command command =
      program.addCommand("simt", "Execute a function with all threads of a workgroup, in lockstep");
  addFile(command, options->file, "the program; '-' is standard input");
  Option arguments = addTexts(command, "--arg", options->arguments, "VALUE",
                              "the next parameter of the function; once for each, in order")
                         .isFile();
  addIntegers(command, "--threads", options->threads, anyCount, {1, 3}, "X[,Y[,Z]]",
              "threads of the workgroup along x, y and z (default 1)");
  addInteger(command, "--subgroup-size", options->lanes, anyCount, "N",
             "threads in a subgroup (default 32)");
  addName(command, "--function", options->function, "NAME",
          "the function, if the file has several");
  Option seed =
      addInteger(command, "--random", options->seed, anyInteger, "SEED",
                 "pass random small integers as arguments; a seed always gives the same ones");
  seed.excludes(arguments);
  addIntegers(command, "--extents", options->extents, anyExtent, {1, UINT64_MAX}, "N,...",
              "the dynamic extents of random arguments, in order (default 16 each)")
      .needs(seed);
  addReports(command, options->reports);
  command.setFooter(help);
  command.onRun([options] { return runFile(*options); });
}
