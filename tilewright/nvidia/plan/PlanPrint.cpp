// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the plan. --emit=plan prints layouts, and the consequences for each operation; --remarks
// reports the latter at the operations.

#include "tilewright/codegen/Remarks.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/Assemble.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/nvidia/plan/hints/PlanHints.h"
#include "tilewright/tile/Loops.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using codegen::nameAndPlace;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

/// `1 element`, `2 elements`
static std::string counted(int64_t count, llvm::StringRef what) {
  return formatv("{0} {1}{2}", count, what, count == 1 ? "" : "s");
}

//===-- Layouts -------------------------------------------------------------------------------===//

/// `4 lanes (stride 8)`: consecutive elements, according to these bits.
static std::string factorText(const Digit &first, size_t bits) {
  const int64_t count = int64_t(1) << bits;
  if (!first.isThread)
    return formatv("{0} per thread", count);
  const unsigned bit = first.bit - (first.isOfWarp() ? Digit::laneBits : 0);
  return counted(count, first.isOfWarp() ? "warp" : "lane") +
         (bit ? formatv(" (stride {0})", int64_t(1) << bit).str() : "");
}

/// Describes the bits of an element number from `begin` to `end`, the fastest first.
static std::string factorsOf(const TileLayout &layout, size_t begin, size_t end) {
  std::string text;
  for (size_t at = begin; at < end;) {
    const Digit first = layout.digits[at];
    size_t next = at + 1;
    const auto goesOn = [&](const Digit &digit) {
      return digit.isThread == first.isThread && digit.isOfWarp() == first.isOfWarp() &&
             (!first.isThread || digit.bit == first.bit + (next - at));
    };
    while (next < end && goesOn(layout.digits[next]))
      ++next;
    text += (text.empty() ? "" : ", ") + factorText(first, next - at);
    at = next;
  }
  return text;
}

/// `dim 0: 8 lanes (stride 4), 4 warps; dim 1: 2 per thread, 4 lanes`
static std::string ownersOf(const TileLayout &layout, llvm::ArrayRef<int64_t> shape) {
  std::string text;
  size_t end = layout.digits.size();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    const size_t begin = end - llvm::Log2_64(uint64_t(extent));
    if (begin != end)
      text +=
          formatv("{0}dim {1}: {2}", text.empty() ? "" : "; ", dim, factorsOf(layout, begin, end));
    end = begin;
  }
  return text;
}

static std::string textOf(const TileLayout &layout, llvm::ArrayRef<int64_t> shape) {
  if (layout.elements() == 1)
    return "1 element, replicated in every thread";
  std::string extents;
  for (int64_t extent : shape)
    extents += (extents.empty() ? "" : "x") + std::to_string(extent);
  return formatv("{0}: {1} per thread{2}, {3}; {4}", extents, counted(layout.slots(), "element"),
                 layout.isReplicated() ? ", replicated" : "",
                 layout.isInRegisters() ? "in registers" : "in local memory (loops)",
                 ownersOf(layout, shape));
}

namespace {
/// The operations whose results, or accesses, have this layout.
struct LayoutRow {
  TileLayout layout;
  llvm::ArrayRef<int64_t> shape;
  SmallVector<Operation *> operations = {};
};
} // namespace

