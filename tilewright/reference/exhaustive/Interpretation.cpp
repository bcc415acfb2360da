// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Interpretation.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/watch/Observer.h"
#include "tilewright/tile/Loops.h"
#include "llvm/Support/Endian.h"

#include <array>

using namespace tilewright;
using namespace tilewright::reference;

//===-- Values ------------------------------------------------------------------------------===//

Value reference::valueOf(MarkedElement element) {
  std::array<uint8_t, 8> bytes = {};
  numerics::store(bytes.data(), 0, withoutMark(element.bits));
  return {llvm::support::endian::read64le(bytes.data()), element.mark};
}

MarkedElement reference::elementOf(Value value, Format format) {
  std::array<uint8_t, 8> bytes;
  llvm::support::endian::write64le(bytes.data(), value.bits);
  return {numerics::load(bytes.data(), 0, format), value.mark};
}

//===-- Memory ------------------------------------------------------------------------------===//

static constexpr Place byteAt(uint64_t address) { return {address, Format::I8}; }
/// For accesses to arrays and globals, the block does not matter.
static constexpr int64_t anyBlock = 0;

static Place halfAt(uint64_t address, bool isUpper) { return {address, Format::F4E2M1FN, isUpper}; }

Interpretation::Byte Interpretation::byteOf(const Allocation &allocation, uint64_t address) {
  auto hasValue = [&](bool isUpper) { return !load(allocation, halfAt(address, isUpper)).poison; };
  return {allocation.bytes[address - allocation.address], {hasValue(false), hasValue(true)}};
}

Value Interpretation::initialValue(Location location) const {
  if (location.begin >= firstPrivate)
    return Value::neverWritten();
  uint64_t bits = 0;
  for (uint64_t half = location.begin; half < location.end; ++half) {
    uint64_t address = half / 2;
    auto before = saved.find(address);
    const Allocation *allocation = memory.allowed(byteAt(address), 1, AccessKind::Read, anyBlock);
    assert(allocation && "a location that was accessed");
    Byte byte = before != saved.end() ? before->second : byteOf(*allocation, address);
    if (!byte.hasValue[half % 2])
      return Value::neverWritten();
    bits |= uint64_t(byte.bits >> 4 * (half % 2) & 15) << 4 * (half - location.begin);
  }
  return {bits};
}

void Interpretation::saveByte(Allocation &allocation, uint64_t address) {
  if (!allocation.keepsPoison())
    saved.try_emplace(address, byteOf(allocation, address));
}

void Interpretation::restore() {
  for (auto [address, byte] : saved) {
    Allocation *allocation = memory.allowed(byteAt(address), 1, AccessKind::Read, anyBlock);
    for (bool isUpper : {false, true})
      if (!byte.hasValue[isUpper])
        store(*allocation, halfAt(address, isUpper), Element::zero(Format::F4E2M1FN),
              Mark::Undefined);
    allocation->bytes[address - allocation->address] = byte.bits;
  }
  saved.clear();
}

//===-- Names -------------------------------------------------------------------------------===//

unsigned Interpretation::numberOf(AccessName name) {
  return accessNumbers.insert({std::move(name), accessNumbers.size()}).first->second;
}

uint64_t Interpretation::privateBase(AccessName alloca, uint64_t size) {
  auto [base, isNew] = privateBases.insert({std::move(alloca), nextPrivate});
  if (isNew)
    nextPrivate = llvm::alignTo(nextPrivate + 2 * size, 16);
  return base->second;
}

//===-- Recording ---------------------------------------------------------------------------===//

namespace tilewright::reference {

/// Records what a block does, and supplies the values of its reads.
class Recorder : public Observer {
public:
  Recorder(Interpretation &interpretation, ChooseValue choose)
      : interpretation(interpretation), choose(choose) {}

  void beforeOperation(TileBlock &block, mlir::Operation *op) override;
  void afterOperation(TileBlock &block, mlir::Operation *op, LogicalResult outcome) override;
  void onAccess(TileBlock &block, const MemoryOperation &operation,
                const Segment &segment) override;

