// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports a plan as remarks (`--remarks`), each at the operation that it concerns. Decisions and
// reasons come from the plan; nothing is derived here.

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

//===-- Operations ----------------------------------------------------------------------------===//

static std::string nameOf(Operation *op) { return op->getName().stripDialect().str(); }

//===-- Placements ----------------------------------------------------------------------------===//

static std::string textOf(const Decision &decision) {
  auto first = [&] { return nameAndPlace(decision.operations.front()); };
  switch (decision.reason) {
  case Reason::Kind:
  case Reason::OneRow:
  case Reason::SharedLoop:
    return "";
  case Reason::NoUser:
    return "it has none";
  case Reason::OneUser:
    return first() + " is the only one";
  case Reason::Cheap:
    return "computing it again costs next to nothing";
  case Reason::AddressesRows:
    return "it is not needed where rows of pointers are whole";
  case Reason::SameWords:
    return "its words in memory are those of its operand";
  case Reason::LoadedByMatmul:
    return first() + " loads it in the order that it needs";
  case Reason::LoadedByTranspose:
    return first() + " loads its rows where they become columns";
  case Reason::LoadedByGathers:
    return "gathers load the indices of their addresses one by one";
  case Reason::LoadedAgain:
    return "memory is read again, which is likely in a cache";
  case Reason::PartOfCat:
    return "it is a part of the result of " + first();
  case Reason::LoadedOnce:
    return "memory is read once, where the load stands";
  case Reason::NotElementwise:
    return "its elements are not computed one by one";
  case Reason::RowMajorUser:
    return first() + " needs it in row-major order";
  case Reason::Transposed:
    return "the whole tile is transposed at once, by shuffles";
  case Reason::SeveralUsers:
    return "several operations use it: " + namesAndPlaces(decision.operations);
  case Reason::UserInLoop:
    return first() + " would compute it in each iteration of a loop";
  case Reason::RepeatedElements:
    return "each element is read several times";
  case Reason::SeveralReads:
    return first() + " reads an element by several paths";
  case Reason::UpdatesCarried:
    return "it replaces what the loop carries, in place";
  case Reason::CarriedOperand:
    return "it reads a value that the loop carries and would overwrite";
  case Reason::InNetwork:
    return "";
  case Reason::NetworkResult:
    return "operations outside of its network read it";
  case Reason::LongChain:
    return "one loop computes no more operations at once";
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
    return say(
        formatv("kept in a buffer for one row at a time, {0} elements", type.getShape()[*rowDim]));
  if (decision.reason == Reason::InNetwork)
    return say("kept in registers, piece by piece");
  if (decision.placement == Placement::InLoop)
    return say("kept in registers: all its users share its innermost loop");
  std::string why = textOf(decision);
  if (why.empty()) // a constant, a loop or a matmul
    return;
  if (decision.placement == Placement::Fused)
    return say("fused into its users: " + why);
  say(formatv("kept in a buffer of {0} bytes: {1}", bufferBytes(type), why));
}

static void remarkOnLoop(const LoopPlan &plan) {
  Operation *loop = plan.loop;
  if (plan.carriedTiles)
    remark(loop->getLoc(), formatv("{0}: carries {1} tile{2} in buffers of {3} bytes, updated in "
                                   "place",
                                   nameOf(loop), plan.carriedTiles,
                                   plan.carriedTiles == 1 ? "" : "s", plan.carriedBytes));
  if (const std::optional<RowLoop> &rows = plan.rows) {
    std::string block =
        rows->parts > 1 ? formatv("{0} elements of a row", rows->vectors * rows->loop().width).str()
                        : formatv("{0} row{1}", rows->rows, rows->rows == 1 ? "" : "s").str();
    remark(loop->getLoc(),
           formatv("for: keeps {0} of what it carries in registers for all iterations{1}", block,
                   rows->blocks() > 1 ? ", which it repeats for the next ones" : ""));
  }
  if (plan.poll)
    remark(loop->getLoc(), "loop: may wait for another block, as " + nameAndPlace(plan.poll) +
                               " reads memory in it: every block runs on a stack of its own");
}

//===-- Accesses ------------------------------------------------------------------------------===//

static std::string textOf(const Access &access) {
  std::string byVectors = formatv("accessed by vectors along dimension {0}", access.laneDim);
  switch (access.reason) {
  case AccessReason::SharedByte:
    return "accessed element by element: two share a byte";
  case AccessReason::Ordered:
    return "accessed element by element: it is ordered, or atomic, or a scalar";
  case AccessReason::OneElement:
    return "accessed element by element: there is only one";
  case AccessReason::Coordinates:
    return "gathered or scattered: coordinates come from a tile";
  case AccessReason::Strided:
    return "gathered or scattered: no stride is 1";
  case AccessReason::KnownInside:
    return byVectors;
  case AccessReason::MaybeAtEdge:
    return byVectors + "; under masks at the edge of the tensor";
  case AccessReason::UnknownStride:
    return byVectors +
           "; gathered or scattered if its stride is not 1, or at the edge of the tensor";
  case AccessReason::GroupContiguous:
    return "accessed by vectors";
  case AccessReason::GroupTested:
    return "accessed by vectors; under masks, or gathered or scattered, where its tile is not "
           "inside of the tensor with a stride of 1";
  case AccessReason::GroupApart:
    return "accessed under masks, or gathered or scattered";
  case AccessReason::PointersInOrder:
    return "accessed element by element: it is ordered, or has few elements";
  case AccessReason::PointerRows:
    return "accessed by vectors: the addresses of a row are tested together, then of each vector; "
           "those that do not follow each other are gathered or scattered";
  case AccessReason::PointersFollow:
    return "accessed by vectors where addresses follow each other, else gathered or scattered";
  case AccessReason::PointersApart:
    return "gathered or scattered: addresses are not known to follow each other";
  case AccessReason::BlockOnly:
    return "updated by plain accesses: its scope is the tile block";
  case AccessReason::LoadedByReader: // the remark about the placement covers this
  case AccessReason::ScalarPointer:
  case AccessReason::Atomic:
    return "";
  }
  llvm_unreachable("reasons are listed above");
}

static void remarkOnAccess(Operation *op, const Access &access) {
  if (std::string text = textOf(access); !text.empty())
    remark(op->getLoc(), text);
}

//===-- Folds ---------------------------------------------------------------------------------===//

static std::string textOf(tile::ReduceOp, const Fold &fold) {
  std::string order = fold.form == FoldForm::ByTree ? "reduce: by a tree of neighbours"
                                                    : "reduce: one after the other";
  switch (fold.reason) {
  case FoldReason::AlongRows: // the remark about the group covers this
    return "";
  case FoldReason::OtherDimension:
    return order + ", with lanes along another dimension";
  case FoldReason::OneDimension:
    return order + ": no other dimension has lanes";
  case FoldReason::BodyHasTiles:
    return order + ": its body has tiles of its own";
  }
  llvm_unreachable("reasons are listed above");
}

static std::string textOf(tile::ScanOp, const Fold &fold) {
  if (fold.form == FoldForm::ByVectors)
    return formatv("scan: by vectors of {0} elements, whose lanes are combined at distances 1, 2, "
                   "4, ...",
                   fold.width);
  return fold.reason == FoldReason::OtherDimension
             ? "scan: one after the other, with lanes along another dimension"
             : "scan: element after element";
}

static void remarkOnFold(Operation *op, const Fold &fold) {
  auto reduce = llvm::dyn_cast<tile::ReduceOp>(op);
  std::string text = reduce ? textOf(reduce, fold) : textOf(llvm::cast<tile::ScanOp>(op), fold);
  if (!text.empty())
    remark(op->getLoc(), text);
}

//===-- Groups and matmuls --------------------------------------------------------------------===//

/// For loops in which vectors depend on each other.
static void remarkOnChains(const InnerLoop &loop) {
  std::string why;
  switch (loop.chainReason) {
  case ChainReason::NothingCarried:
    return;
  case ChainReason::ShortRow:
    why = "which is a row";
    break;
  case ChainReason::LittleWork:
    why = "as combining two takes longer than all else";
    break;
  case ChainReason::ManyRegisters:
    why = "as each takes long, and there are registers for them";
    break;
  case ChainReason::FewRegisters:
    why = "no more, as registers are few for all that is computed";
    break;
  }
  Operation *first = *llvm::find_if(loop.members, llvm::IsaPred<tile::ReduceOp, tile::ScanOp>);
  remark(first->getLoc(), formatv("{0}: {1} vector{2} of {3} elements at once, {4}", nameOf(first),
                                  loop.chains, loop.chains == 1 ? "" : "s", loop.width, why));
}

static void remarkOnGroup(const FusionGroup &group) {
  llvm::for_each(group.loops, remarkOnChains);
  auto inLoops = llvm::filter_to_vector(
      group.members, [&](Operation *member) { return !group.isSharedRow(member); });
  Operation *first = inLoops.front();
  for (Operation *row : group.sharedRows)
    remark(row->getLoc(), formatv("{0}: all rows of {1} read this one where it lies in memory",
                                  nameOf(row), nameAndPlace(first)));
  if (inLoops.size() == 1)
    return;
  remark(first->getLoc(),
         formatv("{0}: its rows share {1} with those of {2}", nameOf(first),
                 group.loops.size() == 1 ? std::string("one loop")
                                         : formatv("{0} loops", group.loops.size()).str(),
                 namesAndPlaces(llvm::ArrayRef(inLoops).drop_front())));
}

static void remarkOnNetwork(const Network &network) {
  Operation *first = network.members.front();
  remark(
      first->getLoc(),
      formatv("{0}: elements are moved and computed in registers, together with those of {1}, in "
              "{2} piece{3}",
              nameOf(first), namesAndPlaces(llvm::ArrayRef(network.members).drop_front()),
              network.pieces, network.pieces == 1 ? "" : "s, all alike"));
}

static const char *nameOf(MmaKind kind) {
  switch (kind) {
  case MmaKind::Fma:
    return "multiply-adds";
  case MmaKind::Bf16Dot:
    return "dot products of two bf16";
  case MmaKind::Int16Dot:
    return "dot products of two i16";
  case MmaKind::Int8Dot:
    return "dot products of four i8";
  case MmaKind::Bf16Tiles:
    return "AMX tiles of bf16";
  case MmaKind::Int8Tiles:
    return "AMX tiles of i8";
  }
  llvm_unreachable("kinds are listed above");
}

static void remarkOnMatmul(Operation *op, const MatmulPlan &plan) {
  auto operand = [&](unsigned number) {
    return plan.isInPlace[number] ? "read in place" : "packed into scratch memory";
  };
  std::string chain;
  llvm::raw_string_ostream(chain) << plan.form.accumulator;
  remark(
      op->getLoc(),
      formatv("{0}: by {1}, accumulated in {2}; lhs is {3}, rhs is {4}; the accumulator is {5}",
              nameOf(op), nameOf(plan.form.kind), chain, operand(0), operand(1),
              plan.carried ? "updated in place" : "read, and the result goes to another buffer"));
  if (plan.inTensor[1])
    remark(op->getLoc(),
           formatv("{0}: rhs is read from the tensor and not packed, where its tile "
                   "lies inside of the tensor, whose rows are as long, and the launch "
                   "does not store to it",
                   nameOf(op)));
  if (plan.inTensor[0])
    remark(op->getLoc(),
           formatv("{0}: lhs is read from the tensor and not packed, where its tile lies inside of "
                   "the tensor in contiguous rows and the launch does not store to it",
                   nameOf(op)));
  for (unsigned number : {0, 1})
    if (const auto &shared = plan.shared[number])
      remark(op->getLoc(),
             formatv("{0}: {1} is packed once for the tile blocks of a thread that need the same "
                     "tiles, in {2} slot{3} of {4} bytes, if the launch does not store to its "
                     "tensor",
                     nameOf(op), number == 0 ? "lhs" : "rhs", shared->slots,
                     shared->slots == 1 ? "" : "s", shared->slotBytes()));
  if (plan.finalStore)
    remark(op->getLoc(), formatv("{0}: in the last iteration, it stores the accumulator itself, "
                                 "as {1} does, where its tile lies inside of the tensor",
                                 nameOf(op), nameAndPlace(plan.finalStore->store)));
}

//===-- An entry ------------------------------------------------------------------------------===//

void cpu::remarkOn(const Plan &plan) {
  if (plan.columnsInTurn > 1)
    remark(plan.entry->getLoc(),
           formatv("entry: {0} columns of tile blocks take turns, so that a packed row of factors "
                   "is used {0} times",
                   plan.columnsInTurn));
  for (Operation *op : plan.order.operations())
    for (Value result : op->getResults())
      remarkOnPlacement(plan, op, result);
  for (const LoopPlan &loop : plan.loops)
    remarkOnLoop(loop);
  for (const auto &[op, access] : plan.accesses)
    remarkOnAccess(op, access);
  for (const auto &[op, fold] : plan.folds)
    remarkOnFold(op, fold);
  for (const auto &[op, matmul] : plan.matmuls)
    remarkOnMatmul(op, matmul);
  for (const FusionGroup &group : plan.groups.all())
    remarkOnGroup(group);
  for (const Network &network : plan.networks.all())
    remarkOnNetwork(network);
}
