// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Launch.h"

using namespace tilewright;
using namespace tilewright::reference;

Element Launch::unspecifiedBits(Format format) {
  const bool isAny = options.schedule == Schedule::Random;
  uint64_t bits = isAny ? random() : 0;
  // Whoever reads the same place again may find something else.
  changes += isAny;
  return {bits & numerics::info(format).mask(), format};
}
