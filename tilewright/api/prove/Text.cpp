// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs as text and as JSON.

#include "tilewright/api/Records.h"
#include "tilewright/api/prove/Prove.h"
#include "tilewright/report/Place.h"
#include "tilewright/support/Shell.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::api;
namespace json = llvm::json;

static std::string gridText(const Counterexample &launch) {
  return llvm::join(llvm::map_range(launch.grid, [](int64_t n) { return std::to_string(n); }), ",");
}

/// The command that shows the counterexample.
static std::string commandOf(const Counterexample &launch, const KernelProof &proof,
                             const std::string &file) {
  std::string command = "tilewright run " + support::shellWord(file) + " --entry " +
                        support::shellWord(proof.entry) + " --grid " + gridText(launch);
  for (const std::string &argument : launch.arguments)
    command += " --arg " + support::quotedShellWord(argument);
  return command + " --check all";
}

/// How to repeat it: as a command, if the program is in a file.
static std::string launchText(const Counterexample &launch, const KernelProof &proof,
                              const std::string &file) {
  if (!file.empty())
    return commandOf(launch, proof, file);
  return "grid " + gridText(launch) + " with (" + llvm::join(launch.arguments, ", ") + ")";
}

static std::string verdictText(const OperationProof &row) {
  switch (row.verdict) {
  case ProofVerdict::Holds:
    return "holds";
  case ProofVerdict::HoldsIf:
    return "holds if";
  case ProofVerdict::Counterexample:
    return "fails for every launch that was tried";
  case ProofVerdict::Unknown:
    return "unknown: the proof stops at " + row.stoppedBy + " (" + textOf(row.stoppedAt) + ")";
  }
  llvm_unreachable("verdicts are listed above");
}

static void print(llvm::raw_ostream &out, const OperationProof &row, const KernelProof &proof,
                  const std::string &file) {
  out << textOf(row.place) << ": " << row.operation << ": " << verdictText(row) << "\n";
  for (const std::string &condition : row.conditions)
    out << "  " << condition << "\n";
  if (row.counterexample)
    out << "  fails: " << launchText(*row.counterexample, proof, file) << "\n    "
        << row.counterexample->finding << "\n";
}

std::string api::toString(const KernelProof &proof, const std::string &file) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const OperationProof &row : proof.operations)
    print(out, row, proof, file);
  const auto count = [&](ProofVerdict verdict) {
    return llvm::count_if(proof.operations,
                          [&](const auto &row) { return row.verdict == verdict; });
  };
  out << proof.operations.size()
      << (proof.operations.size() == 1 ? " operation: " : " operations: ")
      << count(ProofVerdict::Holds) << " hold, " << count(ProofVerdict::HoldsIf)
      << " hold under conditions, " << count(ProofVerdict::Counterexample) << " fail, "
      << count(ProofVerdict::Unknown) << " unknown\n";
  if (!proof.conditions.empty())
    out << "conditions of the launch:\n";
  for (const std::string &condition : proof.conditions)
    out << "  " << condition << "\n";
  return text;
}

//===-- JSON --------------------------------------------------------------------------------===//

static json::Object placeAsJson(const Place &place) {
  return report::toJson(report::SourcePlace{place.file, place.line, place.column, place.byte});
}

static json::Array asJson(const std::vector<std::string> &texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(report::jsonText(text));
  return array;
}

static json::Value asJson(const std::optional<Counterexample> &launch, const KernelProof &proof,
                          const std::string &file) {
  if (!launch)
    return nullptr;
  json::Value command = nullptr;
  if (!file.empty())
    command = report::jsonText(commandOf(*launch, proof, file));
  return json::Object{{"grid", json::Array(launch->grid)},
                      {"arguments", json::Array(launch->arguments)},
                      {"finding", report::jsonText(launch->finding)},
                      {"command", std::move(command)}};
}

static json::Object asJson(const OperationProof &row, const KernelProof &proof,
                           const std::string &file) {
  static constexpr const char *verdicts[] = {"holds", "holds-if", "counterexample", "unknown"};
  json::Value stop = nullptr;
  if (!row.stoppedBy.empty())
    stop = json::Object{{"operation", row.stoppedBy}, {"place", placeAsJson(row.stoppedAt)}};
  return json::Object{{"place", placeAsJson(row.place)},
                      {"operation", row.operation},
                      {"kind", row.isAccess ? "access" : "assumption"},
                      {"verdict", verdicts[size_t(row.verdict)]},
                      {"conditions", asJson(row.conditions)},
                      {"stopped_by", std::move(stop)},
                      {"counterexample", asJson(row.counterexample, proof, file)}};
}

std::string api::toJson(const KernelProof &proof, const std::string &file) {
  json::Array operations;
  for (const OperationProof &row : proof.operations)
    operations.push_back(asJson(row, proof, file));
  json::Value value = json::Object{{"entry", report::jsonText(proof.entry)},
                                   {"parameters", asJson(proof.parameters)},
                                   {"operations", std::move(operations)},
                                   {"conditions", asJson(proof.conditions)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", value) << "\n";
  return text;
}
