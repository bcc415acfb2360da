// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Remarks.h. A plan is asked what it has decided, and the program for the reason, by the
// same questions that the plan asks (Plan.cpp).

#include "tilewright/cpu/Remarks.h"
#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/Places.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::formatv;
using mlir::Operation;
using mlir::Value;

//===-- Saying and listening ------------------------------------------------------------------===//

static thread_local Remarks *listener = nullptr;

bool cpu::areRemarksWanted() { return listener != nullptr; }

void cpu::remark(mlir::Location place, const llvm::Twine &what) {
  if (listener)
    listener->add(place, what.str());
}

Remarks::Remarks() : outer(std::exchange(listener, this)) {}

Remarks::~Remarks() { listener = outer; }

void Remarks::add(mlir::Location place, const std::string &what) {
  if (mlir::FileLineColLoc at = tile::sourcePosition(place))
    said.emplace(at.getFilename().str(), at.getLine(), at.getColumn(), what);
  else
    said.emplace(tile::locationText(place), 0, 0, what);
}

std::string Remarks::text() const {
  std::string text;
  for (const auto &[file, line, column, what] : said) {
    text += file;
    if (line)
      text += formatv(":{0}:{1}", line, column);
    text += ": remark: " + what + "\n";
  }
  return text;
}

//===-- Who reads a tile ----------------------------------------------------------------------===//

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

namespace {
/// Who reads a tile in the end, through fused operations, and whether one of these repeats it.
struct Readers {
  llvm::SetVector<Operation *> readers;
  bool isRepeated = false;
};
} // namespace

static Readers readersOf(const Plan &plan, Value value) {
  Readers found;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      Value result = user->getNumResults() == 1 ? user->getResult(0) : Value();
      if (!result || !tileTypeOf(result) || plan.home(result) != Home::Fused) {
        found.readers.insert(user);
        continue;
      }
      auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(user);
      found.isRepeated |= moved && moved.repeatsElements();
      values.insert(result);
    }
  return found;
}

static bool isInLoopOf(Operation *reader, Operation *op) {
  for (Operation *parent = reader->getParentOp(); parent != op->getParentOp();
       parent = parent->getParentOp()) {
    if (!parent)
      return false;
    if (llvm::isa<mlir::LoopLikeOpInterface>(parent))
      return true;
  }
  return false;
}

static bool isLoad(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return access && access.isLoad();
}

//===-- Homes ---------------------------------------------------------------------------------===//

static std::string whyBuffer(const Plan &plan, Operation *op, Value value) {
  if (tile::CatOp cat = catOf(value))
    return "a part of what " + placed(cat) + " makes";
  if (isLoad(op))
    return "memory is read once, where the load stands";
  if (!canFuse(op))
    return "its elements are not computed one by one";
  for (Operation *user : value.getUsers())
    if (llvm::isa<tile::PackOp, tile::UnpackOp, tile::ReshapeOp>(user))
      return placed(user) + " needs it in row-major order";
  if (turnOf(op))
    return "its rows are columns of what it permutes, several of which are turned at a time";
  Readers found = readersOf(plan, value);
  if (found.readers.size() > 1)
    return "several operations read it: " + listed(found.readers.getArrayRef());
  if (!found.readers.empty() && isInLoopOf(found.readers.front(), op))
    return placed(found.readers.front()) + " would compute it in every turn of a loop";
  if (found.isRepeated)
    return "each element is read several times";
  if (!found.readers.empty() && llvm::isa<tile::ContinueOp>(found.readers.front()))
    return "it reads what the loop carries, which it would overwrite";
  return "the operations before it are as many as one loop computes";
}

static std::string whyFused(const Plan &plan, Operation *op, Value value) {
  Readers found = readersOf(plan, value);
  if (isLoad(op))
    return llvm::any_of(found.readers, isProduct) ? "a product loads it in the order that it wants"
           : llvm::all_of(found.readers, llvm::IsaPred<tile::LoadPtrOp>)
               ? "a gather loads what each address is made of by itself"
           : llvm::any_of(found.readers,
                          [](Operation *reader) { return turnOf(reader).has_value(); })
               ? "rows are loaded where they become columns"
               : "memory is read again, which is likely in a cache";
  if (found.readers.empty())
    return "nobody reads it";
  if (found.readers.size() == 1 && !found.isRepeated)
    return "one operation reads it, " + placed(found.readers.front());
  return "computing it again costs next to nothing";
}