static void printLayouts(const Plan &plan, llvm::raw_ostream &out) {
  SmallVector<LayoutRow> rows;
  SmallVector<Operation *> recomputed, copied;
  tile::EntryOp(plan.entry).walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : llvm::make_filter_range(op->getResults(), tileTypeOf)) {
      if (isRecomputed(result)) {
        recomputed.push_back(op);
        continue;
      }
      if (plan.copied.contains(result)) {
        copied.push_back(op);
        continue;
      }
      TileLayout layout = plan.layoutOf(result);
      llvm::ArrayRef<int64_t> shape = tileTypeOf(result).getShape();
      auto *found = llvm::find_if(rows, [&](const LayoutRow &row) {
        return row.layout == layout && (row.shape == shape || layout.elements() == 1);
      });
      if (found == rows.end())
        found = &rows.emplace_back(LayoutRow{layout, shape});
      if (found->operations.empty() || found->operations.back() != op)
        found->operations.push_back(op);
    }
  });
  if (rows.empty() && recomputed.empty() && copied.empty())
    return;
  out << "  register layouts, with the factors of each dimension, fastest first:\n";
  for (const LayoutRow &row : rows)
    out << "    " << textOf(row.layout, row.shape) << "\n      "
        << codegen::namesAndPlaces(row.operations) << "\n";
  if (!copied.empty())
    out << "    only in shared memory\n      " << codegen::namesAndPlaces(copied) << "\n";
  if (!recomputed.empty())
    out << "    rematerialized at each use\n      " << codegen::namesAndPlaces(recomputed) << "\n";
}

//===-- Operations ----------------------------------------------------------------------------===//

static llvm::StringRef textOf(ExchangeReason reason) {
  switch (reason) {
  case ExchangeReason::Rearranged:
    return "its elements move between threads";
  case ExchangeReason::Combined:
    return "it combines elements across threads";
  case ExchangeReason::Multiplied:
    return "operands are shared across threads";
  case ExchangeReason::Indexed:
    return "indices are shared across threads";
  case ExchangeReason::Shared:
    return "one thread accesses memory for all";
  case ExchangeReason::Printed:
    return "one thread prints all elements";
  case ExchangeReason::Accessed:
    return "the access uses a coalesced layout";
  }
  llvm_unreachable("reasons are listed above");
}

/// `lane shuffles swap lane bit 0 and register bit 2` and so on.
static std::string textOf(const LaneSwaps &swaps) {
  if (swaps.swaps.empty())
    return "layout conversion within threads (register renaming)";
  std::string text;
  for (const LaneSwap &swap : swaps.swaps)
    text += llvm::formatv("{0} lane bit {1} and register bit {2}",
                          text.empty() ? "lane shuffles swap" : ",", swap.lane, swap.slot);
  return text;
}

static std::string textOf(const Exchange &exchange) {
  std::string how =
      exchange.swaps
          ? textOf(*exchange.swaps)
          : formatv("{0}through {1} of shared memory, {2}",
                    exchange.reason == ExchangeReason::Accessed ? "layout conversion " : "",
                    counted(exchange.bytes, "byte"), counted(exchange.windows, "chunk"))
                .str();
  return how + ", because " + textOf(exchange.reason).str();
}

/// Why a product is not computed by the faster matrix instructions of the target.
static std::string unusedInstructions(const Plan &plan, Operation *op) {
  auto found = plan.tensor.reasons.find(op);
  if (found != plan.tensor.reasons.end())
    return "; tcgen05.mma is not used: " + found->second;
  if (plan.target.capability == 90 && llvm::isa<tile::MmaFScaledOp>(op))
    return "; wgmma does not scale, and would need a second set of accumulators";
  if (plan.target.capability == 90)
    return "; wgmma takes 64 rows, up to 128 accumulators per thread, and no 8-bit rhs by rows";
  return "";
}

/// How a product without an instruction for scales applies them.
static std::string scalingOf(const MatrixProduct &product) {
  if (!product.isScaled() || product.form.takesScales)
    return "";
  return formatv("; {0}sums of {1} steps along k are scaled in f32, and added to the accumulators",
                 product.form.takesHalves ? "elements are converted to f16 in registers; " : "",
                 product.scaledBlock);
}

