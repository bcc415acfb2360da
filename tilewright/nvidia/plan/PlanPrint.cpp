// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of --emit=plan.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;

static llvm::StringRef textOf(ExchangeReason reason) {
  switch (reason) {
  case ExchangeReason::Rearranged:
    return "other threads hold its elements";
  case ExchangeReason::Combined:
    return "it combines elements of several threads";
  case ExchangeReason::Multiplied:
    return "a thread needs rows and columns of other threads";
  case ExchangeReason::Indexed:
    return "a thread needs indices of other threads";
  case ExchangeReason::Shared:
    return "one thread accesses memory for all";
  case ExchangeReason::Printed:
    return "one thread prints all elements";
  case ExchangeReason::Accessed:
    return "memory is accessed in a layout of its own";
  }
  llvm_unreachable("reasons are listed above");
}

/// `shuffles exchange lane 0 with slot 2` and so on.
static std::string textOf(const LaneSwaps &swaps) {
  if (swaps.swaps.empty())
    return "elements stay with their threads, in other slots";
  std::string text;
  for (const LaneSwap &swap : swaps.swaps)
    text += llvm::formatv("{0} lane {1} with slot {2}", text.empty() ? "shuffles exchange" : ",",
                          swap.lane, swap.slot);
  return text;
}

/// One of the layouts, and how many tiles have it.
static void printTiles(const Plan &plan, llvm::raw_ostream &out) {
  llvm::SmallVector<std::pair<TileLayout, int64_t>> counts;
  int64_t recomputed = 0;
  tile::EntryOp(plan.entry).walk([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults()) {
      if (!tileTypeOf(result))
        continue;
      if (isRecomputed(result)) {
        ++recomputed;
        continue;
      }
      TileLayout layout = plan.layoutOf(result);
      auto *found = llvm::find_if(counts, [&](const auto &count) { return count.first == layout; });
      if (found == counts.end())
        counts.push_back({layout, 1});
      else
        ++found->second;
    }
  });
  for (const auto &[layout, count] : counts)
    out << llvm::formatv(
        "  {0} tiles of {1} elements: {2} per thread, {3} side by side, {4}{5}: {6}\n", count,
        layout.elements(), layout.slots(), layout.width(),
        layout.isInRegisters() ? "in registers" : "in local memory, by loops",
        layout.isReplicated() ? ", several threads hold the same" : "", layout.text());
  if (recomputed)
    out << llvm::formatv("  {0} tiles that are computed where they are used\n", recomputed);
}

void nvidia::print(const Plan &plan, llvm::raw_ostream &out) {
  tile::EntryOp entry = plan.entry;
  out << llvm::formatv("entry @{0}: {1}, {2} threads, {3} bytes of shared memory\n",
                       entry.getSymName(), plan.target.cpu, plan.threads, plan.shared.bytes);
  out << "  " << plan.threadsReason << "\n";
  printTiles(plan, out);
  for (const auto &[op, product] : plan.matrices)
    out << llvm::formatv("  {0} {1}: mma.{2}, {3} x {4} fragments in each of {5} x {6} warps\n",
                         op->getName().stripDialect(), tile::locationText(op->getLoc()),
                         product.form.name, product.fragmentsAlongM(), product.fragmentsAlongN(),
                         product.warpsAlongM, product.warpsAlongN);
  for (const auto &[op, exchange] : plan.exchanges) {
    if (exchange.swaps) {
      out << llvm::formatv("  {0} {1}: {2}: {3}\n", op->getName().stripDialect(),
                           tile::locationText(op->getLoc()), textOf(*exchange.swaps),
                           textOf(exchange.reason));
      continue;
    }
    out << llvm::formatv(
        "  {0} {1}: {2} bytes of shared memory, filled {3}: {4}\n", op->getName().stripDialect(),
        tile::locationText(op->getLoc()), exchange.bytes,
        exchange.windows == 1 ? "once" : llvm::formatv("{0} times", exchange.windows).str(),
        textOf(exchange.reason));
  }
  for (const auto &[op, offset] : plan.allocas)
    out << llvm::formatv("  {0} {1}: shared memory from byte {2} on\n",
                         op->getName().stripDialect(), tile::locationText(op->getLoc()), offset);
  for (const auto &[op, offset] : plan.globalAllocas)
    out << llvm::formatv("  {0} {1}: byte {2} of the block's {3} in a pool in global memory\n",
                         op->getName().stripDialect(), tile::locationText(op->getLoc()), offset,
                         plan.pool.bytes);
}
