// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports a plan as remarks (`--remarks`), each at the operation that it concerns. Decisions and
// reasons come from the plan; nothing is derived here.

#include "tilewright/cpu/plan/PlanRemarks.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/cpu/plan/Plan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cpu;
using codegen::nameAndPlace;
using codegen::namesAndPlaces;
using codegen::remark;
using llvm::formatv;
using mlir::Operation;
using mlir::Value;

std::string cpu::nameOf(Operation *op) { return op->getName().stripDialect().str(); }

//===-- Placements ----------------------------------------------------------------------------===//

static std::string textOf(const Decision &decision) {
  auto first = [&] { return nameAndPlace(decision.operations.front()); };
  switch (decision.reason) {
  case Reason::Kind:
  case Reason::OneRow:
  case Reason::SharedLoop:
    return "";
  case Reason::NoUser:
    return "nothing uses it";
  case Reason::OneUser:
    return first() + " is its only user";
  case Reason::Cheap:
    return "recomputing it is almost free";
  case Reason::AddressesRows:
    return "it is not needed if the pointers of a row are contiguous";
  case Reason::SameWords:
    return "it has the memory layout of its operand";
  case Reason::LoadedByMatmul:
    return first() + " loads it directly in packed order";
  case Reason::LoadedByTranspose:
    return first() + " transposes it while loading";
  case Reason::LoadedByGathers:
    return "gathers load their indices one at a time";
  case Reason::LoadedAgain:
    return "it is reloaded, probably from cache";
  case Reason::PartOfCat:
    return "it is written directly into the result of " + first();
  case Reason::LoadedOnce:
    return "it is loaded once, at the load operation";
  case Reason::NotElementwise:
    return "the operation is not elementwise";
  case Reason::RowMajorUser:
    return first() + " needs it in row-major order";
  case Reason::Transposed:
    return "the whole tile is transposed at once, by shuffles";
  case Reason::SeveralUsers:
    return "several operations use it: " + namesAndPlaces(decision.operations);
  case Reason::UserInLoop:
    return first() + " would recompute it in each iteration of a loop";
  case Reason::RepeatedElements:
    return "each element is read several times";
  case Reason::SeveralReads:
    return first() + " reads an element along several paths";
  case Reason::UpdatesCarried:
    return "it updates the loop-carried buffer in place";
  case Reason::CarriedOperand:
    return "it reads a loop-carried tile that the loop overwrites";
  case Reason::InNetwork:
    return "";
  case Reason::NetworkResult:
    return "operations outside its lane-shuffle program use it";
  case Reason::LongChain:
    return "the fused loop has reached its size limit";
  }
  llvm_unreachable("reasons are listed above");
}

static void remarkOnPlacement(const Plan &plan, Operation *op, Value value) {
  tile::TileType type = tileTypeOf(value);
  if (!type)
    return;
  const Decision &decision = plan.placements.decisionOf(value);
  auto say = [&](const llvm::Twine &what) { remark(op->getLoc(), nameOf(op) + ": " + what); };
  if (std::optional<unsigned> rowDim = plan.placements.rowOnly(value))
    return say(formatv("kept in a row buffer of {0} elements", type.getShape()[*rowDim]));
  if (decision.reason == Reason::InNetwork)
    return say("kept in registers, one chunk at a time");
  if (decision.placement == Placement::InLoop)
    return say("kept in registers: all its users share its innermost loop");
  std::string why = textOf(decision);
  if (why.empty()) // a constant, a loop or a matmul
    return;
  if (decision.reason == Reason::NoUser)
    return say("result not materialized: " + why);
  if (decision.placement == Placement::Fused)
    return say("fused into its users: " + why);
  say(formatv("kept in a buffer of {0} bytes: {1}", bufferBytes(type), why));
}