static std::string textOf(const Plan &plan, Operation *op, const MatrixProduct &product) {
  const int64_t columnsOfOne = product.columnsOfOne();
  if (const TensorAccumulators *sums = plan.tensor.find(op))
    return formatv("by tcgen05.mma.kind::{0} of {1} x {2} x {3}, {4} x {5} blocks; accumulators in "
                   "columns {6} to {7} of tensor memory {8}",
                   product.form.name, product.rowsOfOne(), columnsOfOne, product.steps(),
                   product.m / product.rowsOfOne(), product.n / columnsOfOne, sums->column,
                   sums->column + product.tensorColumns() - 1,
                   sums->isHeld ? "during the loop" : "during the product");
  if (product.form.isOfWarpgroup())
    return formatv(
        "by wgmma.m64n{0}k{1}.{2}, {3} x {4} blocks in each of {5} x {6} warpgroups{7}",
        columnsOfOne, product.steps(), product.form.name, product.fragmentsAlongM(),
        product.n / product.warpsAlongN / columnsOfOne, product.warpsAlongM, product.warpsAlongN,
        product.isPromoted
            ? formatv("; sums of up to {0} steps along k are added in f32, without fast_acc",
                      MatrixProduct::stepsOfPromotion)
                  .str()
            : "");
  return formatv("by mma.{0}, {1} x {2} fragments in each of {3} x {4} warps{5}{6}",
                 product.form.name, product.fragmentsAlongM(), product.fragmentsAlongN(),
                 product.warpsAlongM, product.warpsAlongN, scalingOf(product),
                 unusedInstructions(plan, op));
}

static std::string textOf(const Plan &plan, tile::MemoryAccessOpInterface access) {
  if (access.isAtomic() || !access.isWeak())
    return "scalar accesses: the access is atomic or ordered";
  if (plan.roles.stores.contains(access))
    return "written into shared memory and copied from there by a tensor map";
  int64_t width = plan.widthOfAccess(access);
  Value tile = access.getLoaded() ? access.getLoaded() : access.getStored();
  mlir::Type elementType = llvm::cast<tile::TileType>(tile.getType()).getElementType();
  const bool isPacked = llvm::isa<mlir::Float4E2M1FNType>(elementType);
  if (isPacked && plan.copied.contains(tile))
    return "copied into shared memory: two elements share a byte";
  if (isPacked)
    return access.getLoaded() ? "scalar accesses: two elements share a byte"
                              : "one byte at a time: two elements share a byte; read-modify-write "
                                "unless a warp has both";
  TileLayout layout =
      access.isThroughView() ? plan.layoutOfAccess(access) : plan.layoutOfElements(access);
  if (width == 1)
    return layout.slots() == 1
               ? "scalar accesses: one element per thread"
               : "scalar accesses: a thread's elements are not known to be contiguous";
  int64_t bytes = elementwise::wordBytes(elementType);
  return formatv("{0}vector accesses of {1} ({2}) if aligned and contiguous; otherwise scalar",
                 plan.copied.contains(tile) ? "copied into shared memory: " : "",
                 counted(width, "element"), counted(width * bytes, "byte"));
}

/// Why lhs does not go through tensor memory.
static std::string unusedColumns(const Plan &plan, Operation *product,
                                 const StagedOperand &operand) {
  const TensorAccumulators *sums = plan.tensor.find(product);
  if (!sums || sums->lhsReason.empty() || &operand != &plan.staged.find(product)->second.lhs)
    return "";
  return " to shared memory, not to tensor memory (" + sums->lhsReason + ")";
}

