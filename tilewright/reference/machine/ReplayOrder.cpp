// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReplayOrder.h.

#include "tilewright/reference/machine/ReplayOrder.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright::reference;
using llvm::StringRef;
using tilewright::support::Failure;
using tilewright::support::Result;

/// A number of at least `least`.
static std::optional<int64_t> numberIn(StringRef text, int64_t least) {
  int64_t number;
  if (text.getAsInteger(10, number) || number < least)
    return std::nullopt;
  return number;
}

static std::optional<ReplayStep> stepIn(StringRef text) {
  auto [blockText, operationText] = text.split(':');
  const std::optional<int64_t> block = numberIn(blockText, 0);
  if (!block || !text.contains(':'))
    return block ? std::optional(ReplayStep{*block, std::nullopt}) : std::nullopt;
  const std::optional<int64_t> operation = numberIn(operationText, 1);
  return operation ? std::optional(ReplayStep{*block, operation}) : std::nullopt;
}

Result<ReplayOrder> ReplayOrder::parse(StringRef text) {
  StringRef rest = text;
  if (!rest.consume_front(replayPrefix))
    return Failure{"expected a schedule like 'replay:1:3,0', but got '" + text.str() + "'"};
  llvm::SmallVector<StringRef> parts;
  rest.split(parts, ',');
  ReplayOrder order;
  for (StringRef part : parts) {
    const std::optional<ReplayStep> step = stepIn(part);
    if (!step)
      return Failure{"the schedule '" + text.str() +
                     "': expected BLOCK:OPERATION or BLOCK, but got '" + part.str() + "'"};
    order.steps.push_back(*step);
  }
  return order;
}

std::string ReplayOrder::text() const {
  std::string text = replayPrefix.str();
  for (const ReplayStep &step : steps) {
    text += (text.size() == replayPrefix.size() ? "" : ",") + std::to_string(step.block);
    if (step.lastOperation)
      text += ":" + std::to_string(*step.lastOperation);
  }
  return text;
}

void ReplayOrder::run(int64_t block, std::optional<int64_t> lastOperation) {
  if (lastOperation && !steps.empty() && steps.back().block == block && steps.back().lastOperation)
    steps.back().lastOperation = lastOperation;
  else
    steps.push_back({block, lastOperation});
}
