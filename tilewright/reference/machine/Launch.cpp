// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Launch.h"

using namespace tilewright;
using namespace tilewright::reference;

Element Launch::unspecifiedBits(Format format) {
  uint64_t bits = options.schedule == Schedule::Random ? random() : 0;
  return {bits & numerics::info(format).mask(), format};
}