  bool hasStopped() const { return isStopped; }
  /// The block ends here. With other values of the open reads it might continue.
  void noteEnd() {
    if (openReads.any() && !isStopped)
      behaviour.unseen.push_back({});
  }
  void stopAtLimit(std::string limit) {
    noteEnd();
    behaviour.limit = std::move(limit);
    stop();
  }
  Behaviour behaviour;
  std::shared_ptr<BehaviourDetails> details = std::make_shared<BehaviourDetails>();

private:
  void endIteration(TileBlock &block, tile::ContinueOp op, tile::LoopOp loop);
  bool isIdle(TileBlock &block, tile::ContinueOp op, tile::LoopOp loop) const;
  void access(TileBlock &block, const MemoryOperation &operation, int64_t element, Place place,
              Allocation &allocation);
  Location locationOf(const TileBlock &block, Place place, const Allocation &allocation) const;
  Event eventFor(TileBlock &block, const MemoryOperation &operation, int64_t element, Place place,
                 const Allocation &allocation) const;
  llvm::SmallVector<unsigned, 2> openAmong(const llvm::BitVector &reads) const;
  void noteUnseen(const llvm::BitVector &reads);
  void stop() { isStopped = true; }

  Trace &trace() { return behaviour.trace; }
  const Trace &trace() const { return behaviour.trace; }

  Interpretation &interpretation;
  ChooseValue choose;
  /// Where allocas begin in private memory, by their addresses in this run.
  llvm::DenseMap<uint64_t, uint64_t> privateBases;
  Dependences dependences;
  /// The number of the current operation, if it is a memory operation, and the reads that it has
  /// made.
  std::optional<unsigned> current;
  llvm::BitVector currentReads;
  llvm::BitVector openReads;
  /// The numbers of operations and events when the iteration of a loop began.
  struct IterationStart {
    size_t operations, events;
  };
  llvm::DenseMap<mlir::Operation *, IterationStart> iterationStarts;
  bool hadIdleIteration = false, isStopped = false;
};

} // namespace tilewright::reference

/// Memory operations and prints have a position in the token order.
static mlir::Value inputToken(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    if (llvm::isa<tile::TokenType>(operand.getType()))
      return operand;
  return nullptr;
}

static bool isOrdered(mlir::Operation *op) {
  return llvm::isa<tile::MemoryAccessOpInterface, tile::PrintOp>(op);
}

void Recorder::beforeOperation(TileBlock &block, mlir::Operation *op) {
  dependences.before(op);
  current.reset();
  currentReads.clear();
  if (isOrdered(op)) {
    current = trace().tokens.size();
    details->operations.push_back(op);
    mlir::Value token = inputToken(op);
    // The origin of the token is not certain if an open read decides it.
    bool isCertain = token && !dependences.of(token).reads.anyCommon(openReads);
    trace().tokens.push_back(isCertain ? dependences.of(token).operations
                                       : llvm::SmallVector<unsigned, 2>());
  }
  noteUnseen(dependences.readsDeciding(op));
  if (dependences.readsOfAll().anyCommon(openReads)) {
    noteUnseen(dependences.readsOfAll());
    stop();
  }
  if (auto alloca = llvm::dyn_cast<tile::AllocaOp>(op); alloca && alloca.getGlobal()) {
    stopAtLimit("the alloca at " + locationText(op->getLoc()) +
                " is `global`, and other blocks would have to see it");
  }
  if (auto next = llvm::dyn_cast<tile::ContinueOp>(op))
    if (auto loop = llvm::dyn_cast<tile::LoopOp>(tile::enclosingNonIf(op)))
      endIteration(block, next, loop);
}

void Recorder::afterOperation(TileBlock &block, mlir::Operation *op, LogicalResult outcome) {
  if (auto alloca = llvm::dyn_cast<tile::AllocaOp>(op); alloca && llvm::succeeded(outcome)) {
    Allocation &allocation = *block.allocationScope().allocas.back();
    privateBases[allocation.address] = interpretation.privateBase(
        {op, dependences.iterations(), /*element=*/0}, allocation.bytes.size());
  }
  dependences.after(block, op, current, currentReads);
  if (llvm::isa<tile::LoopOp>(op))
    iterationStarts[op] = {trace().tokens.size(), trace().events.size()};
}

