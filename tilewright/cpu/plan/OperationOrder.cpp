// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OperationOrder.h.

#include "tilewright/cpu/plan/OperationOrder.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::cpu;

OperationOrder::OperationOrder(tile::EntryOp entry) { number(entry.getBody().front()); }

void OperationOrder::number(mlir::Block &block) {
  for (mlir::Operation &op : block) {
    unsigned mine = all.size();
    all.push_back(&op);
    barriers.push_back((barriers.empty() ? 0 : barriers.back()) + analysis::isBarrier(&op));
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        if (!tile::isAggregate(&op) || !analysis::isElementwiseBody(inner))
          number(inner);
    numbers[&op] = {mine, unsigned(all.size()) - 1};
  }
}
