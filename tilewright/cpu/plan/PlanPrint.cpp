// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a plan (`--emit=plan`): a line per tile with its placement, then the fusion groups with
// their domains. Each inner loop has its vectors per iteration, its vector width and its members.
// Lines about prefetches refer to the loops by number. Loops with register-resident accumulators,
// matmuls, transposes and lane-shuffle programs follow.
//
//       %tile : !cuda_tile.tile<1x256xf32>  registers  load_view_tko at 12:5
//       fusion group over 1x256
//         loop of 4 x 16: load_view_tko %tile, reduce %sum
//         loop of 16: store_view_tko
//         prefetch in loop 2: %tile of the next tile block, into L1
//         non-temporal store_view_tko if its tensor has 16777216 bytes, ...
//       mmaf %1: 10 blocks of 6 x 16 unrolled 2 times, 1 block of 4 x 16; 1 iteration at once
//         lhs: packed 16 elements at a time; prefetch of the next tile
//         rhs: packed in panels of 16 columns; prefetch of the next tile

#include "mlir/IR/AsmState.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

static void printPlacement(const Plan &plan, Value value, mlir::AsmState &names,
                           llvm::raw_ostream &out) {
  tile::TileType type = tileTypeOf(value);
  if (!type)
    return;
  Placement placement = plan.placements.of(value);
  out << "  ";
  value.printAsOperand(out, names);
  out << " : " << type << "  " << nameOf(placement);
  if (placement == Placement::Buffer) {
    const Buffer &buffer = plan.arena.bufferOf(value);
    out << " [" << buffer.offset << ", " << buffer.offset + buffer.bytes << ")";
  }
  if (Operation *op = value.getDefiningOp())
    out << "  " << codegen::nameAndPlace(op);
  else
    out << "  carried";
  if (plan.placements.rowOnly(value))
    out << ", row buffer";
  if (placement == Placement::Buffer && catOf(value))
    out << ", part of the cat result";
  out << "\n";
}

/// Prints the operation's name, and its result unless that is only a token.
static void printMember(Operation *member, mlir::AsmState &names, llvm::raw_ostream &out) {
  out << member->getName().stripDialect();
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(member);
  if (access && access.isStore())
    return;
  out << " ";
  member->getResult(0).printAsOperand(out, names);
}

static void printPrefetch(const GroupPrefetch &prefetch, mlir::AsmState &names,
                          llvm::raw_ostream &out) {
  if (prefetch.loop >= 0) {
    out << "    prefetch in loop " << prefetch.loop + 1;
    if (prefetch.reason == PrefetchReason::WaitingPass)
      out << ", if its stores are non-temporal";
    out << ": ";
    llvm::interleaveComma(prefetch.tiles, out, [&](const NextTile &next) {
      next.load->getResult(0).printAsOperand(out, names);
    });
    out << " of the next "
        << (isNextOfBlock(prefetch.tiles.front().load) ? "tile block" : "iteration") << ", into "
        << (prefetch.isNear ? "L1" : "L2") << "\n";
  }
  for (const GroupPrefetch::Gather &gather : prefetch.gathers)
    out << "    prefetch in loop 1: gathered rows " << gather.rows << " ahead along dimension "
        << gather.dim << ", into L1\n";
}

static void printNonTemporal(const Plan &plan, const FusionGroup &group, llvm::raw_ostream &out) {
  for (Operation *member : group.members) {
    if (!llvm::isa<tile::StoreViewOp, tile::StorePtrOp>(member))
      continue;
    const NonTemporal &stores = plan.accessOf(member).nonTemporal;
    if (stores.isPossible())
      out << "    non-temporal " << member->getName().stripDialect() << " if "
          << (stores.reason == NonTemporalReason::LargeTensor ? "its tensor has "
                                                              : "all tile blocks store ")
          << stores.leastBytes << " bytes, " << stores.leastBytesOfThreads
          << " with several threads\n";
  }
}

static void printGroup(const Plan &plan, const FusionGroup &group, mlir::AsmState &names,
                       llvm::raw_ostream &out) {
  out << "  fusion group over ";
  llvm::interleave(group.domain, out, "x");
  out << "\n";
  if (!group.sharedRows.empty()) {
    out << "    broadcast row" << (group.sharedRows.size() == 1 ? ": " : "s: ");
    llvm::interleaveComma(group.sharedRows, out,
                          [&](Operation *member) { printMember(member, names, out); });
    out << "\n";
  }
  for (const InnerLoop &loop : group.loops) {
    out << (loop.isOncePerRow ? "    once per row" : "    loop of ");
    if (!loop.isOncePerRow && loop.chains > 1)
      out << loop.chains << " x ";
    if (!loop.isOncePerRow)
      out << loop.width;
    out << ": ";
    llvm::interleaveComma(loop.members, out,
                          [&](Operation *member) { printMember(member, names, out); });
    out << "\n";
  }
  printPrefetch(plan.prefetchOf(group), names, out);
  printNonTemporal(plan, group, out);
}

