// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twFinding: what the last run of a launch did wrong.

#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;

static twFindingKind kindOf(api::FindingKind kind) {
  switch (kind) {
  case api::FindingKind::FailedAssert:
    return TW_FAILED_ASSERT;
  case api::FindingKind::Misbehaviour:
    return TW_MISBEHAVIOUR;
  case api::FindingKind::UnspecifiedValue:
    return TW_UNSPECIFIED_VALUE;
  case api::FindingKind::SuspiciousValue:
    return TW_SUSPICIOUS_VALUE;
  case api::FindingKind::Unsupported:
    return TW_UNSUPPORTED;
  case api::FindingKind::StepLimit:
    return TW_STEP_LIMIT;
  case api::FindingKind::Deadlock:
    return TW_DEADLOCK;
  }
  llvm_unreachable("all kinds are listed");
}

size_t twLaunchFindingCount(const twLaunchHandle *launch) {
  return launch ? launch->result.findings.size() : 0;
}

int64_t twLaunchUnlistedFindings(const twLaunchHandle *launch) {
  return launch ? launch->result.unlistedFindings : 0;
}

twStatus api::c::fillFinding(const api::Finding &found, twFinding *finding) {
  twFinding known = {};
  known.kind = kindOf(found.kind);
  known.severity = found.isWarning ? TW_WARNING : TW_ERROR;
  known.message = found.message.c_str();
  known.text = found.text.c_str();
  known.place = placeOf(found.place);
  known.rule = found.rule.c_str();
  known.section = found.section.c_str();
  known.help = found.help.c_str();
  known.kernel = found.kernel.c_str();
  std::copy(found.block.begin(), found.block.end(), known.block);
  known.operation = found.operation.c_str();
  known.element = found.element.c_str();
  known.array = found.array.c_str();
  known.arrayElement = found.arrayElement.value_or(-1);
  known.schedule = found.schedule.c_str();
  return fillStruct(finding, known);
}

twStatus twLaunchFinding(const twLaunchHandle *launch, size_t index, twFinding *finding) {
  if (!finding || index >= twLaunchFindingCount(launch))
    return TW_USAGE;
  return fillFinding(launch->result.findings[index], finding);
}