static void remarkOnRowLoop(Operation *loop, const RowLoop &rows) {
  std::string block = rows.parts > 1
                          ? formatv("{0} elements of a row", rows.vectors * rows.loop().width).str()
                          : formatv("{0} row{1}", rows.rows, rows.rows == 1 ? "" : "s").str();
  remark(loop->getLoc(),
         formatv("for: keeps {0} of its accumulators in registers across all iterations{1}", block,
                 rows.blocks() > 1 ? "; repeats the loop for the rest" : ""));
  if (rows.prefetch == RowPrefetch::NoNextRow)
    remark(loop->getLoc(), "for: the next row is not prefetched: there is none, or the loads are "
                           "not known to continue those of the previous iteration");
  for (Operation *load : rows.prefetched) {
    std::string text =
        rows.prefetch == RowPrefetch::NextRow
            ? "the next row is prefetched into L1: parts of a row are read with gaps in between"
            : formatv("prefetched into L1 {0} bytes ahead: the hardware prefetcher stops at the "
                      "end of each page",
                      rows.bytesAhead)
                  .str();
    remark(load->getLoc(), nameOf(load) + ": " + text);
  }
}

static void remarkOnLoop(const LoopPlan &plan) {
  Operation *loop = plan.loop;
  if (plan.carriedTiles)
    remark(loop->getLoc(), formatv("{0}: carries {1} tile{2} in buffers of {3} bytes, updated in "
                                   "place",
                                   nameOf(loop), plan.carriedTiles,
                                   plan.carriedTiles == 1 ? "" : "s", plan.carriedBytes));
  if (plan.rows)
    remarkOnRowLoop(loop, *plan.rows);
  if (plan.poll)
    remark(loop->getLoc(),
           "loop: may wait for another block (spin loop: " + nameAndPlace(plan.poll) +
               " polls memory), so each block runs on its own stack");
}

//===-- Accesses ------------------------------------------------------------------------------===//

static std::string textOf(const Access &access) {
  std::string vectors = formatv("vector accesses along dimension {0}", access.laneDim);
  switch (access.reason) {
  case AccessReason::SharedByte:
    return "scalar accesses: two elements share a byte";
  case AccessReason::Ordered:
    return "scalar accesses: the access is ordered, atomic, or of a scalar";
  case AccessReason::OneElement:
    return "scalar accesses: the tile has one element";
  case AccessReason::Coordinates:
    return "gather/scatter: a tile supplies the coordinates";
  case AccessReason::Strided:
    return "gather/scatter: no dimension is known to have unit stride";
  case AccessReason::KnownInside:
    return vectors;
  case AccessReason::MaybeAtEdge:
    return vectors + "; masked at the tensor's edge";
  case AccessReason::UnknownStride:
    return vectors + "; gather/scatter if the stride is not 1, or at the tensor's edge";
  case AccessReason::GroupContiguous:
    return "vector accesses";
  case AccessReason::GroupTested:
    return "vector accesses if the tile is in bounds with unit stride; otherwise masked or "
           "gather/scatter";
  case AccessReason::GroupApart:
    return "masked or gather/scatter accesses";
  case AccessReason::PointersInOrder:
    return "scalar accesses: the access is ordered or has few elements";
  case AccessReason::PointerRows:
    return "vector accesses if a run-time test finds contiguous addresses (per row, then per "
           "vector); otherwise gather/scatter";
  case AccessReason::PointersFollow:
    return "vector accesses where addresses are contiguous; otherwise gather/scatter";
  case AccessReason::PointersApart:
    return "gather/scatter: addresses are not known to be contiguous";
  case AccessReason::BlockOnly:
    return "non-atomic accesses: the scope is the tile block";
  case AccessReason::LoadedByReader: // the remark about the placement covers this
  case AccessReason::ScalarPointer:
  case AccessReason::Atomic:
    return "";
  }
  llvm_unreachable("reasons are listed above");
}

static std::string textOf(const NonTemporal &stores) {
  switch (stores.reason) {
  case NonTemporalReason::NoGroup:
  case NonTemporalReason::Scattered: // the remark about the access covers this
  case NonTemporalReason::ByProduct: // the remark about the product covers this
    return "";
  case NonTemporalReason::PartialLines:
    return "not non-temporal: its vectors are not whole cache lines";
  case NonTemporalReason::NarrowRegisters:
    return "not non-temporal: the target cannot store cache lines by one or two instructions, with "
           "a fence";
  case NonTemporalReason::LargeTensor:
  case NonTemporalReason::LargeLaunch:
    return formatv("non-temporal if {0} {1} bytes or more ({2} with several threads) and rows "
                   "begin at cache lines",
                   stores.reason == NonTemporalReason::LargeTensor ? "the tensor has"
                                                                   : "all tile blocks store",
                   stores.leastBytes, stores.leastBytesOfThreads);
  }
  llvm_unreachable("reasons are listed above");
}

