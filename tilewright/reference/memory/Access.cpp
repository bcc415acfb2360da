// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Access.h.

#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/watch/Observer.h"
#include "tilewright/support/Shape.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::Twine;

std::string reference::elementPrefix(llvm::ArrayRef<int64_t> shape, int64_t index) {
  std::string where = support::coordinateText(shape, index);
  return where.empty() ? "" : "element " + where + ": ";
}

//===-- Findings ----------------------------------------------------------------------------===//

/// A finding about one element of an operation, and about the array that contains it, if any.
static Finding elementFinding(TileBlock &block, const MemoryOperation &operation, int64_t element,
                              const Allocation *allocation, Place place, Check check,
                              const Twine &what) {
  llvm::ArrayRef<int64_t> shape = operation.shapedLikeElements().shape();
  Finding finding =
      block.finding(FindingKind::Misbehaviour, operation.op,
                    nameOf(operation.op) + ": " + elementPrefix(shape, element) + what);
  if (delaysMemory(block.launch().options))
    finding.iterations = operation.iterations;
  finding.rule = &ruleOf(check);
  finding.element = support::coordinateText(shape, element);
  if (allocation) {
    finding.array = allocation->name;
    finding.arrayElement = allocation->elementAt(place);
  }
  return finding;
}

/// `by block (0, 0, 0)`, with a note if the event belongs to the previous launch.
static std::string eventText(const MemoryEvent &event, uint32_t launch) {
  const runtime::Block &block = event.block;
  std::string text;
  llvm::raw_string_ostream(text) << nameOf(event.op) << " by block (" << block.x << ", " << block.y
                                 << ", " << block.z << ")"
                                 << (event.launch < launch ? " of the launch before" : "");
  return text;
}

/// The reason why the two events are not morally strong.
static std::string reasonOf(const MemoryEvent &earlier, const MemoryEvent &later) {
  if (earlier.launch != later.launch)
    return "no token comes here from a gdc_wait_tko";
  if (earlier.semantics.isWeak() || later.semantics.isWeak())
    return earlier.semantics.isWeak() && later.semantics.isWeak()
               ? "both are weak"
               : (earlier.semantics.isWeak() ? "the earlier one is weak" : "the later one is weak");
  auto includesOther = [&](const MemoryEvent &event) {
    return earlier.block.number == later.block.number ||
           event.semantics.scope != tile::MemoryScope::TileBlock;
  };
  return includesOther(earlier) && includesOther(later)
             ? "they overlap in part only"
             : "the scope of one does not include the other's block";
}

/// Whether repeated elements in the sparse index of this store have been reported.
static bool isReportedScatter(TileBlock &block, mlir::Operation *op) {
  auto store = llvm::dyn_cast<tile::StoreViewOp>(op);
  return store && llvm::isa<tile::GatherScatterViewType>(store.getView().getType()) &&
         block.launch().isReported(op, Check::Scatter);
}

static void reportRace(TileBlock &block, const MemoryOperation &operation, int64_t element,
                       const Allocation &allocation, Place place, uint32_t earlierNumber) {
  if (earlierNumber == operation.event && isReportedScatter(block, operation.op))
    return;
  const MemoryEvent &earlier = block.launch().races->event(earlierNumber);
  const MemoryEvent &later = block.launch().races->event(operation.event);
  if (!block.launch().reportedRaces.insert({earlier.op, later.op}).second)
    return;
  std::string array = allocation.name + allocation.elementText(place);
  Finding finding =
      earlierNumber == operation.event
          ? elementFinding(block, operation, element, &allocation, place, Check::Race,
                           "race on " + array +
                               " with another element of the same operation, "
                               "which is weak")
          : elementFinding(block, operation, element, &allocation, place, Check::Race,
                           "race on " + array + " with " + eventText(earlier, later.launch) +
                               ": nothing orders the two, and " + reasonOf(earlier, later));
  if (earlierNumber != operation.event)
    finding.related.push_back(
        {earlier.op->getLoc(), "the earlier access: " + eventText(earlier, later.launch)});
  block.add(std::move(finding));
}

//===-- Access ------------------------------------------------------------------------------===//

/// Assigns a position in the token order to the operation.
static void start(TileBlock &block, MemoryOperation &operation) {
  operation.hasStarted = true;
  dropFinished(operation.before);
  assert(operation.before.pending.empty() && "an operation waits for its token");
  RaceDetector *races = block.launch().races.get();
  if (!races)
    return;
  operation.clock = block.launch().tokenOrder.append(operation.before.clock, block.id().number);
  operation.event = races->add(
      {operation.op, block.id(), operation.semantics, operation.clock.last, block.launch().number});
}

static void reportRefused(TileBlock &block, const MemoryOperation &operation, int64_t element,
                          Place place, AccessKind kind) {
  Objection objection = block.memory().objection(place, kind, block.id().number);
  Finding finding = elementFinding(block, operation, element, objection.allocation, place,
                                   objection.check, objection.what);
  if (objection.nearest)
    finding.array = objection.nearest->name;
  block.reportOnce(std::move(finding));
}

