// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compare.h.

#include "tilewright/api/diff/Compare.h"
#include "tilewright/api/devices/SavedArrays.h"
#include "tilewright/api/diff/Allowed.h"
#include "tilewright/api/diff/ArrayDifference.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Result;

/// Runs the program as it is.
static Result<DeviceOutcome> run(const DiffDevice &device, const DiffLaunch &launch,
                                 reference::Observer *observer, Contents &arrays) {
  const SavedArrays saved(launch.arguments);
  Result<DeviceOutcome> ran = runOn(device, {launch.entry, launch.grid, launch.arguments,
                                             launch.file, /*checks=*/true, observer});
  arrays = contentsOf(launch.arguments);
  return ran;
}

Result<std::unique_ptr<const ReferenceResult>> ReferenceResult::of(const DiffLaunch &launch) {
  auto result = std::make_unique<ReferenceResult>();
  Result<DeviceOutcome> ran = run({Device::Reference}, launch, &result->history, result->arrays);
  if (!ran)
    return ran.failure();
  result->outcome = *std::move(ran);
  return std::unique_ptr<const ReferenceResult>(std::move(result));
}

//===-- Locating ----------------------------------------------------------------------------===//

namespace {
/// A device whose arrays differ.
class Explanation {
public:
  Explanation(const DiffDevice &device, const DiffLaunch &launch, const ReferenceResult &reference,
              const Contents &arrays, const ArrayDifferences &differences)
      : device(device), launch(launch), reference(reference), arrays(arrays),
        differences(differences) {}

  /// Completes a comparison that has no verdict yet.
  Result<void> add(Comparison &comparison);

private:
  ProbeLayout layoutFor(llvm::ArrayRef<mlir::Value> values) const;
  Observations observeEach();
  Result<void> explain(Comparison &comparison);
  Result<bool> explainTogether(Comparison &comparison);
  std::string failureText() const;
  std::string unjudgedText() const;
  Result<bool> locate(Observations observations, Comparison &comparison);
  Culprit unknown() const;
  void allow(Comparison &comparison) const;

  const DiffDevice &device;
  const DiffLaunch &launch;
  const ReferenceResult &reference;
  const Contents &arrays;
  const ArrayDifferences &differences;
  Unjudged unjudged = {};
  /// Why the program could not be observed; of the last attempt.
  std::optional<support::Failure> failure = {};
  /// What the program leaves in memory if all values are observed at once.
  std::optional<Contents> observed = {};
};
} // namespace

/// If not all blocks can be observed, those from the one on that wrote the first element that
/// differs.
ProbeLayout Explanation::layoutFor(llvm::ArrayRef<mlir::Value> values) const {
  const MemoryHistory &history = reference.history;
  const Write *write = history.lastWrite(differences.first().byte);
  const int64_t block = write ? history.run(*write).execution.block : 0;
  ProbeLayout all(values, history.trips(), 0, launch.grid.blockCount());
  if (block < all.blocks())
    return all;
  return ProbeLayout(values, history.trips(), block, all.blocks());
}

/// One program for each value, except those in which the device computes something else.
Observations Explanation::observeEach() {
  constexpr size_t mostValues = 400;
  failure.reset();
  Observations observations;
  const std::vector<mlir::Value> values = observableValues(launch.entry);
  for (mlir::Value value : llvm::ArrayRef(values).take_front(mostValues)) {
    auto observed = Observation::make(launch, device, layoutFor(value));
    if (!observed)
      failure = observed.failure();
    else if (differences.areSame(arrays, (*observed)->deviceArrays()))
      observations.all.push_back(*std::move(observed));
  }
  return observations;
}

/// Whether there is a culprit.
Result<bool> Explanation::locate(Observations observations, Comparison &comparison) {
  if (observations.all.empty())
    return false;
  Result<std::optional<Culprit>> culprit =
      findCulprit(launch, device.name(), observations, unjudged);
  if (!culprit)
    return culprit.failure();
  if (!*culprit)
    return false;
  comparison.culprit = *std::move(culprit);
  comparison.observations = std::move(observations);
  return true;
}

/// In one line; empty if all was observed.
std::string Explanation::failureText() const {
  if (!failure)
    return "";
  std::string reason = failure->message;
  llvm::replace(reason, '\n', ' ');
  return " (some could not be observed: " + reason + ")";
}

/// The operation that wrote the first element that differs, or the entry.
Culprit Explanation::unknown() const {
  Culprit culprit{launch.entry, {0}, ""};
  if (const Write *write = reference.history.lastWrite(differences.first().byte)) {
    const MemoryHistory::Run &run = reference.history.run(*write);
    culprit = {run.op, run.execution, ""};
  }
  culprit.message =
      device.name() +
      " leaves other values in memory, but no operation differs when it is observed: " +
      differences.toString();
  culprit.message += failureText();
  return culprit;
}