static void remarkOnHome(const Plan &plan, Operation *op, Value value) {
  tile::TileType type = tileTypeOf(value);
  auto say = [&](const llvm::Twine &what) { remark(op->getLoc(), nameOf(op) + ": " + what); };
  if (!type)
    return;
  switch (plan.home(value)) {
  case Home::Register:
  case Home::Constant:
    return;
  case Home::Fused:
    if (!llvm::isa<tile::ConstantOp>(op))
      say("fused into what reads it: " + whyFused(plan, op, value));
    return;
  case Home::Loop:
    return say("kept in registers: all that read it share its innermost loop");
  case Home::Buffer:
    if (tile::isLoop(op) || isProduct(op))
      return; // remarkOnCarried, remarkOnProduct
    if (std::optional<unsigned> rowDim = plan.rowOnly(value))
      return say(formatv("kept in a buffer for one row at a time, {0} elements",
                         type.getShape()[*rowDim]));
    say(formatv("kept in a buffer of {0} bytes: {1}", bufferBytes(type),
                whyBuffer(plan, op, value)));
  }
}

static void remarkOnCarried(Operation *loop) {
  int64_t bytes = 0;
  unsigned count = 0;
  for (Value argument : loop->getRegion(0).front().getArguments())
    if (tile::TileType type = tileTypeOf(argument)) {
      bytes += bufferBytes(type);
      ++count;
    }
  if (count)
    remark(loop->getLoc(), formatv("{0}: carries {1} tile{2} in buffers of {3} bytes, updated in "
                                   "place",
                                   nameOf(loop), count, count == 1 ? "" : "s", bytes));
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

static void remarkOnProduct(const Plan &plan, Operation *op, const Target &target) {
  ProductForm form = productForm(op, target);
  auto factor = [&](unsigned operand) {
    return plan.isInPlace(op, operand, form) ? "read where it is" : "packed into scratch memory";
  };
  bool addsInPlace = plan.shareBuffer(op->getOperand(2), op->getResult(0));
  std::string chain;
  llvm::raw_string_ostream(chain) << form.chain;
  remark(op->getLoc(),
         formatv("{0}: by {1}, sums in {2}; lhs is {3}, rhs is {4}; the accumulator is {5}",
                 nameOf(op), nameOf(form.step), chain, factor(0), factor(1),
                 addsInPlace ? "updated in place" : "read, and the sums go to another buffer"));
  if (std::optional<FinalStore> found = plan.finalStore(op))
    remark(op->getLoc(), formatv("{0}: in the last turn, sums go from registers to {1}, where its "
                                 "tile lies inside of the tensor",
                                 nameOf(op), placed(found->store)));
}

//===-- An entry ------------------------------------------------------------------------------===//

static void remarkOnWaiting(tile::LoopOp loop) {
  if (Operation *found = analysis::firstPollIn(loop))
    remark(loop.getLoc(), "loop: may wait for another block, as " + placed(found) +
                              " reads memory in it: every block runs on a stack of its own");
}

void cpu::remarkOn(const Plan &plan, tile::EntryOp entry, const Target &target) {
  llvm::SetVector<const Group *> groups;
  entry.walk([&](Operation *op) {
    for (Value result : op->getResults())
      remarkOnHome(plan, op, result);
    if (tile::isLoop(op))
      remarkOnCarried(op);
    if (auto loop = llvm::dyn_cast<tile::LoopOp>(op))
      remarkOnWaiting(loop);
    if (isProduct(op))
      remarkOnProduct(plan, op, target);
    if (const Group *group = plan.groupOf(op))
      groups.insert(group);
  });
  for (const Group *group : groups)
    remarkOnGroup(*group);
}