/// Describes how an operand gets to the instructions of a product.
static std::string textOf(const Plan &plan, Operation *product, const StagedOperand &operand) {
  switch (operand.way) {
  case StagedOperand::Written:
    return "stored from registers" + unusedColumns(plan, product, operand);
  case StagedOperand::Copied:
    return "copied immediately before the product";
  case StagedOperand::Kept:
    return operand.load ? "copied once before the loop" : "stored once before the loop";
  case StagedOperand::InRegisters:
    return "passed in registers";
  case StagedOperand::InTensorMemory:
    return formatv("stored from registers to columns {0} to {1} of tensor memory",
                   plan.tensor.find(product)->lhsColumn,
                   plan.tensor.find(product)->lhsColumn +
                       plan.matrices.find(product)->second.wordsOfLhs().tensorColumns() - 1);
  case StagedOperand::WrittenAhead:
    return formatv("stored by the consumers, ahead of the multiplier ({0} pipeline stages of {1})",
                   plan.pipelines.find(product->getParentOp())->second.stages,
                   counted(operand.bytes, "byte"));
  case StagedOperand::CopiedAhead: {
    const Pipeline &pipeline = plan.pipelines.find(product->getParentOp())->second;
    if (plan.roles.ringOf(product))
      return formatv("copied by the producer warp ({0} pipeline stages of {1})", pipeline.stages,
                     counted(operand.bytes, "byte"));
    return formatv("prefetched {0} ahead ({1} pipeline stages of {2})",
                   counted(pipeline.ahead(), "iteration"), pipeline.stages,
                   counted(operand.bytes, "byte"));
  }
  }
  llvm_unreachable("ways are listed above");
}

static void addDelay(const Plan &plan, Operation *op, SmallVector<std::string> &texts) {
  if (auto found = plan.delays.reasons.find(op); found != plan.delays.reasons.end())
    texts.push_back("not delayed: " + found->second);
  const Delay *delay = plan.delays.of(op);
  if (delay && delay->product == op)
    texts.push_back("delayed: issued in the next iteration, behind " + nameAndPlace(delay->cover) +
                    "; completed before " + nameAndPlace(delay->firstReader));
}

static std::string textOf(const Question &question) {
  switch (question.kind) {
  case Question::Address:
    return formatv("the address is a multiple of {0} bytes", question.divisor);
  case Question::Stride:
    return formatv("stride {0} is a multiple of {1} elements", question.dim, question.divisor);
  case Question::Extent:
    return formatv("extent {0} has at most 31 bits", question.dim);
  case Question::Rows:
    return formatv("stride {0} is 1", question.dim);
  }
  llvm_unreachable("questions are listed above");
}

/// What the kernel asks about the array that this operation makes.
static std::string questionsAbout(const Plan &plan, Operation *op) {
  std::string text;
  for (const Question &question : plan.roles.questions)
    if (question.view.getDefiningOp() == op)
      text +=
          (text.empty() ? "asked at run time, for tensor maps: whether " : ", ") + textOf(question);
  return text;
}

/// The decisions about an operation, in the order in which they take effect.
static SmallVector<std::string> decisionsOn(const Plan &plan, Operation *op) {
  SmallVector<std::string> texts = hintRemarks(plan, op);
  if (auto found = plan.barriers.find(op); found != plan.barriers.end())
    texts.push_back(llvm::isa<tile::AllocaOp>(op)
                        ? "barrier: its memory is reused from the previous iteration, where " +
                              nameAndPlace(found->second) + " may still access it"
                        : "barrier: ordered after " + nameAndPlace(found->second) + " by a token");
  if (plan.addressedAnew.contains(op))
    texts.push_back("addresses are recomputed in each iteration to save registers");
  if (isFence(op))
    texts.push_back("barrier before and after");
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op)) {
    Value tile = access.getLoaded() ? access.getLoaded() : access.getStored();
    if (tile && tileTypeOf(tile))
      texts.push_back(textOf(plan, access));
    if (plan.loadedInPieces.contains(op))
      texts.push_back(formatv("loaded in chunks of {0} per thread because of register pressure",
                              counted(plan.slotsOfPiece(), "element")));
  }
  if (std::string text = questionsAbout(plan, op); !text.empty())
    texts.push_back(text);
  if (auto found = plan.roles.reasons.find(op); found != plan.roles.reasons.end())
    texts.push_back("all threads copy operands: " + found->second);
  if (auto found = plan.matrices.find(op); found != plan.matrices.end()) {
    const Staging &staging = plan.staged.find(op)->second;
    texts.push_back(textOf(plan, op, found->second));
    texts.push_back("lhs is " + textOf(plan, op, staging.lhs) + ", rhs is " +
                    textOf(plan, op, staging.rhs));
    if (staging.lhsScales.bytes)
      texts.push_back("scales of lhs are " + textOf(plan, op, staging.lhsScales) +
                      ", scales of rhs are " + textOf(plan, op, staging.rhsScales));
    addDelay(plan, op, texts);
    if (staging.loadsFragmentsAhead)
      texts.push_back("fragments are double-buffered: loaded one step along k ahead");
  } else if (llvm::isa<tile::MatmulOpInterface>(op))
    texts.push_back("by multiply-add chains: " + plan.target.cpu +
                    " has no matrix instruction with this result, or not for tiles of this size");
  for (const auto *exchanges : {&plan.lists, &plan.exchanges})
    if (auto found = exchanges->find(op); found != exchanges->end())
      texts.push_back(textOf(found->second));
  if (auto found = plan.allocas.find(op); found != plan.allocas.end())
    texts.push_back(formatv("shared memory: from byte {0} on", found->second));
  if (auto found = plan.globalAllocas.find(op); found != plan.globalAllocas.end())
    texts.push_back(formatv("global memory: byte {0} of the block's {1}-byte part of a pool",
                            found->second, plan.pool.bytes));
  return texts;
}

