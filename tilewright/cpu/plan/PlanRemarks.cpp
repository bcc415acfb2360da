// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does --remarks say about a plan? Each decision in words, at the place in the program that it
// is about. What is decided, and why, is in the plan; nothing is derived here.

#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/tile/Places.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::formatv;
using mlir::Operation;
using mlir::Value;

//===-- Operations ----------------------------------------------------------------------------===//

static std::string nameOf(Operation *op) { return op->getName().stripDialect().str(); }

/// `addf at 12:5`
static std::string placed(Operation *op) {
  mlir::FileLineColLoc at = tile::sourcePosition(op->getLoc());
  return at ? formatv("{0} at {1}:{2}", nameOf(op), at.getLine(), at.getColumn()).str()
            : nameOf(op);
}

static std::string listed(llvm::ArrayRef<Operation *> operations) {
  constexpr size_t most = 4;
  std::string text = llvm::join(llvm::map_range(operations.take_front(most), placed), ", ");
  if (operations.size() > most)
    text += formatv(" and {0} more", operations.size() - most);
  return text;
}

//===-- Placements ----------------------------------------------------------------------------===//

static std::string textOf(const Placement &placement) {
  auto first = [&] { return placed(placement.operations.front()); };
  switch (placement.reason) {
  case Reason::Kind:
  case Reason::OneRow:
  case Reason::SharedLoop:
    return "";
  case Reason::NoUser:
    return "nobody reads it";
  case Reason::OneUser:
    return "one operation reads it, " + first();
  case Reason::Cheap:
    return "computing it again costs next to nothing";
  case Reason::SameWords:
    return "it is the same words in memory";
  case Reason::LoadedByMatmul:
    return "a product loads it in the order that it wants";
  case Reason::LoadedByTranspose:
    return "rows are loaded where they become columns";
  case Reason::LoadedByGathers:
    return "a gather loads what each address is made of by itself";
  case Reason::LoadedAgain:
    return "memory is read again, which is likely in a cache";
  case Reason::PartOfCat:
    return "a part of what " + first() + " makes";
  case Reason::LoadedOnce:
    return "memory is read once, where the load stands";
  case Reason::NotElementwise:
    return "its elements are not computed one by one";
  case Reason::RowMajorUser:
    return first() + " needs it in row-major order";
  case Reason::Transposed:
    return "its rows are columns of what it permutes, several of which are turned at a time";
  case Reason::SeveralUsers:
    return "several operations read it: " + listed(placement.operations);
  case Reason::UserInLoop:
    return first() + " would compute it in every turn of a loop";
  case Reason::RepeatedElements:
    return "each element is read several times";
  case Reason::SeveralReads:
    return first() + " reads an element by several paths";
  case Reason::CarriedOperand:
    return "it reads what the loop carries, which it would overwrite";
  case Reason::LongChain:
    return "the operations before it are as many as one loop computes";
  }
  llvm_unreachable("reasons are listed above");
}

static void remarkOnPlacement(const Plan &plan, Operation *op, Value value) {
  tile::TileType type = tileTypeOf(value);
  if (!type)
    return;
  const Placement &placement = plan.placements.of(value);
  auto say = [&](const llvm::Twine &what) { remark(op->getLoc(), nameOf(op) + ": " + what); };
  if (std::optional<unsigned> rowDim = plan.placements.rowOnly(value))
    return say(
        formatv("kept in a buffer for one row at a time, {0} elements", type.getShape()[*rowDim]));
  if (placement.home == Home::Loop)
    return say("kept in registers: all that read it share its innermost loop");
  std::string why = textOf(placement);
  if (why.empty()) // a constant, a loop or a product
    return;
  if (placement.home == Home::Fused)
    return say("fused into what reads it: " + why);
  say(formatv("kept in a buffer of {0} bytes: {1}", bufferBytes(type), why));
}

static void remarkOnLoop(const LoopPlan &plan) {
  Operation *loop = plan.loop;
  if (plan.carriedTiles)
    remark(loop->getLoc(), formatv("{0}: carries {1} tile{2} in buffers of {3} bytes, updated in "
                                   "place",
                                   nameOf(loop), plan.carriedTiles,
                                   plan.carriedTiles == 1 ? "" : "s", plan.carriedBytes));
  if (plan.poll)
    remark(loop->getLoc(), "loop: may wait for another block, as " + placed(plan.poll) +
                               " reads memory in it: every block runs on a stack of its own");
}

//===-- Groups and products -------------------------------------------------------------------===//

static void remarkOnGroup(const Group &group) {
  Operation *first = group.steps.front();
  if (group.steps.size() == 1)
    return;
  remark(first->getLoc(),
         formatv("{0}: its rows share {1} with those of {2}", nameOf(first),
                 group.runs.size() == 1 ? std::string("one loop")
                                        : formatv("{0} loops", group.runs.size()).str(),
                 listed(llvm::ArrayRef(group.steps).drop_front())));
}

static const char *nameOf(Step step) {
  switch (step) {
  case Step::Fma:
    return "multiply-adds";
  case Step::Bf16Dot:
    return "dot products of two bf16";
  case Step::Int16Dot:
    return "dot products of two i16";
  case Step::Int8Dot:
    return "dot products of four i8";
  case Step::Bf16Tiles:
    return "AMX tiles of bf16";
  case Step::Int8Tiles:
    return "AMX tiles of i8";
  }
  llvm_unreachable("steps are listed above");
}

static void remarkOnMatmul(Operation *op, const MatmulPlan &plan) {
  auto operand = [&](unsigned number) {
    return plan.isInPlace[number] ? "read where it is" : "packed into scratch memory";
  };
  std::string chain;
  llvm::raw_string_ostream(chain) << plan.form.chain;
  remark(op->getLoc(),
         formatv("{0}: by {1}, sums in {2}; lhs is {3}, rhs is {4}; the accumulator is {5}",
                 nameOf(op), nameOf(plan.form.step), chain, operand(0), operand(1),
                 plan.carried ? "updated in place" : "read, and the sums go to another buffer"));
  if (plan.finalStore)
    remark(op->getLoc(), formatv("{0}: in the last turn, sums go from registers to {1}, where its "
                                 "tile lies inside of the tensor",
                                 nameOf(op), placed(plan.finalStore->store)));
}

//===-- An entry ------------------------------------------------------------------------------===//

void cpu::remarkOn(const Plan &plan) {
  for (Operation *op : plan.order.operations())
    for (Value result : op->getResults())
      remarkOnPlacement(plan, op, result);
  for (const LoopPlan &loop : plan.loops)
    remarkOnLoop(loop);
  for (const auto &[op, matmul] : plan.matmuls)
    remarkOnMatmul(op, matmul);
  for (const Group &group : plan.groups.all())
    remarkOnGroup(group);
}