/// Reports an element that the block may not access. A read returns zero, or unspecified bits if
/// the check is disabled; a write is dropped.
static void refuse(TileBlock &block, MemoryOperation &operation, int64_t element, Place place) {
  AccessKind kind = operation.effect == Effect::Load ? AccessKind::Read : AccessKind::Write;
  Check check = block.memory().violated(place, kind, block.id().number);
  const bool isChecked = block.launch().options.checks.has(check);
  if (isChecked && !block.launch().isReported(operation.op, check))
    reportRefused(block, operation, element, place, kind);
  if (!operation.result)
    return;
  if (isChecked)
    operation.result->set(element, Element::fromBits(place.format, 0));
  else
    block.setUnspecified(*operation.result, element);
}

/// Whether elements have the same representation in memory and in tiles.
static bool isPlain(Format format) {
  const numerics::FormatInfo &info = numerics::info(format);
  return info.bits == info.storageBits && info.bits >= 8;
}

/// Moves a whole segment at once, if possible.
static bool moveContiguous(TileBlock &block, MemoryOperation &operation, Allocation &allocation,
                           const Segment &segment) {
  if (!isPlain(segment.place.format) || allocation.tracksValues())
    return false;
  uint8_t *memory = allocation.bytes.data() + (segment.place.address - allocation.address);
  size_t size = segment.count * segment.elementBytes(),
         offset = segment.element * segment.elementBytes();
  if (operation.reducesCopies)
    return false;
  if (operation.effect == Effect::Load) {
    std::memcpy(operation.result->words() + offset, memory, size);
    return true;
  }
  if (operation.effect != Effect::Store || operation.operand->firstPoison())
    return false;
  const uint8_t *stored = static_cast<const Tile &>(*operation.operand).words() + offset;
  block.launch().changes += std::memcmp(memory, stored, size) != 0;
  std::memcpy(memory, stored, size);
  return true;
}

static void reportStored(TileBlock &block, const MemoryOperation &operation,
                         const Allocation &allocation, int64_t element, Place place, Mark mark) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(operation.op);
  reportOutput(block, operation.op, access.getStored(), element, mark, [&](llvm::StringRef kind) {
    return elementFinding(block, operation, element, &allocation, place, Check::Undefined,
                          "an " + kind + " value is stored to " + allocation.name);
  });
}

void reference::reportStored(TileBlock &block, const MemoryOperation &store) {
  if (!store.operand->firstPoison())
    return;
  for (const Segment &segment : store.segments)
    for (int64_t i = 0; i < segment.count; ++i) {
      Mark mark = store.operand->markOf(segment.element + i);
      if (mark == Mark::None)
        continue;
      Allocation *allocation =
          block.memory().allowed(segment.at(i), 1, AccessKind::Write, block.id().number);
      if (allocation && !allocation->keepsPoison())
        ::reportStored(block, store, *allocation, segment.element + i, segment.at(i), mark);
    }
}

/// Writes an element. Reports a mark if the host can read the memory, except for delayed stores,
/// for which the mark was reported at issue.
static void writeElement(TileBlock &block, const MemoryOperation &operation, Allocation &allocation,
                         int64_t element, Place place, MarkedElement value) {
  bool isReported = operation.effect == Effect::Store && delaysMemory(block.launch().options);
  bool keepsMark = allocation.keepsPoison();
  if (value.mark != Mark::None && !keepsMark && !isReported)
    ::reportStored(block, operation, allocation, element, place, value.mark);
  Mark mark = keepsMark ? value.mark : Mark::None;
  block.launch().changes +=
      load(allocation, place).bits != value.bits.bits || markAt(allocation, place) != mark;
  store(allocation, place, value.bits, mark);
}

/// Moves one element. Returns true if memory was written.
static bool moveElement(TileBlock &block, MemoryOperation &operation, Allocation &allocation,
                        int64_t element, Place place) {
  auto write = [&](MarkedElement value) {
    writeElement(block, operation, allocation, element, place, value);
    return true;
  };
  if (operation.effect == Effect::Store)
    return write(elementOf(*operation.operand, element));
  MarkedElement old = {load(allocation, place)};
  if (std::exchange(old.bits.poison, false))
    old.mark = markAt(allocation, place);
  if (operation.reducesCopies) {
    operation.isRead.resize(operation.result->size());
    if (operation.isRead.test(element))
      old = combine(operation.mode, elementOf(*operation.result, element), old);
    operation.isRead.set(element);
  }
  if (operation.result)
    operation.result->set(element, old.bits, old.mark);
  if (operation.effect == Effect::Load)
    return false;
  MarkedElement operand = elementOf(*operation.operand, element);
  if (operation.effect == Effect::Update)
    return write(combine(operation.mode, old, operand));
  // Like a branch, the comparison decides whether memory changes.
  Element expected = (*operation.expected)[element];
  if (old.mark != Mark::None || expected.poison)
    block.reportOnce(
        Check::Undefined, operation.op,
        elementPrefix(operation.operand->shape(), element) + "`cmp` is compared with " +
            (old.mark == Mark::Undefined     ? "memory that was never written, or that holds an "
                                               "undefined value"
             : old.mark == Mark::Unspecified ? "memory that holds a value that nothing specifies"
                                             : "memory, and is undefined"));
  // The comparison is bitwise: NaN equals itself, and -0 differs from +0.
  return old.bits.bits == expected.bits && write(operand);
}

