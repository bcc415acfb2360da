// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trace.h. The order of memory operations is that of the reference machine's vector clocks: a
// token includes the operations before it, also those that its operation has synchronized with.

#include "tilewright/api/explore/Trace.h"
#include "tilewright/api/explore/Numbers.h"
#include "tilewright/reference/watch/TraceWriter.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/Loops.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::api;
using reference::Epoch;
using reference::TileBlock;
using reference::VectorClock;
namespace json = llvm::json;

bool ExploredTrace::isFull() const {
  constexpr size_t mostEvents = 20'000, mostBytes = 2'200'000;
  return events.size() >= mostEvents || bytes >= mostBytes;
}

void ExploredTrace::begin(TileBlock &block, mlir::Operation *op) {
  if (!isFull())
    operands = valuesAsJson(block, op->getOperands());
}

//===-- Values ------------------------------------------------------------------------------===//

std::string ExploredTrace::nameOf(mlir::Value value) {
  if (const auto name = names.find(value); name != names.end())
    return name->second;
  std::string number;
  llvm::raw_string_ostream stream(number);
  value.printAsOperand(stream, numbers);
  return number;
}

json::Object ExploredTrace::valueAsJson(TileBlock &block, mlir::Value value) {
  constexpr int64_t mostElements = 4096;
  constexpr size_t mostBytes = 1'500'000;
  json::Object object{{"name", report::jsonText(nameOf(value))},
                      {"type", typeText(value.getType())},
                      {"text", report::jsonText(reference::summaryOf(block, value))}};
  const auto *tile = std::get_if<reference::Tile>(&block.get(value));
  if (!tile || tile->size() < 2 || tile->size() > mostElements || valueBytes >= mostBytes ||
      tile->format() == numerics::Format::Pointer)
    return object;
  std::vector<double> numbers;
  json::Array undefined;
  for (int64_t i = 0; i < tile->size(); ++i) {
    numbers.push_back(numberOf(reference::withoutMark((*tile)[i])));
    if (tile->isPoison(i))
      undefined.push_back(i);
  }
  PackedNumbers packed = pack(numbers);
  valueBytes += packed.base64.size();
  object["value_type"] = packed.type;
  object["values"] = std::move(packed.base64);
  object["undefined"] = std::move(undefined);
  return object;
}

json::Array ExploredTrace::valuesAsJson(TileBlock &block, mlir::ValueRange values) {
  json::Array list;
  for (mlir::Value value : values)
    list.push_back(valueAsJson(block, value));
  return list;
}

/// The values that the operation has defined: its results, or the arguments of the body that a loop
/// enters.
static mlir::ValueRange definedBy(TileBlock &block, mlir::Operation *op) {
  const bool atStart = !block.hasReturned() && block.innermost().next == 0;
  const auto arguments = [&] { return block.position()->getBlock()->getArguments(); };
  if (op->hasTrait<mlir::OpTrait::IsTerminator>())
    return llvm::isa<tile::ContinueOp>(op) && atStart ? mlir::ValueRange(arguments())
                                                      : mlir::ValueRange();
  const bool hasEntered = atStart && block.innermost().owner == op;
  if (hasEntered)
    return tile::isLoop(op) ? mlir::ValueRange(arguments()) : mlir::ValueRange();
  return op->getResults();
}

//===-- Order -------------------------------------------------------------------------------===//

/// The last operation of each chain that happens before the one with this clock.
static reference::Epochs predecessorsOf(const VectorClock &clock) {
  reference::Epochs epochs;
  for (Epoch epoch : clock.epochs()) {
    if (epoch.chain == clock.last.chain)
      --epoch.sequence;
    if (epoch.sequence)
      epochs.push_back(epoch);
  }
  return epochs;
}

/// Without those that happen before another one of them.
json::Array ExploredTrace::stepsBefore(const VectorClock &clock) const {
  std::vector<const Ordered *> before;
  for (Epoch epoch : predecessorsOf(clock))
    if (const auto known = ordered.find({epoch.chain, epoch.sequence}); known != ordered.end())
      before.push_back(&known->second);
  std::vector<int64_t> steps;
  for (const Ordered *one : before)
    if (llvm::none_of(before, [&](const Ordered *other) {
          return other != one && other->clock.includes(one->clock.last);
        }))
      steps.push_back(one->step);
  llvm::sort(steps);
  return json::Array(steps);
}

void ExploredTrace::addOrder(TileBlock &block, mlir::Operation *op, json::Object &event) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op);
  const VectorClock clock = block.token(access.getTokenAfter()).clock;
  if (!clock.last.chain)
    return;
  event["after"] = stepsBefore(clock);
  ordered[{clock.last.chain, clock.last.sequence}] = {int64_t(events.size()), clock};
}

//===-- Events ------------------------------------------------------------------------------===//

static json::Array memoryAsJson(const Accesses &accesses) {
  json::Array memory;
  for (const auto &[array, elements] : accesses.elements) {
    json::Object row{{"array", nullptr}, {"kind", accesses.kind}};
    if (array)
      row["array"] = int64_t(*array);
    elements.addTo(row);
    memory.push_back(std::move(row));
  }
  return memory;
}

/// Only what orders accesses of different blocks: weak ones have neither.
static void addSemantics(const reference::Semantics &semantics, json::Object &event) {
  if (semantics.isWeak())
    return;
  event["ordering"] = tile::stringifyMemoryOrderingSemantics(semantics.ordering);
  if (semantics.scope)
    event["scope"] = tile::stringifyMemoryScope(*semantics.scope);
}

void ExploredTrace::end(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome,
                        const Accesses &accesses) {
  if (isFull()) {
    ++unlistedEvents;
    return;
  }
  const runtime::Block &id = block.id();
  const bool hasResults = succeeded(outcome);
  json::Object event{
      {"step", int64_t(events.size())},
      {"block", json::Array{id.x, id.y, id.z}},
      {"operation", reference::nameOf(op)},
      {"location", report::toJson(report::placeOf(op->getLoc(), file))},
      {"operands", std::move(operands)},
      {"results", hasResults ? valuesAsJson(block, definedBy(block, op)) : json::Array()},
      {"memory", memoryAsJson(accesses)},
      {"after", json::Array()}};
  addSemantics(accesses.semantics, event);
  if (hasResults && llvm::isa<tile::MemoryAccessOpInterface>(op))
    addOrder(block, op, event);
  const std::string text = llvm::formatv("{0}", json::Value(json::Object(event)));
  bytes += text.size();
  events.push_back(std::move(event));
}