static void remarkOnAccess(Operation *op, const Access &access) {
  if (std::string text = textOf(access); !text.empty())
    remark(op->getLoc(), text);
  if (std::string text = textOf(access.nonTemporal); !text.empty())
    remark(op->getLoc(), nameOf(op) + ": " + text);
}

//===-- Folds ---------------------------------------------------------------------------------===//

static std::string textOf(tile::ReduceOp, const Fold &fold) {
  std::string order =
      fold.form == FoldForm::ByTree ? "reduce: pairwise tree" : "reduce: sequential";
  switch (fold.reason) {
  case FoldReason::AlongRows: // the remark about the group covers this
    return "";
  case FoldReason::OtherDimension:
    return order + ", vectorized along another dimension";
  case FoldReason::OneDimension:
    return order + ", scalar: no later dimension can be vectorized";
  case FoldReason::BodyHasTiles:
    return order + ", scalar: its body computes tiles";
  }
  llvm_unreachable("reasons are listed above");
}

static std::string textOf(tile::ScanOp, const Fold &fold) {
  if (fold.form == FoldForm::ByVectors)
    return formatv("scan: vectors of {0} elements, log-step prefix (distances 1, 2, 4, ...)",
                   fold.width);
  return fold.reason == FoldReason::OtherDimension
             ? "scan: sequential, vectorized along another dimension"
             : "scan: sequential";
}

static void remarkOnFold(Operation *op, const Fold &fold) {
  auto reduce = llvm::dyn_cast<tile::ReduceOp>(op);
  std::string text = reduce ? textOf(reduce, fold) : textOf(llvm::cast<tile::ScanOp>(op), fold);
  if (!text.empty())
    remark(op->getLoc(), text);
}

//===-- Groups --------------------------------------------------------------------------------===//

/// For loops in which vectors depend on each other.
static void remarkOnChains(const InnerLoop &loop) {
  std::string why;
  switch (loop.chainReason) {
  case ChainReason::NothingCarried:
    return;
  case ChainReason::ShortRow:
    why = "they cover a row";
    break;
  case ChainReason::LittleWork:
    why = "the combining latency dominates";
    break;
  case ChainReason::ManyRegisters:
    why = "long latency, enough registers";
    break;
  case ChainReason::FewRegisters:
    why = "limited by registers";
    break;
  }
  Operation *first = *llvm::find_if(loop.members, llvm::IsaPred<tile::ReduceOp, tile::ScanOp>);
  // The vectors of a scan are independent only until the prefix is added.
  const char *form = llvm::isa<tile::ScanOp>(first)
                         ? "{0}: {1} {2}-element vector{3} per iteration: {4}"
                         : "{0}: {1} independent chain{3} of {2}-element vectors: {4}";
  remark(first->getLoc(),
         formatv(form, nameOf(first), loop.chains, loop.width, loop.chains == 1 ? "" : "s", why));
}

/// `loop`: the number of the inner loop that prefetches.
static std::string whyPrefetched(PrefetchReason reason, int64_t loop) {
  switch (reason) {
  case PrefetchReason::OnePass:
  case PrefetchReason::RowLoop:
  case PrefetchReason::Apart:
  case PrefetchReason::UnknownTiles:
  case PrefetchReason::LittleWork:
    break;
  case PrefetchReason::LaterPass:
    return formatv("while loop {0} computes", loop);
  case PrefetchReason::WaitingPass:
    return formatv("while loop {0} waits for its stores, if these are non-temporal", loop);
  case PrefetchReason::PartsOfRows:
    return "it continues several rows";
  }
  llvm_unreachable("other groups prefetch no next tiles");
}

