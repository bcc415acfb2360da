// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ValueCache.h.

#include "tilewright/cpu/emit/ValueCache.h"

#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;

bool cpu::isSame(const Position &a, const Position &b) {
  auto sameValue = [](Value x, Value y) {
    if (x == y)
      return true;
    llvm::APInt first, second;
    return mlir::matchPattern(x, mlir::m_ConstantInt(&first)) &&
           mlir::matchPattern(y, mlir::m_ConstantInt(&second)) && first == second;
  };
  return a.width == b.width && (a.width == 1 || a.lanes == b.lanes) &&
         llvm::equal(a.at, b.at, sameValue);
}

Value ValueCache::lookup(Value tile, const Position &position) const {
  for (const Entry &entry : entries)
    if (entry.tile == tile && isSame(entry.position, position))
      return entry.value;
  return {};
}
