// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Events.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

Value reference::slice(Value value, Location whole, Location part) {
  uint64_t width = 4 * (part.end - part.begin);
  return {(value.bits >> 4 * (part.begin - whole.begin)) & llvm::maskTrailingOnes<uint64_t>(width),
          value.mark};
}

bool StepBudget::take() {
  if (left == 0 || isCancelled()) {
    hasRefused = true;
    return false;
  }
  --left;
  return true;
}
