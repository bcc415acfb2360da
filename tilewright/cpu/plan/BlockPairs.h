// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels compute two tile blocks at a time? Those that go over one short row several times:
// adding up the lanes of a sum, and what follows from it before the next pass, takes a quarter of
// their time, in which the processor cannot begin with another row, as that is too far away. So the
// rows of two blocks go through each loop together. Blocks have no order (memory model, 5), so what
// both of them do may be done in any.

#ifndef TILEWRIGHT_CPU_PLAN_BLOCKPAIRS_H
#define TILEWRIGHT_CPU_PLAN_BLOCKPAIRS_H

#include "mlir/IR/OwningOpRef.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

struct FusionGroup;

/// An entry that does what two tile blocks do: each operation that depends on the block is there
/// twice, the one of the second block behind that of the first.
struct BlockPair {
  mlir::OwningOpRef<tile::EntryOp> entry;
  tile::GetTileBlockIdOp second;
};

/// The pair of an entry that consists of this group and what is fused with it; none if the group
/// would not gain, or the entry does something that is not to be repeated.
std::optional<BlockPair> pairOf(tile::EntryOp entry, const FusionGroup &group);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_BLOCKPAIRS_H
