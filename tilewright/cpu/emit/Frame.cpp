// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Frame.h.

#include "tilewright/cpu/emit/Frame.h"
#include "tilewright/cpu/plan/RowLoops.h"

using namespace tilewright;
using namespace tilewright::cpu;

LoopFrame *Frame::rowLoopOf(const FusionGroup &group) {
  bool isGroup = !loops.empty() && loops.back().rows && loops.back().rows->group == &group;
  return isGroup ? &loops.back() : nullptr;
}