/// Whether what the specification leaves to devices in some operation is as asked.
static bool leavesOpen(tile::EntryOp entry, llvm::function_ref<bool(const Allowance &)> isAsked) {
  return entry.getBody()
      .walk([&](mlir::Operation *op) {
        const bool computes =
            llvm::isa<tile::ElementwiseOpInterface, tile::MatmulOpInterface>(op) ||
            tile::isAggregate(op);
        return computes && isAsked(allowanceOf(op)) ? mlir::WalkResult::interrupt()
                                                    : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasOpenRounding(tile::EntryOp entry) {
  return leavesOpen(entry, [](const Allowance &allowance) { return allowance.ulps != 0; });
}

static bool hasOpenNans(tile::EntryOp entry) {
  return leavesOpen(entry, [](const Allowance &allowance) { return allowance.anyNan; });
}

/// Whether results depend on the order of tile blocks: those of atomic operations that are used.
static bool hasOpenOrder(tile::EntryOp entry) {
  return entry.getBody()
      .walk([](tile::MemoryAccessOpInterface op) {
        return op.isAtomic() && op.getLoaded() && !op.getLoaded().use_empty()
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

void Explanation::allow(Comparison &comparison) const {
  comparison.verdict = Verdict::Allowed;
  const bool isJudged = unjudged.empty() && !failure;
  comparison.summary = (isJudged ? "differs as the specification allows: "
                                 : "differs; no judged operation is wrong: ") +
                       differences.toString() + failureText();
}

/// ` at line 9`; empty if it is not known.
static std::string whereIs(mlir::Operation *op, llvm::StringRef file) {
  const report::SourcePlace place = report::placeOf(op->getLoc(), file);
  if (place.byte)
    return " at byte " + std::to_string(*place.byte);
  return place.line ? " at line " + std::to_string(place.line) : "";
}

std::string Explanation::unjudgedText() const {
  std::string text;
  for (const auto &[op, count] : unjudged)
    text += (text.empty() ? "; not judged, because sums may overflow: " : ", ") +
            std::to_string(count) + (count == 1 ? " element of " : " elements of ") +
            reference::nameOf(op).str() + whereIs(op, launch.file);
  return text;
}

Result<void> Explanation::add(Comparison &comparison) {
  Result<void> added = explain(comparison);
  comparison.summary += unjudgedText();
  return added;
}

/// Observes all values in one program. Whether that explains the difference.
Result<bool> Explanation::explainTogether(Comparison &comparison) {
  auto together = Observation::make(launch, device, layoutFor(observableValues(launch.entry)));
  if (!together) {
    failure = together.failure();
    return false;
  }
  observed = (*together)->deviceArrays();
  Observations observations;
  observations.all.push_back(*std::move(together));
  const Result<bool> located = locate(std::move(observations), comparison);
  if (!located || *located)
    return located;
  // Several runs of blocks in an open order cannot be compared.
  const bool isOpen =
      hasOpenOrder(launch.entry) || (differences.areSame(arrays, *observed) &&
                                     (hasOpenRounding(launch.entry) || hasOpenNans(launch.entry)));
  if (isOpen)
    allow(comparison);
  return isOpen;
}

Result<void> Explanation::explain(Comparison &comparison) {
  comparison.verdict = Verdict::Different;
  comparison.summary = "differs: " + differences.toString();
  Result<bool> isExplained = explainTogether(comparison);
  if (isExplained && !*isExplained)
    isExplained = locate(observeEach(), comparison);
  if (!isExplained)
    return isExplained.failure();
  if (*isExplained)
    return {};
  if (hasOpenOrder(launch.entry) ||
      (hasOpenRounding(launch.entry) && observed && differences.areLikeThoseOf(*observed)))
    allow(comparison);
  else
    comparison.culprit = unknown();
  return {};
}

//===-- Comparing ---------------------------------------------------------------------------===//

Comparison api::compareOn(const DiffDevice &device, const DiffLaunch &launch,
                          const ReferenceResult &reference) {
  Contents arrays;
  Result<DeviceOutcome> ran = run(device, launch, nullptr, arrays);
  if (!ran)
    return {Verdict::Unsupported, ran.failure().message};
  if (ran->outcome != Outcome::Succeeded)
    return {Verdict::Misbehaved, "the compiled code does not run to its end; see the findings",
            *std::move(ran)};
  const ArrayDifferences differences(launch.arguments, reference.arrays, arrays, reference.history);
  Comparison comparison;
  if (differences.empty())
    return comparison;
  Explanation explanation(device, launch, reference, arrays, differences);
  if (Result<void> added = explanation.add(comparison); !added)
    return {Verdict::Unsupported, added.failure().message};
  return comparison;
}
