// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Finding.h.

#include "tilewright/report/Finding.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using namespace tilewright::report;
using tile::locationText;

llvm::StringRef report::nameOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::FailedAssert:
    return "failed-assertion";
  case FindingKind::Misbehaviour:
    return "misbehaviour";
  case FindingKind::UnspecifiedValue:
    return "unspecified-value";
  case FindingKind::SuspiciousValue:
    return "suspicious-value";
  case FindingKind::Unsupported:
    return "unsupported";
  case FindingKind::StepLimit:
    return "step-limit";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::Difference:
    return "difference";
  case FindingKind::InvalidProgram:
    return "invalid-program";
  case FindingKind::SuspiciousProgram:
    return "suspicious-program";
  }
  llvm_unreachable("every kind has a name");
}

llvm::StringRef report::ruleIdOf(const Finding &finding) {
  return finding.rule ? llvm::StringRef(finding.rule->id) : nameOf(finding.kind);
}

std::string report::toString(const Iteration &iteration) {
  std::string text = "in iteration " + std::to_string(iteration.number) + " of this loop";
  if (iteration.inductionValue)
    text += ", with induction value " + llvm::toString(*iteration.inductionValue, 10);
  return text;
}

std::string report::scheduleTextOf(const Finding &finding) {
  return finding.schedule.empty() ? "" : "in the schedule " + finding.schedule;
}

std::string report::headlineOf(const Finding &finding) {
  // The message of a failed assertion is the kernel's own text.
  if (!finding.rule || finding.kind == FindingKind::FailedAssert)
    return finding.message;
  return finding.message + " [" + finding.rule->id.str() + "]";
}

std::string report::toString(const Finding &finding) {
  std::string text = locationText(finding.location) + ": " + levelOf(finding.kind).str() + ": " +
                     headlineOf(finding);
  for (const Related &related : finding.related)
    text += "\n" + locationText(related.location) + ": note: " + related.message;
  for (const Iteration &iteration : finding.iterations)
    text += "\n" + locationText(iteration.loop) + ": note: " + toString(iteration);
  if (!finding.schedule.empty())
    text += "\n" + locationText(finding.location) + ": note: " + scheduleTextOf(finding);
  return text;
}
