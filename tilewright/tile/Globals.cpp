// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Globals.h.

#include "tilewright/tile/Globals.h"
#include "tilewright/tile/attributes/Places.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using support::Failure;
using support::Result;

Result<uint64_t> tile::alignmentOf(GlobalOp global) {
  auto alignment = uint64_t(std::max<int64_t>(global.getAlignment(), 1));
  std::string what = locationText(global.getLoc()) + ": error: global @" +
                     global.getSymName().str() + ": alignment " + std::to_string(alignment);
  if (!llvm::isPowerOf2_64(alignment))
    return Failure{what + " must be a power of two"};
  if (alignment > largestGlobalAlignment)
    return Failure{what + " is not supported: at most " + std::to_string(largestGlobalAlignment)};
  return alignment;
}