static void printOperand(const MatmulPlan &plan, unsigned operand, llvm::raw_ostream &out) {
  out << "    " << (operand == 0 ? "lhs: " : "rhs: ");
  if (plan.isInPlace[operand])
    out << "read in place";
  else if (operand == 0)
    out << "packed " << plan.packedElements << " elements at a time";
  else
    out << "packed in panels of " << plan.sums.columns() << " columns";
  if (plan.inTensor[operand])
    out << ", or read in the tensor";
  const OperandPrefetch &prefetch = plan.prefetch[operand];
  if (!prefetch.tiles.empty())
    out << "; prefetch of the next "
        << (prefetch.reason == OperandPrefetchReason::UnlessCached && plan.shared[operand]
                ? "tile, unless packed words are cached"
            : plan.shared[operand] ? "tile, or of its packed words"
                                   : "tile");
  out << "\n";
}

/// Blocks have rows by columns of accumulators.
static void printMatmul(Operation *op, const MatmulPlan &plan, mlir::AsmState &names,
                        llvm::raw_ostream &out) {
  out << "  ";
  printMember(op, names, out);
  out << ": ";
  llvm::interleaveComma(plan.rowBlocks, out, [&](const RowBlocks &blocks) {
    out << blocks.count << (blocks.count == 1 ? " block" : " blocks") << " of " << blocks.rows
        << " x " << plan.sums.columns();
    if (blocks.unroll > 1)
      out << " unrolled " << blocks.unroll << " times";
  });
  out << "; " << plan.iterations << (plan.iterations == 1 ? " iteration" : " iterations")
      << " at once\n";
  for (unsigned operand : {0, 1})
    printOperand(plan, operand, out);
  if (plan.finalStore)
    out << "    last iteration: store_view_tko, if the tile is in bounds"
        << (plan.form.usesTiles() ? "\n" : "; prefetch of its lines\n");
}

static void printRowLoop(const LoopPlan &plan, mlir::AsmState &names, llvm::raw_ostream &out) {
  const RowLoop &rows = *plan.rows;
  out << "  ";
  printMember(plan.loop, names, out);
  out << ": " << rows.blocks() << (rows.blocks() == 1 ? " block" : " blocks")
      << " of register-resident accumulators, " << rows.rows << " x "
      << rows.vectors * rows.loop().width;
  if (rows.hasWholeLoop)
    out << ", with a loop of their own for whole tiles";
  out << "\n";
  if (rows.prefetched.empty())
    return;
  out << "    prefetch: ";
  llvm::interleaveComma(rows.prefetched, out,
                        [&](Operation *load) { load->getResult(0).printAsOperand(out, names); });
  if (rows.prefetch == RowPrefetch::NextRow)
    out << " of the next row, into L1\n";
  else
    out << " " << rows.bytesAhead << " bytes ahead, into L1\n";
}

static void printTranspose(Operation *op, const Transpose &transpose, mlir::AsmState &names,
                           llvm::raw_ostream &out) {
  out << "  ";
  printMember(op, names, out);
  switch (transpose.form) {
  case Transpose::Form::Blocks:
    out << ": transposed in blocks of " << transpose.lanes << " x " << transpose.lanes << "\n";
    return;
  case Transpose::Form::Interleave:
    out << ": rows interleaved, " << transpose.lanes << " elements of each at a time\n";
    return;
  case Transpose::Form::Separate:
    out << ": rows de-interleaved, " << transpose.lanes << " elements of each at a time\n";
    return;
  }
  llvm_unreachable("forms are listed above");
}

static void printNetwork(const Network &network, mlir::AsmState &names, llvm::raw_ostream &out) {
  auto count = [&](NetworkStep::Kind kind) {
    return llvm::count_if(network.steps,
                          [&](const NetworkStep &step) { return step.kind == kind; });
  };
  out << "  lane-shuffle program of " << network.pieces << " x " << network.lanes << " lanes, "
      << count(NetworkStep::Kind::Load) << " loads, " << count(NetworkStep::Kind::Shuffle)
      << " shuffles, " << count(NetworkStep::Kind::Compute) << " computed, "
      << count(NetworkStep::Kind::Store) << " stores: ";
  llvm::interleaveComma(network.members, out,
                        [&](Operation *member) { printMember(member, names, out); });
  out << "\n";
}

void cpu::print(const Plan &plan, llvm::raw_ostream &out) {
  tile::EntryOp entry = plan.entry;
  out << "entry @" << entry.getSymName() << ": " << plan.arena.bytes() << " bytes of arena\n";
  mlir::AsmState names(entry);
  for (Operation *op : plan.order.operations()) {
    for (Value result : op->getResults())
      printPlacement(plan, result, names, out);
    if (tile::isLoop(op))
      for (Value argument : op->getRegion(0).front().getArguments())
        printPlacement(plan, argument, names, out);
  }
  for (const FusionGroup &group : plan.groups.all())
    printGroup(plan, group, names, out);
  for (Operation *op : plan.order.operations())
    if (const Transpose *transpose = plan.transposeOf(op))
      printTranspose(op, *transpose, names, out);
  for (const LoopPlan &loop : plan.loops)
    if (loop.rows)
      printRowLoop(loop, names, out);
  for (const auto &[op, matmul] : plan.matmuls)
    printMatmul(op, matmul, names, out);
  for (const Network &network : plan.networks.all())
    printNetwork(network, names, out);
}
