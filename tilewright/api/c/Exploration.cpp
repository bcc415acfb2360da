// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executions and outcomes that the last run of a launch found, with the option isExhaustive.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;

/// Null if the last run explored nothing.
static const api::Exploration *explorationOf(const twLaunchHandle *launch) {
  return launch && launch->result.exploration ? &*launch->result.exploration : nullptr;
}

uint64_t twLaunchExecutionCount(const twLaunchHandle *launch) {
  const api::Exploration *exploration = explorationOf(launch);
  return exploration ? exploration->executions : 0;
}

size_t twLaunchOutcomeCount(const twLaunchHandle *launch) {
  const api::Exploration *exploration = explorationOf(launch);
  return exploration ? exploration->outcomes.size() : 0;
}

size_t twLaunchOutcomeSize(const twLaunchHandle *launch, size_t outcome) {
  if (outcome >= twLaunchOutcomeCount(launch))
    return 0;
  return explorationOf(launch)->outcomes[outcome].size();
}

twStatus twLaunchOutcomeElement(const twLaunchHandle *launch, size_t outcome, size_t index,
                                twChangedElement *element) {
  if (!element || index >= twLaunchOutcomeSize(launch, outcome))
    return TW_USAGE;
  const api::ChangedElement &changed = explorationOf(launch)->outcomes[outcome][index];
  twChangedElement known = {};
  known.array = changed.array.c_str();
  known.element = changed.element;
  known.type = typeOf(changed.value.format);
  known.isUndefined = changed.value.poison;
  known.bits = api::slotFor(changed.value);
  known.value = changed.text.c_str();
  return fillStruct(element, known);
}

const char *twLaunchExplorationLimit(const twLaunchHandle *launch) {
  const api::Exploration *exploration = explorationOf(launch);
  return exploration && !exploration->limit.empty() ? exploration->limit.c_str() : nullptr;
}
