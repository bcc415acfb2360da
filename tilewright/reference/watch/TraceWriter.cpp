// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TraceWriter.h. Accesses are collected while an operation executes and printed at the end of
// its line. If the schedule delays an access, it gets its own line.

#include "tilewright/reference/watch/TraceWriter.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::Twine;

/// The number of memory ranges that are listed.
static constexpr size_t mostRanges = 8;

static mlir::Operation *outermost(mlir::Operation *op) {
  while (mlir::Operation *parent = op->getParentOp())
    op = parent;
  return op;
}

TraceWriter::TraceWriter(tile::EntryOp entry, TraceFilter filter, Writer write)
    : filter(std::move(filter)), write(std::move(write)), names(outermost(entry)) {}

void TraceWriter::writeLine(TileBlock &block, mlir::Operation *op, const Twine &what) {
  const runtime::Block &id = block.id();
  const std::string text = (locationText(op->getLoc()) + ": block (" + Twine(id.x) + ", " +
                            Twine(id.y) + ", " + Twine(id.z) + "): " + what)
                               .str();
  write({op->getLoc(), id, nameOf(op), text});
}

/// `%0 = f32 2.5, %1 = token`
std::string TraceWriter::listOf(TileBlock &block, mlir::ValueRange values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os, [&](mlir::Value value) {
    value.printAsOperand(os, names);
    os << " = " << summaryOf(block, value);
  });
  return text;
}

//===-- Blocks ------------------------------------------------------------------------------===//

void TraceWriter::onStart(TileBlock &block) {
  if (!filter.includes(block) || !filter.operations.empty())
    return;
  tile::EntryOp entry = block.launch().program.entry();
  writeLine(block, entry,
            "starts @" + entry.getSymName() + "(" + listOf(block, entry.getBody().getArguments()) +
                ")");
}

void TraceWriter::onEnd(TileBlock &block) {
  if (filter.includes(block) && filter.operations.empty())
    writeLine(block, block.launch().program.entry(), "ends");
}

//===-- Operations --------------------------------------------------------------------------===//

void TraceWriter::beforeOperation(TileBlock &block, mlir::Operation *op) {
  if (!includes(block, op))
    return;
  forgetEffects();
  call = (nameOf(op) + "(" + listOf(block, op->getOperands()) + ")").str();
}

void TraceWriter::afterOperation(TileBlock &block, mlir::Operation *op, LogicalResult outcome) {
  if (!includes(block, op))
    return;
  writeLine(block, op,
            call + (llvm::failed(outcome) ? " -> failed" : outcomeOf(block, op)) + effectsText());
  forgetEffects();
}

/// The outcome of an operation: its results, or where the block continues.
std::string TraceWriter::outcomeOf(TileBlock &block, mlir::Operation *op) {
  bool atStart = !block.hasReturned() && block.innermost().next == 0;
  if (op->hasTrait<mlir::OpTrait::IsTerminator>())
    return llvm::isa<tile::ContinueOp>(op) && atStart
               ? " -> next iteration " + listOf(block, block.position()->getBlock()->getArguments())
               : "";
  if ((llvm::isa<tile::IfOp>(op) || tile::isLoop(op)) && atStart && block.innermost().owner == op) {
    mlir::Block *entered = block.position()->getBlock();
    if (auto branch = llvm::dyn_cast<tile::IfOp>(op))
      return entered == branch.thenBlock() ? " -> then" : " -> else";
    return " -> first iteration " + listOf(block, entered->getArguments());
  }
  return op->getNumResults() ? " -> " + listOf(block, op->getResults()) : "";
}

//===-- Memory ------------------------------------------------------------------------------===//

static llvm::StringRef verbOf(Effect effect) {
  switch (effect) {
  case Effect::Load:
    return "reads";
  case Effect::Store:
    return "writes";
  case Effect::Update:
    return "updates";
  case Effect::CompareSwap:
    return "compares";
  }
  llvm_unreachable("every effect has a verb");
}

void TraceWriter::onAccess(TileBlock &block, const MemoryOperation &operation,
                           const Segment &segment) {
  if (!includes(block, operation.op))
    return;
  addRange(block, operation, segment);
  if (!delaysMemory(block.launch().options))
    return;
  writeLine(block, operation.op, nameOf(operation.op) + " performs" + effectsText());
  forgetEffects();
}

void TraceWriter::addRange(TileBlock &block, const MemoryOperation &operation,
                           const Segment &segment) {
  verb = verbOf(operation.effect);
  touched += segment.count;
  AccessKind kind = operation.effect == Effect::Load ? AccessKind::Read : AccessKind::Write;
  Range range{"memory outside of every array", 0, -1};
  if (const Allocation *allocation =
          block.memory().allowed(segment.place, segment.count, kind, block.id().number))
    range = {allocation->name, allocation->elementAt(segment.place),
             allocation->elementAt(segment.at(segment.count - 1))};
  bool continues = !ranges.empty() && ranges.back().array == range.array && !hasMoreRanges &&
                   ranges.back().last + 1 == range.first;
  if (continues)
    ranges.back().last = range.last;
  else if (ranges.size() < mostRanges)
    ranges.push_back(std::move(range));
  else
    hasMoreRanges = true;
}

/// `; reads parameter 1 (4x4xf32)[0..1, 4..5], 4 elements`
std::string TraceWriter::effectsText() const {
  if (ranges.empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "; " << verb << " ";
  llvm::StringRef array;
  for (const Range &range : ranges) {
    if (range.array == array)
      os << ", ";
    else
      os << (array.empty() ? "" : "], ") << range.array << "[";
    array = range.array;
    if (range.first <= range.last)
      os << range.first;
    if (range.first < range.last)
      os << ".." << range.last;
  }
  os << (hasMoreRanges ? ", ...], " : "], ") << touched
     << (touched == 1 ? " element" : " elements");
  return text;
}

void TraceWriter::forgetEffects() {
  ranges.clear();
  hasMoreRanges = false;
  touched = 0;
}
