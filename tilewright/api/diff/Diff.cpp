// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Diff.h.

#include "tilewright/api/diff/Diff.h"
#include "tilewright/api/PtxFindings.h"
#include "tilewright/api/diff/ArrayDifference.h"
#include "tilewright/api/diff/Compare.h"
#include "tilewright/api/diff/Reduce.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/report/Place.h"
#include "tilewright/report/Report.h"
#include "tilewright/report/SourceLines.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;
namespace json = llvm::json;

static const report::Rule ownRules[] = {
    {"difference", "a device computes what the specification does not allow"},
    {"misbehaviour", "a GPU reports a fault of the kernel"},
    {"failed-assertion", "an assertion of the kernel failed"}};

/// The rules of all devices.
static std::vector<report::Rule> allRules() {
  std::vector<report::Rule> rules(std::begin(ownRules), std::end(ownRules));
  for (llvm::ArrayRef<report::Rule> more : {reference::rules(), ptxRulesAtSource()})
    for (const report::Rule &rule : more)
      if (llvm::none_of(rules, [&](const report::Rule &known) { return known.id == rule.id; }))
        rules.push_back(rule);
  return rules;
}

namespace {
class Differ {
public:
  Differ(const ExploredProgram &program, const runtime::Grid &grid,
         const std::vector<Argument> &arguments)
      : launch{program.entry(), grid, arguments, program.file()}, program(program) {}

  /// Runs the reference machine. False if the kernel misbehaves there.
  Result<bool> begin();
  void compareExpected(const std::vector<ExpectedArray> &expected);
  void compare(const DiffDevice &device, bool reduces);
  KernelDiff finish(bool readsSources);

private:
  void add(const std::string &device, const DeviceOutcome &outcome);
  void add(const std::string &device, const Culprit &culprit);
  void add(const std::string &device, Verdict verdict, std::string summary);
  std::string text(bool readsSources) const;

  const DiffLaunch launch;
  const ExploredProgram &program;
  std::unique_ptr<const ReferenceResult> reference;
  std::vector<report::Finding> findings;
  /// They own locations of findings.
  std::vector<DeviceOutcome> outcomes;
  KernelDiff result;
};
} // namespace

Result<bool> Differ::begin() {
  auto ran = ReferenceResult::of(launch);
  if (!ran)
    return ran.failure();
  reference = *std::move(ran);
  if (reference->outcome.outcome == Outcome::Succeeded)
    return true;
  add("reference", reference->outcome);
  add("reference", Verdict::Misbehaved, "the kernel does not run as specified; see the findings");
  if (reference->outcome.outcome != Outcome::Misbehaved)
    result.exitStatus = 1;
  return false;
}

//===-- Comparing ---------------------------------------------------------------------------===//

void Differ::compareExpected(const std::vector<ExpectedArray> &expected) {
  for (const auto &[index, argument] : llvm::enumerate(arraysOf(launch.arguments)))
    for (const ExpectedArray &array : expected)
      if (array.argument == argument.argument) {
        Contents wanted = reference->arrays;
        const std::span<uint8_t> bytes = array.array.bytes();
        wanted[index].assign(bytes.begin(), bytes.end());
        const ArrayDifferences differences(launch.arguments, wanted, reference->arrays,
                                           reference->history);
        if (differences.empty())
          continue;
        add("reference", Verdict::Different,
            "differs from the expected array: " + differences.toString());
        if (const Write *write = reference->history.lastWrite(differences.first().byte))
          add("reference",
              Culprit{reference->history.run(*write).op, reference->history.run(*write).execution,
                      "stores other values than expected, as the specification requires: " +
                          differences.toString()});
        return;
      }
  add("reference", Verdict::Equal, "equals the expected arrays");
}

void Differ::compare(const DiffDevice &device, bool reduces) {
  Comparison comparison = compareOn(device, launch, *reference);
  add(device.name(), comparison.verdict, std::move(comparison.summary));
  add(device.name(), comparison.outcome);
  if (comparison.culprit)
    add(device.name(), *comparison.culprit);
  if (reduces && !result.reduced && !comparison.observations.all.empty())
    result.reduced = reduceCase(launch, device, comparison.observations, *comparison.culprit);
}

//===-- Results -----------------------------------------------------------------------------===//

static int statusOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Equal:
  case Verdict::Allowed:
    return 0;
  case Verdict::Unsupported:
    return 1;
  case Verdict::Different:
  case Verdict::Misbehaved:
    return 3;
  }
  llvm_unreachable("every verdict is listed");
}

void Differ::add(const std::string &device, Verdict verdict, std::string summary) {
  result.exitStatus = std::max(result.exitStatus, statusOf(verdict));
  result.devices.push_back({device, verdict, std::move(summary)});
}

