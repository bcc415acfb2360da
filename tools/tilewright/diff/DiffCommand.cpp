// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright diff`: runs a kernel on several devices and finds the operation at which one of them
// leaves the specification.

#include "Commands.h"
#include "Options.h"
#include "ReportFlags.h"
#include "WriteReports.h"
#include "tilewright/api/diff/Diff.h"
#include "tools/tilewright/arrays/ArrayValue.h"
#include "tools/tilewright/diff/ReducedFiles.h"
#include "tools/tilewright/run/EntryArguments.h"

using namespace tilewright;
using namespace tilewright::tools;
using report::ReportFormat;
using support::Failure;
using support::Result;

namespace {
struct DiffCommandOptions : LaunchFlags {
  std::string reduced;
  std::vector<std::string> expected;
  std::vector<api::DiffDevice> devices;
  std::vector<report::ReportRequest> reports;
};
} // namespace

static int fail(const Failure &failure, int status) {
  llvm::errs() << (status == ExitUsage ? "tilewright diff: " : "") << failure.message << "\n";
  return status;
}

//===-- Expected arrays ---------------------------------------------------------------------===//

namespace {
/// The arrays of --expect, and the argument of the launch that each belongs to.
struct ExpectedArrays {
  std::vector<TypedArray> arrays;
  std::vector<size_t> arguments;

  Result<std::vector<api::ExpectedArray>> forLibrary();
};
} // namespace

/// The parameter of the N-th array among the arguments, from 1.
static std::optional<size_t> parameterOf(const Arguments &bound, uint64_t number) {
  for (const auto &[parameter, value] : llvm::enumerate(bound.values))
    if (value.array && *value.array + 1 == number && !value.isMulticast)
      return parameter;
  return std::nullopt;
}

static std::string typeOf(const TypedArray &array) {
  return typeText(array.format(), array.shape());
}

/// Parses `N=VALUE`.
static Result<void> addExpected(const Arguments &bound, llvm::StringRef text,
                                ExpectedArrays &expected) {
  const auto [number, value] = text.split('=');
  const Result<uint64_t> parsed = parseInteger(number, {1, bound.arrays.size()});
  if (!parsed || value.empty())
    return Failure{"expected N=FILE.npy with the number of an array argument, 1 to " +
                   std::to_string(bound.arrays.size()) + ", but got '" + text.str() + "'"};
  const std::optional<size_t> parameter = parameterOf(bound, *parsed);
  if (parameter && llvm::is_contained(expected.arguments, *parameter))
    return Failure{"array " + number.str() + " is given twice"};
  if (!parameter)
    return Failure{"array " + number.str() + " is in multicast memory, which is not supported"};
  Result<TypedArray> array = makeArray(value, bound.arrays[*parsed - 1].format());
  if (!array)
    return array.failure();
  if (array->shape() != bound.arrays[*parsed - 1].shape())
    return Failure{"array " + number.str() + ": expected the shape of the argument, " +
                   typeOf(bound.arrays[*parsed - 1]) + ", but got " + typeOf(*array)};
  expected.arrays.push_back(*std::move(array));
  expected.arguments.push_back(*parameter);
  return {};
}

Result<std::vector<api::ExpectedArray>> ExpectedArrays::forLibrary() {
  std::vector<api::ExpectedArray> all;
  for (const auto &[array, argument] : llvm::zip_equal(arrays, arguments)) {
    Result<api::Array> made =
        api::Array::create(array.storage().bytes().data(), array.format(), array.shape());
    if (!made)
      return made.failure();
    all.push_back({argument, *std::move(made)});
  }
  return all;
}

//===-- The command -------------------------------------------------------------------------===//

static void printDevices(const std::vector<api::DeviceDiff> &devices) {
  size_t width = 0;
  for (const api::DeviceDiff &row : devices)
    width = std::max(width, row.device.size());
  for (const api::DeviceDiff &row : devices)
    llvm::outs() << row.device << std::string(width - row.device.size(), ' ') << "  " << row.summary
                 << "\n";
}

static Result<void> writeReduced(const DiffCommandOptions &options, const api::KernelDiff &diff) {
  if (options.reduced.empty())
    return {};
  if (!diff.reduced) {
    const bool differs = llvm::any_of(diff.devices, [](const api::DeviceDiff &row) {
      return row.verdict == api::Verdict::Different;
    });
    llvm::outs() << (differs ? "nothing was reduced: no smaller kernel differs\n"
                             : "nothing to reduce: no device differs\n");
    return {};
  }
  Result<std::string> command = tools::writeReduced(*diff.reduced, options.reduced);
  if (!command)
    return command.failure();
  llvm::outs() << "reduced to " << diff.reduced->operations << " operations: " << *command << "\n";
  return {};
}