bool reference::observes(const MemoryOperation &operation) {
  auto isUsedValue = [](mlir::Value result) {
    return !llvm::isa<tile::TokenType>(result.getType()) && !result.use_empty();
  };
  return operation.effect != Effect::Store &&
         (operation.semantics.acquires() || llvm::any_of(operation.op->getResults(), isUsedValue));
}

static void checkRaces(TileBlock &block, MemoryOperation &operation, const Allocation &allocation,
                       const Segment &segment, bool writes) {
  RaceDetector &races = *block.launch().races;
  uint64_t offset = segment.place.address - allocation.address;
  RaceDetector::Access access = {operation.event,
                                 operation.clock,
                                 operation.effect != Effect::Store,
                                 writes,
                                 segment.place.format == Format::F4E2M1FN,
                                 segment.place.isUpperHalf,
                                 observes(operation),
                                 operation.acquired};
  races.check(allocation, offset, segment.elementBytes(), segment.count, access,
              [&](int64_t i, uint32_t earlier) {
                reportRace(block, operation, segment.element + i, allocation, segment.at(i),
                           earlier);
              });
}

static void perform(TileBlock &block, MemoryOperation &operation, const Segment &segment) {
  AccessKind kind = operation.effect == Effect::Load ? AccessKind::Read : AccessKind::Write;
  Allocation *allocation =
      block.memory().allowed(segment.place, segment.count, kind, block.id().number);
  if (!allocation && segment.count == 1)
    return refuse(block, operation, segment.element, segment.place);
  if (!allocation) {
    // Some elements may lie inside an allocation.
    for (int64_t i = 0; i < segment.count; ++i)
      perform(block, operation, {segment.element + i, 1, segment.at(i)});
    return;
  }

  bool hasRaces = block.launch().races != nullptr;
  bool alwaysWrites = operation.effect == Effect::Store || operation.effect == Effect::Update;
  // A failed swap does not write, so its races are checked afterwards, element by element.
  bool writesMaybe = operation.effect == Effect::CompareSwap;
  if (hasRaces && !writesMaybe)
    checkRaces(block, operation, *allocation, segment, alwaysWrites);
  if (moveContiguous(block, operation, *allocation, segment))
    return;
  for (int64_t i = 0; i < segment.count; ++i) {
    bool wrote = moveElement(block, operation, *allocation, segment.element + i, segment.at(i));
    if (writesMaybe && hasRaces)
      checkRaces(block, operation, *allocation, {segment.element + i, 1, segment.at(i)}, wrote);
  }
}

//===-- Multicast memory ----------------------------------------------------------------------===//

bool reference::isMultimem(mlir::Operation *op) {
  auto view = llvm::dyn_cast<tile::TileView>(
      llvm::cast<tile::MemoryAccessOpInterface>(op).getAddressed().getType());
  tile::PointerAttributeAttr attribute = view ? view.getTensorView().getAttribute() : nullptr;
  return attribute && attribute.getValue() == tile::PointerAttribute::Multicast;
}

void reference::spreadOverCopies(const Memory &memory, std::vector<Segment> &segments) {
  std::vector<Segment> spread;
  for (const Segment &segment : segments) {
    const Allocation *multicast = memory.multicastAt(segment.place.address);
    if (!multicast) {
      spread.push_back(segment);
      continue;
    }
    // Elements beyond the end lie in no array.
    const uint64_t offset = segment.place.address - multicast->address;
    const int64_t inside = std::min<int64_t>(segment.count, (multicast->bytes.size() - offset) /
                                                                segment.elementBytes());
    for (uint64_t copy : multicast->copies)
      if (inside > 0)
        spread.push_back({segment.element, inside, Place{copy + offset, segment.place.format}});
    if (inside < segment.count)
      spread.push_back({segment.element + inside, segment.count - inside, segment.at(inside)});
  }
  segments = std::move(spread);
}

//===-- Performing ----------------------------------------------------------------------------===//

void reference::performNext(TileBlock &block, MemoryOperation &operation) {
  if (!operation.hasStarted)
    start(block, operation);
  if (operation.nextSegment < operation.segments.size()) {
    const Segment &segment = operation.segments[operation.nextSegment++];
    if (Observer *observer = block.launch().options.observer)
      observer->onAccess(block, operation, segment);
    perform(block, operation, segment);
  }
  if (operation.isDone())
    operation.clock.join(operation.acquired);
}

void reference::performAll(TileBlock &block, MemoryOperation &operation) {
  while (!operation.isDone())
    performNext(block, operation);
}