/// In program order.
static void forEachDecision(const Plan &plan,
                            llvm::function_ref<void(Operation *, const std::string &)> say) {
  tile::EntryOp(plan.entry).walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    for (const std::string &text : decisionsOn(plan, op))
      say(op, text);
    return tile::isAggregate(op) ? mlir::WalkResult::skip() : mlir::WalkResult::advance();
  });
}

//===-- An entry ------------------------------------------------------------------------------===//

/// `128`, `256 + 32`, `128 + 32 + 32`, `2 x 128` or `2 x (256 + 32)`
static std::string threadsOf(const Plan &plan) {
  std::string text = std::to_string(plan.threadsOfCta());
  if (plan.roles.areSpecialised())
    text += " + " + std::to_string(producerThreads);
  if (plan.tensor.isUsed())
    text += " + " + std::to_string(multiplierThreads);
  if (plan.ctas == 1)
    return text;
  const bool isSum = plan.launchedThreads() > plan.threadsOfCta();
  return formatv(isSum ? "{0} x ({1})" : "{0} x {1}", plan.ctas, text);
}

static bool isMulticast(const Plan &plan) {
  return llvm::any_of(plan.roles.rings, [](const auto &ring) {
    return llvm::any_of(ring.second.copies,
                        [](const TensorCopy &copy) { return copy.part.isMulticast(); });
  });
}

/// Whether tile blocks are clusters, if that is not what a hint says.
static std::string clusterText(const Plan &plan) {
  auto problem = plan.refusedHints.find("num_cta_in_cga");
  if (problem != plan.refusedHints.end())
    return (plan.target.capability != 90
                ? "one CTA, not a pair of CTAs that multiply together: "
                : "one CTA, not a cluster, although accumulators do not fit in its registers: ") +
           problem->second;
  if (plan.isPair())
    return "pair of CTAs: each has half of the rows of accumulators and lhs, and half of the "
           "columns of rhs; an instruction multiplies for both";
  return formatv(
      "cluster of {0} CTAs: each has a part of the rows of accumulators and lhs, and {1}",
      plan.ctas, isMulticast(plan) ? "copies a part of rhs to all (multicast)" : "all of rhs");
}

static std::string rolesText(const Plan &plan) {
  return formatv("producer warp: copies operands of {0}, by {1}{2}",
                 counted(int64_t(plan.roles.rings.size()), "product"),
                 counted(int64_t(plan.roles.maps.size()), "tensor map"),
                 plan.otherwise ? "; where arrays do not permit tensor maps, which is asked at run "
                                  "time, all threads copy"
                                : "");
}

static std::string tensorText(const Plan &plan) {
  return formatv("multiplier warp: issues tcgen05.mma for {0}; {1} of tensor memory",
                 counted(int64_t(plan.tensor.products.size()), "product"),
                 counted(plan.tensor.columns, "column"));
}

