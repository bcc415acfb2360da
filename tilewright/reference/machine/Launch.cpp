// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Launch.h"

using namespace tilewright;
using namespace tilewright::reference;

Element Launch::unspecifiedBits(Format format) {
  const bool isAny = options.schedule == Schedule::Random;
  uint64_t bits = isAny ? random() : 0;
  // Random bits count as a change of memory: reading them again may give other values.
  changes += isAny;
  return {bits & numerics::info(format).mask(), format};
}