//===-- Open reads --------------------------------------------------------------------------===//

llvm::SmallVector<unsigned, 2> Recorder::openAmong(const llvm::BitVector &reads) const {
  llvm::BitVector both = reads;
  both &= openReads;
  return llvm::SmallVector<unsigned, 2>(both.set_bits());
}

/// With other values there could be other events here.
void Recorder::noteUnseen(const llvm::BitVector &reads) {
  if (llvm::SmallVector<unsigned, 2> open = openAmong(reads); !open.empty())
    behaviour.unseen.push_back(std::move(open));
}

/// Any defined value will do; with an undefined one the machine would not continue.
static Value placeholderFor(Value initial) {
  return initial.mark == Mark::None ? initial : Value{};
}

//===-- Waiting -----------------------------------------------------------------------------===//

/// Whether the iteration changed nothing and the next one starts with the same values.
bool Recorder::isIdle(TileBlock &block, tile::ContinueOp op, tile::LoopOp loop) const {
  IterationStart start = iterationStarts.find(loop)->second;
  return llvm::all_of(
             llvm::drop_begin(trace().events, start.events),
             [](const Event &event) { return !event.written || event.written == event.read; }) &&
         llvm::none_of(llvm::drop_begin(details->operations, start.operations),
                       llvm::IsaPred<tile::PrintOp>) &&
         llvm::all_of(llvm::zip_equal(op.getOperands(), loop.body()->getArguments()),
                      [&](auto carried) {
                        auto [next, before] = carried;
                        return areEqual(block.get(next), block.get(before));
                      });
}

void Recorder::endIteration(TileBlock &block, tile::ContinueOp op, tile::LoopOp loop) {
  IterationStart &start = iterationStarts.find(loop)->second;
  if (isIdle(block, op, loop) && std::exchange(hadIdleIteration, true)) {
    for (Event &event : llvm::drop_begin(trace().events, start.events))
      event.isLast = event.read.has_value();
    details->waitingLoop = loop;
    noteEnd();
    stop();
  }
  start = {trace().tokens.size(), trace().events.size()};
}

//===-- Accesses ----------------------------------------------------------------------------===//

static Scope scopeOf(const Semantics &semantics) {
  if (!semantics.scope)
    return Scope::None;
  switch (*semantics.scope) {
  case tile::MemoryScope::TileBlock:
    return Scope::TileBlock;
  case tile::MemoryScope::Device:
    return Scope::Device;
  case tile::MemoryScope::Sys:
    return Scope::System;
  }
  llvm_unreachable("scopes are listed above");
}

/// Each block has its own allocas. Their addresses depend on how many allocations came before and
/// do not matter.
Location Recorder::locationOf(const TileBlock &block, Place place,
                              const Allocation &allocation) const {
  uint64_t begin = 2 * place.address + place.isUpperHalf;
  if (allocation.keepsPoison())
    begin += Interpretation::firstPrivate + (uint64_t(block.id().number) << 44) +
             privateBases.at(allocation.address) - 2 * allocation.address;
  return {begin, begin + numerics::info(place.format).storageBits / 4};
}

/// Whether the value that an operation reads decides what, or whether, it writes.
static bool mayDependOnOld(const MemoryOperation &operation) {
  return operation.effect == Effect::CompareSwap ||
         (operation.effect == Effect::Update && operation.mode != tile::AtomicRMWMode::Xchg);
}

Event Recorder::eventFor(TileBlock &block, const MemoryOperation &operation, int64_t element,
                         Place place, const Allocation &allocation) const {
  Event event{*current, locationOf(block, place, allocation)};
  event.access = interpretation.numberOf({operation.op, dependences.iterations(), element});
  event.scope = scopeOf(operation.semantics);
  event.acquires = operation.semantics.acquires();
  event.releases = operation.semantics.releases();
  event.mayFail = operation.effect == Effect::CompareSwap;
  const llvm::BitVector reads = dependences.readsOf(operation.op);
  for (unsigned read : reads.set_bits())
    event.dependsOn.push_back(read);
  if (mayDependOnOld(operation))
    event.dependsOn.push_back(trace().events.size());
  return event;
}

