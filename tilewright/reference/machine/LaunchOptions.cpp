// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/LaunchOptions.h"

using namespace tilewright;
using namespace tilewright::reference;

/// A tile of false conditions causes one finding per element; nobody reads a million of them.
static constexpr size_t mostListedFindings = 1000;

void LaunchResult::add(Finding finding) {
  if (findings.size() == mostListedFindings) {
    unlistedKinds |= 1u << unsigned(finding.kind);
    ++unlistedFindings;
    return;
  }
  findings.push_back(std::move(finding));
}

bool LaunchResult::has(FindingKind kind) const {
  return unlistedKinds >> unsigned(kind) & 1 ||
         llvm::any_of(findings, [&](const Finding &finding) { return finding.kind == kind; });
}

bool LaunchResult::succeeded() const {
  uint32_t warnings =
      1u << unsigned(FindingKind::UnspecifiedValue) | 1u << unsigned(FindingKind::SuspiciousValue);
  return (unlistedKinds & ~warnings) == 0 &&
         llvm::all_of(findings, [](const Finding &finding) { return isWarning(finding.kind); });
}

llvm::StringRef reference::nameOf(Schedule schedule) {
  switch (schedule) {
  case Schedule::ProgramOrder:
    return "program";
  case Schedule::Random:
    return "random";
  case Schedule::Exhaustive:
    return "exhaustive";
  case Schedule::Replay:
    return "replay";
  }
  llvm_unreachable("every schedule has a name");
}

llvm::StringRef reference::nameOf(MmaMode mode) {
  switch (mode) {
  case MmaMode::Chain:
    return "chain";
  case MmaMode::Exact:
    return "exact";
  }
  llvm_unreachable("every mode has a name");
}