static std::string rasterizationText(const Plan &plan) {
  return formatv("rasterization order: panels of {0} rows of tile blocks, so that operands stay in "
                 "the L2 cache",
                 plan.rasterization.panel);
}

/// The decisions about the entry that it may have or not.
static SmallVector<std::string> textsOf(const Plan &plan) {
  SmallVector<std::string> texts;
  const bool hasHint = hintOf(plan.entry, "num_cta_in_cga", plan.target).has_value();
  if (plan.ctas > 1 || (!hasHint && plan.refusedHints.count("num_cta_in_cga")))
    texts.push_back(clusterText(plan));
  if (plan.rasterization.hasPanels())
    texts.push_back(rasterizationText(plan));
  if (plan.roles.areSpecialised())
    texts.push_back(rolesText(plan));
  if (plan.tensor.isUsed())
    texts.push_back(tensorText(plan));
  return texts;
}

/// `98304 bytes of dynamic shared memory`
static std::string sharedText(const Plan &plan) {
  const SharedMemoryForm form = plan.sharedForm();
  return formatv("{0} of {1}shared memory{2}", counted(plan.shared.bytes, "byte"),
                 form == SharedMemoryForm::Dynamic ? "dynamic " : "",
                 form == SharedMemoryForm::InCubin ? ", declared in the cubin" : "");
}

void nvidia::print(const Plan &plan, llvm::raw_ostream &out) {
  tile::EntryOp entry = plan.entry;
  out << formatv("entry @{0}: {1}, {2} threads, {3}\n", entry.getSymName(), plan.target.cpu,
                 threadsOf(plan), sharedText(plan));
  out << "  " << plan.threadsReason << "\n";
  for (const std::string &text : textsOf(plan))
    out << "  " << text << "\n";
  out << formatv("  peak register pressure of live tiles: {0} per thread\n",
                 counted(plan.heldWords, "word"));
  printLayouts(plan, out);
  forEachDecision(plan, [&](Operation *op, const std::string &text) {
    out << "  " << nameAndPlace(op) << ": " << text << "\n";
  });
}

void nvidia::remarkOn(const Plan &plan) {
  tile::EntryOp entry = plan.entry;
  codegen::remark(entry.getLoc(),
                  formatv("entry @{0}: {1} threads per tile block, {2}; {3}", entry.getSymName(),
                          threadsOf(plan), sharedText(plan), plan.threadsReason));
  for (const std::string &text : textsOf(plan))
    codegen::remark(entry.getLoc(), formatv("entry @{0}: {1}", entry.getSymName(), text));
  entry.walk([&](Operation *op) {
    for (Value result : llvm::make_filter_range(op->getResults(), tileTypeOf))
      if (!isRecomputed(result) && !plan.copied.contains(result) &&
          !plan.layoutOf(result).isInRegisters())
        codegen::remark(op->getLoc(),
                        formatv("{0}: in local memory: {1} elements per thread",
                                op->getName().stripDialect(), plan.layoutOf(result).slots()));
  });
  forEachDecision(plan, [](Operation *op, const std::string &text) {
    codegen::remark(op->getLoc(), op->getName().stripDialect() + ": " + text);
  });
}

void nvidia::remarkOn(const Plan &plan, const Resources &resources) {
  tile::EntryOp entry = plan.entry;
  codegen::remark(entry.getLoc(),
                  formatv("entry @{0}: ptxas: {1} per thread; occupancy limit by registers: {2} "
                          "per SM; stack {3}, spill stores {4}, spill loads {5}",
                          entry.getSymName(), counted(resources.registers, "register"),
                          counted(resources.ctasByRegisters(plan.launchedThreads()), "CTA"),
                          counted(resources.stack, "byte"), counted(resources.spillStores, "byte"),
                          counted(resources.spillLoads, "byte")));
}