/// The value that an operation writes after it has read `old`.
static std::optional<MarkedElement> written(const MemoryOperation &operation, int64_t element,
                                            MarkedElement old) {
  switch (operation.effect) {
  case Effect::Load:
    return std::nullopt;
  case Effect::Store:
    return elementOf(*operation.operand, element);
  case Effect::Update:
    return combine(operation.mode, old, elementOf(*operation.operand, element));
  case Effect::CompareSwap:
    // Comparisons with poison are reported where they are performed.
    return old.bits.bits == (*operation.expected)[element].bits
               ? std::optional(elementOf(*operation.operand, element))
               : std::nullopt;
  }
  llvm_unreachable("effects are listed above");
}

void Recorder::access(TileBlock &block, const MemoryOperation &operation, int64_t element,
                      Place place, Allocation &allocation) {
  if (trace().events.size() == interpretation.mostAccesses)
    return stopAtLimit("block " + std::to_string(block.id().number) + " accesses more than " +
                       std::to_string(interpretation.mostAccesses) + " elements");
  for (uint64_t byte = 0; byte < bytesOf(place.format); ++byte)
    interpretation.saveByte(allocation, place.address + byte);

  Event event = eventFor(block, operation, element, place, allocation);
  MarkedElement old = {Element::zero(place.format)};
  if (operation.effect != Effect::Store) {
    unsigned number = trace().events.size();
    openReads.resize(number + 1);
    event.read = choose(event);
    if (!event.read) {
      event.isOpen = true;
      event.read = placeholderFor(interpretation.initialValue(event.location));
      openReads.set(number);
    }
    old = elementOf(*event.read, place.format);
    store(allocation, place, old.bits, old.mark);
    currentReads.resize(number + 1);
    currentReads.set(number);
  }
  if (std::optional<MarkedElement> value = written(operation, element, old)) {
    // Arrays keep bits but no marks.
    event.written = valueOf(allocation.keepsPoison() ? *value : MarkedElement{value->bits});
  }
  trace().events.push_back(std::move(event));
}

void Recorder::onAccess(TileBlock &block, const MemoryOperation &operation,
                        const Segment &segment) {
  AccessKind kind = operation.effect == Effect::Load ? AccessKind::Read : AccessKind::Write;
  for (int64_t i = 0; i < segment.count && !isStopped; ++i) {
    // The machine reports what is wrong with the other elements.
    if (Allocation *allocation = block.memory().allowed(segment.at(i), 1, kind, block.id().number))
      access(block, operation, segment.element + i, segment.at(i), *allocation);
  }
}

//===-- Runs --------------------------------------------------------------------------------===//

Behaviour Interpretation::run(int64_t number, ChooseValue choose) {
  size_t allocationsBefore = memory.allocationCount();
  Recorder recorder(*this, choose);
  LaunchOptions recorded = options;
  recorded.observer = &recorder;
  recorded.cancelled =
      nullptr; // Checked here instead: a partial run must not count as a behaviour.
  recorded.schedule = Schedule::ProgramOrder;
  Launch launch{program, grid, memory, globals, recorded, llvm::nulls()};
  TileBlock block(launch, grid.block(number), parameters);
  int64_t stepsLeft = options.maxSteps;
  while (!block.hasReturned() && !recorder.hasStopped()) {
    if (options.cancelled && options.cancelled->load(std::memory_order_relaxed)) {
      recorder.stopAtLimit(explorationWasCancelled);
      break;
    }
    if (stepsLeft-- == 0) {
      recorder.stopAtLimit("block " + std::to_string(number) + " executes more than " +
                           std::to_string(options.maxSteps) + " operations");
      break;
    }
    if (llvm::failed(step(block))) {
      recorder.noteEnd();
      break;
    }
  }
  memory.releaseAllSince(allocationsBefore);
  restore();

  recorder.details->block = block.id();
  // The block was stopped from outside, so findings caused by that do not count.
  if (!recorder.hasStopped())
    recorder.details->findings = std::move(launch.result.findings);
  recorder.behaviour.details = std::move(recorder.details);
  return std::move(recorder.behaviour);
}
