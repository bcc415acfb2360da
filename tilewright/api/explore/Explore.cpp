// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Explore.h. All launches start from the same array contents.

#include "tilewright/api/explore/Explore.h"
#include "tilewright/api/devices/Device.h"
#include "tilewright/api/explore/Compare.h"
#include "tilewright/api/explore/Document.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;
namespace json = llvm::json;

namespace {
/// What all versions of a kernel share.
struct Versions {
  const runtime::Grid &grid;
  const std::vector<Argument> &arguments;
  /// With a step limit.
  const ExploreOptions &options;
  const nvidia::Target &target;
};
} // namespace

static ExploredVersion cancelled() { return {nullptr, {}, Outcome::Cancelled, {}}; }

static Result<ExploredVersion> exploreVersion(const Entry &entry, const Versions &shared) {
  const ExploreOptions &options = shared.options;
  if (Result<void> verified = verifyLaunch(entry, shared.grid, shared.arguments); !verified)
    return verified.failure();
  auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  const ExploredLaunch launch{**program,        shared.grid,       shared.arguments,
                              options.maxSteps, options.cancelled, options.compare.has_value()};
  Document document(**program);
  Result<ReferenceOutcome> reference = runOnReference(launch);
  if (!reference)
    return reference.failure();
  if (options.isCancelled())
    return cancelled();
  const Outcome outcome = outcomeOf(reference->result);
  const report::OperationCounts counts = reference->counts;
  std::vector<ArrayResult> results = std::move(reference->results);
  document.addReference(*std::move(reference));
  if (const Result<PtxOutcome> ptx = runOnPtx(launch, shared.target))
    document.addPtx(*ptx);
  else
    document.addFailure("ptx", ptx.failure().message);
  if (options.isCancelled())
    return cancelled();
  document.addCode(compileStages(**program, shared.target, document.sources), counts, shared.grid);
  if (options.isCancelled())
    return cancelled();
  json::Object members = document.takeMembers(shared.grid, options);
  return ExploredVersion{*std::move(program), std::move(members), outcome, std::move(results)};
}

/// The version to compare with.
static Result<ExploredVersion> exploreOther(const Entry &entry, const Versions &shared) {
  Result<ExploredVersion> version = exploreVersion(entry, shared);
  if (!version)
    return version.failure().at("@" + entry.name() + " in " + entry.place().file +
                                ", to compare with");
  return version;
}

static std::vector<std::string> filesIn(const json::Object &document) {
  std::vector<std::string> files;
  for (const json::Value &source : *document.getArray("sources"))
    files.push_back(source.getAsObject()->getString("file")->str());
  return files;
}

Result<ExploredKernel> api::exploreKernel(const Entry &entry, const runtime::Grid &grid,
                                          const std::vector<Argument> &arguments,
                                          const ExploreOptions &given) {
  ExploreOptions options = given;
  if (options.target.empty())
    options.target = std::string(nvidia::defaultTarget);
  const Result<nvidia::Target> target = nvidia::Target::named(options.target);
  if (!target)
    return target.failure();
  const Result<int64_t> steps = stepLimitOf(options.maxSteps);
  if (!steps)
    return steps.failure();
  options.maxSteps = *steps;
  const Versions shared{grid, arguments, options, *target};
  Result<ExploredVersion> version = exploreVersion(entry, shared), other = cancelled();
  if (!version)
    return version.failure();
  if (version->outcome != Outcome::Cancelled && options.compare) {
    other = exploreOther(*options.compare, shared);
    if (!other)
      return other.failure();
    if (other->outcome != Outcome::Cancelled)
      version->members["compare"] = comparisonOf(*other, *version);
  }
  if (options.isCancelled())
    return ExploredKernel{"", Outcome::Cancelled};
  std::vector<std::string> files = filesIn(version->members);
  if (const json::Object *compare = version->members.getObject("compare"))
    llvm::append_range(files, filesIn(*compare->getObject("other")));
  return ExploredKernel{textOfDocument(std::move(version->members)), version->outcome,
                        std::move(files)};
}
