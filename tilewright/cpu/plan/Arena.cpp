// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in the arena is what a plan keeps in memory, and for how long? A tile that has a buffer has
// it from the operation that makes it to the last one that reads it; what a loop carries, for all
// its turns. Operations may need scratch memory of their own while they run.

#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Operation;
using mlir::Value;

/// The addresses that a process has on x86-64; more than any machine has memory for. Arenas beyond
/// are as if they had `impossibleBytes`, so that every launch refuses them.
static constexpr int64_t mostArenaBytes = int64_t(1) << 47, impossibleBytes = int64_t(1) << 62;

int64_t cpu::bufferBytes(tile::TileType type) {
  return type.getNumElements() * wordBytes(type.getElementType());
}

//===-- Buffers -------------------------------------------------------------------------------===//

/// The number of the last operation that reads the value, itself or fused. An operation in a
/// loop that the value does not belong to reads it until the loop ends.
unsigned Plan::lastRead(Value value) {
  auto [known, isNew] = lastReads.try_emplace(value, 0);
  if (!isNew)
    return known->second;
  Operation *definition = value.getDefiningOp();
  unsigned last = definition ? numbers.lookup(definition).second : 0;
  forEachReader(value, [&](Operation *reader) {
    if (const Group *group = groupOf(reader))
      reader = group->steps.back(); // where the group runs
    if (Operation *here = value.getParentBlock()->findAncestorOpInBlock(*reader))
      last = std::max(last, numbers.lookup(here).second);
  });
  return lastReads[value] = last;
}

void Plan::giveBuffer(Value value, unsigned first, unsigned last) {
  tile::TileType type = tileTypeOf(value);
  int64_t bytes = bufferBytes(type);
  if (std::optional<unsigned> rowDim = rowOnly(value))
    bytes = type.getShape()[*rowDim] * wordBytes(type.getElementType());
  if (const Group *group = groupOf(value.getDefiningOp()))
    last = std::max(last, numbers.lookup(group->steps.back()).second);
  bufferOf[value] = buffers.size();
  buffers.push_back({bytes, first, last});
}

std::optional<unsigned> Plan::rowOnly(Value value) const {
  auto found = rowBuffers.find(value);
  return found == rowBuffers.end() ? std::nullopt : std::optional(found->second);
}

bool Plan::shareBuffer(Value a, Value b) const {
  auto first = bufferOf.find(a), second = bufferOf.find(b);
  return first != bufferOf.end() && second != bufferOf.end() && first->second == second->second;
}

void Plan::assignBuffers() {
  for (Operation *op : operations) {
    auto [first, inner] = numbers.lookup(op);
    if (tile::isLoop(op)) {
      bool isFor = llvm::isa<tile::ForOp>(op);
      for (mlir::BlockArgument argument : op->getRegion(0).front().getArguments()) {
        if (!tileTypeOf(argument))
          continue;
        unsigned last = inner;
        if (isFor)
          last = std::max(last, lastRead(op->getResult(argument.getArgNumber() - 1)));
        giveBuffer(argument, first, last);
        if (isFor) // what the last turn leaves is the result
          bufferOf[op->getResult(argument.getArgNumber() - 1)] = bufferOf[argument];
      }
      if (isFor)
        continue;
    }
    for (Value result : op->getResults()) {
      if (homes.lookup(result) != Home::Buffer)
        continue;
      if (tile::CatOp cat = catOf(result))
        joinBuffer(result, cat, first);
      else if (bufferOf.contains(result))
        continue; // since its first part
      else if (analysis::carriedAccumulator(op))
        bufferOf[result] = bufferOf[op->getOperand(2)];
      else
        giveBuffer(result, first, std::max(inner, lastRead(result)));
    }
    assignScratch(op);
  }
}

/// `continue` copies the operands that are carried values themselves before it overwrites
/// any; an alloca has its storage in the arena; products and prints convert
/// their operands; a reduction may need room for its tree.
void Plan::assignScratch(Operation *op) {
  auto [first, last] = numbers.lookup(op);
  int64_t bytes = 0;
  if (llvm::isa<tile::ContinueOp>(op)) {
    auto loop = llvm::cast<mlir::LoopLikeOpInterface>(tile::enclosingNonIf(op));
    for (auto [carried, operand] : llvm::zip(loop.getRegionIterArgs(), op->getOperands()))
      if (tileTypeOf(operand) && llvm::isa<mlir::BlockArgument>(operand) &&
          operand.getParentBlock() == carried.getOwner() && operand != carried)
        bytes += llvm::alignTo(bufferBytes(tileTypeOf(operand)), alignment);
  } else if (auto alloca = llvm::dyn_cast<tile::AllocaOp>(op)) {
    // It lives as long as the loop's turn, or the block.
    bytes = allocaBytes(alloca);
    Operation *scope = tile::enclosingNonIf(op);
    last = scope == entry ? operations.size() : numbers.lookup(scope).second;
  } else if (isProduct(op)) {
    ProductForm form = productForm(op, target);
    int64_t turns = turnsOf(op, form);
    for (unsigned operand : {0, 1})
      bytes += isInPlace(op, operand, form) ? 0 : turns * factorBytes(op, operand, form);
    if (turns > 1)
      std::tie(first, last) = numbers.lookup(op->getParentOp());
    bytes += correctionBytes(op, form);
  } else if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op))
    bytes = treeScratchBytes(reduce);
  else if (auto print = llvm::dyn_cast<tile::PrintOp>(op))
    bytes = printScratchBytes(print);
  if (bytes == 0)
    return;
  scratch[op] = buffers.size();
  buffers.push_back({bytes, first, last});
}

/// First fit, in the order in which buffers come to life. Where there is no place the kernel cannot
/// be launched, and offsets mean nothing (an alloca that is impossible traps: operations, 7.2).
void Plan::layOut() {
  std::vector<Buffer *> order;
  for (Buffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::sort(order,
             [](Buffer *a, Buffer *b) { return std::pair(a->first, a) < std::pair(b->first, b); });
  std::vector<Buffer *> alive; // by offset
  for (Buffer *buffer : order) {
    llvm::erase_if(alive, [&](Buffer *other) { return other->last < buffer->first; });
    int64_t offset = 0;
    auto at = alive.begin();
    for (; at != alive.end() && offset + buffer->bytes > (*at)->offset; ++at)
      offset = llvm::alignTo((*at)->offset + (*at)->bytes, alignment);
    if (buffer->bytes > mostArenaBytes - offset) {
      totalBytes = impossibleBytes;
      return;
    }
    buffer->offset = offset;
    alive.insert(at, buffer);
    totalBytes = std::max(totalBytes, int64_t(llvm::alignTo(offset + buffer->bytes, alignment)));
  }
}
