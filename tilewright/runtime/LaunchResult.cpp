// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/LaunchResult.h"

using namespace tilewright;
using namespace tilewright::runtime;

std::string runtime::toString(const FailedAssert &failed) {
  const Block &block = failed.block;
  return failed.location + ": error: block (" + std::to_string(block.x) + ", " +
         std::to_string(block.y) + ", " + std::to_string(block.z) +
         "): assertion failed: " + failed.message +
         (failed.element.empty() ? "" : " at " + failed.element);
}