static void remarkOnPrefetch(const Plan &plan, const FusionGroup &group) {
  const GroupPrefetch &prefetch = plan.prefetchOf(group);
  for (const NextTile &next : prefetch.tiles)
    remark(next.load->getLoc(), formatv("{0}: prefetched into {1} for the next {2}: {3}",
                                        nameOf(next.load), prefetch.isNear ? "L1" : "L2",
                                        isNextOfBlock(next.load) ? "tile block" : "iteration",
                                        whyPrefetched(prefetch.reason, prefetch.loop + 1)));
  for (Operation *member : group.members) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(member);
    if (!load || group.isSharedRow(member))
      continue;
    if (prefetch.reason == PrefetchReason::UnknownTiles && prefetch.gathers.empty())
      remark(member->getLoc(),
             nameOf(member) + ": not prefetched: its next tile is unknown in advance, or the same");
    for (const GroupPrefetch::Gather &gather : prefetch.gathers)
      if (plan.accessOf(member).axes[gather.dim].isSparse)
        remark(member->getLoc(), formatv("{0}: prefetched into L1 {1} gathered rows ahead",
                                         nameOf(member), gather.rows));
  }
}

static void remarkOnTranspose(Operation *op, const Transpose &transpose) {
  std::string form =
      transpose.form == Transpose::Form::Blocks
          ? formatv("transposed in blocks of {0} x {0}", transpose.lanes).str()
          : formatv("{0} by shuffles of {1} lanes: there are few",
                    transpose.form == Transpose::Form::Interleave ? "rows are interleaved"
                                                                  : "rows are de-interleaved",
                    transpose.lanes)
                .str();
  remark(op->getLoc(), nameOf(op) + ": " + form);
}

static void remarkOnGroup(const Plan &plan, const FusionGroup &group) {
  llvm::for_each(group.loops, remarkOnChains);
  remarkOnPrefetch(plan, group);
  auto inLoops = llvm::filter_to_vector(
      group.members, [&](Operation *member) { return !group.isSharedRow(member); });
  Operation *first = inLoops.front();
  for (Operation *row : group.sharedRows)
    remark(row->getLoc(),
           formatv("{0}: broadcast row: all rows of {1} read it directly from memory", nameOf(row),
                   nameAndPlace(first)));
  if (inLoops.size() == 1)
    return;
  remark(first->getLoc(),
         formatv("{0}: fused into {1} with {2}", nameOf(first),
                 group.loops.size() == 1 ? std::string("one loop")
                                         : formatv("{0} loops", group.loops.size()).str(),
                 namesAndPlaces(llvm::ArrayRef(inLoops).drop_front())));
}

static void remarkOnNetwork(const Network &network) {
  Operation *first = network.members.front();
  remark(first->getLoc(),
         formatv("{0}: lane-shuffle program with {1}, {2} {3}", nameOf(first),
                 namesAndPlaces(llvm::ArrayRef(network.members).drop_front()), network.pieces,
                 network.pieces == 1 ? "chunk" : "identical chunks"));
}

//===-- An entry ------------------------------------------------------------------------------===//

void cpu::remarkOn(const Plan &plan) {
  if (plan.columnsInTurn > 1)
    remark(plan.entry->getLoc(),
           formatv("entry: rasterization order: {0} interleaved columns of tile blocks, so each "
                   "packed lhs row is used {0} times",
                   plan.columnsInTurn));
  for (Operation *op : plan.order.operations())
    for (Value result : op->getResults())
      remarkOnPlacement(plan, op, result);
  for (const LoopPlan &loop : plan.loops)
    remarkOnLoop(loop);
  for (const auto &[op, access] : plan.accesses)
    remarkOnAccess(op, access);
  for (Operation *op : plan.order.operations())
    if (const Transpose *transpose = plan.transposeOf(op))
      remarkOnTranspose(op, *transpose);
  for (const auto &[op, fold] : plan.folds)
    remarkOnFold(op, fold);
  for (const auto &[op, matmul] : plan.matmuls)
    remarkOnMatmul(op, matmul);
  for (const FusionGroup &group : plan.groups.all())
    remarkOnGroup(plan, group);
  for (const Network &network : plan.networks.all())
    remarkOnNetwork(network);
}