static int write(const DiffCommandOptions &options, const api::KernelDiff &diff) {
  const auto form = [&](ReportFormat format) {
    return format == ReportFormat::Json    ? diff.json
           : format == ReportFormat::Sarif ? diff.sarif
                                           : diff.text;
  };
  printDevices(diff.devices);
  const Result<void> reduced = writeReduced(options, diff);
  if (Result<void> printed = flush(llvm::outs(), "-"); !printed)
    return fail(printed.failure(), ExitUsage);
  llvm::errs() << form(formatOnStandardError(options.reports));
  if (Result<void> written = writeReportFiles(form, options.reports); !written)
    return fail(written.failure(), ExitUsage);
  if (!reduced)
    return fail(reduced.failure(), ExitUsage);
  return diff.exitStatus;
}

static int diff(const DiffCommandOptions &options) {
  Result<runtime::Grid> grid = runtime::Grid::parse(options.grid);
  if (!grid)
    return fail(grid.failure(), ExitUsage);
  std::vector<NamedOutput> files = outputsOf(options.reports);
  files.push_back({"--reduce", options.reduced});
  files.push_back({"the kernel", options.file});
  if (Result<void> distinct = verifyDistinct(files); !distinct)
    return fail(distinct.failure(), ExitUsage);
  EntryArguments given;
  if (Result<void> loaded = given.load(options); !loaded)
    return fail(loaded.failure(), given.status());
  ExpectedArrays expected;
  for (const std::string &text : options.expected)
    if (Result<void> added = addExpected(given.bound(), text, expected); !added)
      return fail(added.failure().at("--expect"), ExitUsage);
  Result<std::vector<api::ExpectedArray>> expectedArrays = expected.forLibrary();
  if (!expectedArrays)
    return fail(expectedArrays.failure(), ExitUsage);
  Result<api::KernelDiff> compared =
      api::diffKernel(given.entry(), *grid, given.arguments(),
                      {options.devices, *std::move(expectedArrays), !options.reduced.empty(),
                       /*readsSources=*/true});
  if (!compared)
    return fail(compared.failure(), ExitInvalid);
  return write(options, *compared);
}

/// Checks what depends on several options.
static void complete(const DiffCommandOptions &options) {
  if (api::isOnlyReference(options.devices) && options.expected.empty())
    refuse("--devices", "expected a device to compare with the reference machine, or --expect");
  const auto isForbidden = [](char c) {
    return llvm::StringRef(",[]()").contains(c) || uint8_t(c) < ' ' || c == 0x7F;
  };
  if (llvm::any_of(options.reduced, isForbidden))
    refuse("--reduce",
           "expected a name without commas, brackets and control characters, which --arg "
           "could not take, but got '" +
               options.reduced + "'");
}

static void addDevices(Command command, std::vector<api::DiffDevice> &devices) {
  auto store = [&devices](const Command::Texts &texts) {
    for (const std::string &text : texts) {
      Result<api::DiffDevice> device = api::DiffDevice::parse(text);
      if (!device)
        refuse("--devices", device.failure().message);
      devices.push_back(*std::move(device));
    }
  };
  std::vector<std::string> names = {"reference", "cpu", "ptx", "gpu"};
  for (const std::string &gpu : gpuNames())
    names.push_back("ptx:" + gpu);
  command
      .addOption("--devices", std::move(store), "DEVICE[,...]",
                 "the devices to compare with the reference machine: cpu, ptx or gpu, each with an "
                 "optional target: ptx:sm_80 (default cpu,ptx)")
      .splitAt(',')
      .completedBy({Values::List, std::move(names)});
}

void tools::addDiff(Command program) {
  auto options = std::make_shared<DiffCommandOptions>();
  Command command = program.addCommand("diff", "Find the operation that a device computes wrongly");
  addLaunchFlags(command, *options);
  addDevices(command, options->devices);
  addTexts(command, "--expect", options->expected, "N=FILE.npy",
           "what the N-th array argument must hold after the launch; may be repeated")
      .isFile();
  addName(command, "--reduce", options->reduced, "FILE.mlir",
          "write a small kernel in which the operation is still wrong; the file begins with the "
          "command that shows it")
      .isFile();
  addReports(command, options->reports);
  command.setFooter(
      "Runs the kernel on the reference machine and on each device, with equal arrays.\n"
      "Exit status: 0 all devices compute what the specification allows; 1 the program is\n"
      "invalid, or a device cannot run it; 2 wrong usage, or a file that cannot be read or\n"
      "written; 3 a device computes something else, or the kernel misbehaved.");
  command.onParsed([options] { complete(*options); });
  command.onRun([options] { return diff(*options); });
}