void Differ::add(const std::string &device, const DeviceOutcome &outcome) {
  outcomes.push_back(outcome);
  for (report::Finding finding : outcome.findings) {
    finding.program = device;
    findings.push_back(std::move(finding));
  }
}

void Differ::add(const std::string &device, const Culprit &culprit) {
  report::Finding finding{report::FindingKind::Difference, culprit.op->getLoc(), ""};
  finding.rule = ownRules;
  finding.op = culprit.op;
  finding.program = device;
  finding.kernel = tile::EntryOp(launch.entry).getSymName().str();
  finding.block = launch.grid.block(culprit.execution.block);
  finding.operation = reference::nameOf(culprit.op).str();
  finding.element = culprit.element;
  const runtime::Block &block = finding.block;
  finding.message = llvm::formatv("block ({0}, {1}, {2}): {3}: {4}", block.x, block.y, block.z,
                                  finding.operation, culprit.message);
  for (const auto &[loop, number] :
       llvm::zip(loopsAround(culprit.op), culprit.execution.iterations))
    finding.iterations.push_back({loop->getLoc(), number + 1, std::nullopt});
  if (culprit.orElse)
    finding.related.push_back({culprit.orElse->getLoc(), "or this operation is wrong"});
  findings.push_back(std::move(finding));
}

static json::Array devicesAsJson(llvm::ArrayRef<DeviceDiff> devices) {
  static constexpr const char *names[] = {"equal", "allowed", "different", "misbehaved",
                                          "unsupported"};
  json::Array rows;
  for (const DeviceDiff &row : devices)
    rows.push_back(json::Object{{"device", row.device},
                                {"verdict", names[size_t(row.verdict)]},
                                {"summary", report::jsonText(row.summary)}});
  return rows;
}

std::string Differ::text(bool readsSources) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  report::SourceLines lines(launch.file, program.text());
  for (const report::Finding &finding : findings)
    if (readsSources)
      lines.print(finding, out);
    else
      out << toString(finding) << "\n";
  return text;
}

KernelDiff Differ::finish(bool readsSources) {
  result.text = text(readsSources);
  const std::vector<report::Rule> rules = allRules();
  report::Report report{launch.file, rules, findings, 0, result.exitStatus};
  report.runAsJson = json::Object{{"devices", devicesAsJson(result.devices)}};
  report.runAsSarif = json::Object(report.runAsJson);
  result.json = report.toJson();
  result.sarif = report.toSarif();
  return std::move(result);
}

static Result<void> verifyDevices(const DiffOptions &options) {
  if (isOnlyReference(options.devices) && options.expected.empty())
    return Failure{"expected a device to compare with the reference machine, or an expected array, "
                   "but got neither"};
  return {};
}

/// Verifies that the arguments match the parameters, and the expected arrays their arguments.
static Result<void> verify(const Entry &entry, const runtime::Grid &grid,
                           const std::vector<Argument> &arguments, const DiffOptions &options) {
  if (Result<void> verified = verifyLaunch(entry, grid, arguments); !verified)
    return verified.failure();
  for (const ExpectedArray &expected : options.expected) {
    const std::string name = "expected array " + std::to_string(expected.argument + 1);
    const auto *array = expected.argument < arguments.size()
                            ? std::get_if<Array>(&arguments[expected.argument])
                            : nullptr;
    if (!array)
      return Failure{name + ": there is no array argument " +
                     std::to_string(expected.argument + 1)};
    if (toString(*array) != toString(expected.array) ||
        !llvm::equal(array->strides(), expected.array.strides()))
      return Failure{name + ": expected the shape of the argument, " + toString(*array) +
                     ", but got " + toString(expected.array)};
  }
  return {};
}

Result<KernelDiff> api::diffKernel(const Entry &entry, const runtime::Grid &grid,
                                   const std::vector<Argument> &arguments,
                                   const DiffOptions &options) {
  if (Result<void> verified = verifyDevices(options); !verified)
    return verified.failure();
  if (Result<void> verified = verify(entry, grid, arguments, options); !verified)
    return verified.failure();
  const auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  Differ differ(**program, grid, arguments);
  const Result<bool> runs = differ.begin();
  if (!runs)
    return runs.failure();
  if (!*runs)
    return differ.finish(options.readsSources);
  if (!options.expected.empty())
    differ.compareExpected(options.expected);
  std::vector<DiffDevice> devices = options.devices;
  if (devices.empty())
    devices = {{Device::Cpu}, {Device::Ptx}};
  for (const DiffDevice &device : devices)
    if (device.device != Device::Reference)
      differ.compare(device, options.reduces);
  return differ.finish(options.readsSources);
}
