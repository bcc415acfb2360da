// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;
using support::Failure;
using support::Result;

Machine::Machine(func::FuncOp function, Workgroup workgroup, RunLimits limits)
    : kernel(function.getName()), group(workgroup), limits(limits), lifetimes(function) {
  activeThreads.resize(group.size());
  std::iota(activeThreads.begin(), activeThreads.end(), 0);
}

//===-- Values ---------------------------------------------------------------------------===//

unsigned Machine::numberOf(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, unsigned(registers.size()));
  if (isNew)
    registers.emplace_back();
  return entry->second;
}

Register &Machine::define(Value value, bool uniform) {
  Register &result = registers[numberOf(value)];
  result.resize(*contentsOf(value.getType()), uniform || threads() == 1, threads());
  return result;
}

void Machine::assign(Value value, const Register &source, bool keep) {
  Register &target = registers[numberOf(value)];
  if (&target == &source)
    return;
  const bool isNew = target.bits.empty() && target.references.empty();
  if (!keep || isNew || int64_t(activeThreads.size()) == threads()) {
    target = source;
    target.constant = false;
    return;
  }
  target.spread(threads());
  for (int64_t thread : activeThreads)
    target.copyRow(thread, source);
}

Register &Machine::continueFrom(Operation &op, Value operand, Value value, bool uniform) {
  Register &source = registers[numberOf(operand)];
  Register &result = registers[numberOf(value)];
  const bool isNeeded = source.constant || llvm::count(op.getOperands(), operand) > 1 ||
                        !lifetimes.endsAt(operand, op);
  if (!isNeeded && (uniform || threads() == 1 || !source.uniform)) {
    result = std::move(source);
    return result;
  }
  define(value, uniform);
  for (int64_t thread : rowsOf(result))
    result.copyRow(thread, source);
  return result;
}

void Machine::release(ArrayRef<Value> values) {
  for (Value value : values)
    if (auto number = numbers.find(value); number != numbers.end())
      if (Register &unused = registers[number->second]; !unused.constant)
        unused = Register();
}

bool Machine::isUniform(ValueRange values) {
  return llvm::all_of(values, [this](Value value) { return of(value).uniform; });
}

Threads Machine::readersOf(const Register &result) const {
  if (!result.uniform || activeThreads.size() == 1)
    return activeThreads;
  return {activeThreads.front(), activeThreads.back()};
}

bool Machine::readsAlike(Value memref, ValueRange others) {
  const Register &reference = of(memref);
  return reference.uniform && isUniform(others) &&
         !memories[reference.references.front().memory].isPrivate();
}

ArrayRef<Plan> Machine::plansOf(Operation &op, llvm::function_ref<std::vector<Plan>()> make) {
  auto [entry, isNew] = plans.try_emplace(&op);
  if (isNew)
    entry->second = make();
  return entry->second;
}

//===-- Control flow ---------------------------------------------------------------------===//

std::optional<Threads> Machine::enter(Operation &branch, const Threads &threads) {
  if (threads.size() == activeThreads.size())
    return std::nullopt;
  divergences.push_back({&branch, int64_t(threads.size()), int64_t(activeThreads.size())});
  return std::exchange(activeThreads, threads);
}

void Machine::leave(std::optional<Threads> before) {
  if (!before)
    return;
  activeThreads = std::move(*before);
  divergences.pop_back();
}

LogicalResult Machine::execute(Block &block) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (failed(step(op)))
      return failure();
    release(lifetimes.endingAt(op));
  }
  return success();
}

LogicalResult Machine::countStep(Operation &op) {
  if (++steps <= limits.steps)
    return success();
  findings.push_back(
      makeFinding(op, formatv("the limit of {0} operations is reached", limits.steps)));
  findings.back().kind = report::FindingKind::StepLimit;
  return failure();
}

LogicalResult Machine::step(Operation &op) {
  if (failed(countStep(op)))
    return failure();
  const Meaning *meaning = meaningOf(op.getName());
  if (!meaning)
    return refuse(op, formatv("'{0}' cannot be executed", op.getName()));
  return meaning->execute(*this, op);
}

LogicalResult Machine::requireActive(Operation &op, ArrayRef<int64_t> needed, StringRef what) {
  const int64_t here = llvm::count_if(needed, [this](int64_t thread) {
    return std::binary_search(activeThreads.begin(), activeThreads.end(), thread);
  });
  if (here == int64_t(needed.size()))
    return success();
  std::string message = formatv("'{0}' is reached by {1} of the {2} threads {3}", op.getName(),
                                here, needed.size(), what);
  for (const Divergence &divergence : divergences)
    message += formatv("; '{0}' at {1} went on with {2} of {3}", divergence.op->getName(),
                       simt::placeOf(divergence.op->getLoc()), divergence.stayed, divergence.came);
  return stop(Check::DivergentBarrier, op, message);
}

SmallVector<Threads> Machine::activeSubgroups() const {
  SmallVector<Threads> subgroups;
  int64_t last = -1;
  for (int64_t thread : activeThreads) {
    const int64_t subgroup = thread / group.lanes;
    if (subgroup == last)
      continue;
    last = subgroup;
    Threads all(std::min(group.lanes, threads() - subgroup * group.lanes));
    std::iota(all.begin(), all.end(), subgroup * group.lanes);
    subgroups.push_back(std::move(all));
  }
  return subgroups;
}

//===-- Memory ---------------------------------------------------------------------------===//

Result<unsigned> Machine::allocate(std::string name, numerics::Format format,
                                   ArrayRef<int64_t> shape, int64_t count, int64_t copies) {
  if (count > (limits.elements - elements) / copies)
    return Failure{formatv("{0} has {1} elements for each of {2}, but of the limit of {3} only {4} "
                           "are left",
                           name, count, copies, limits.elements, limits.elements - elements)};
  elements += count * copies;
  memories.emplace_back(std::move(name), format, shape, count, copies);
  return unsigned(memories.size() - 1);
}

std::optional<int64_t> Machine::placeOf(Operation &op, int64_t thread, const Reference &reference,
                                        ArrayRef<int64_t> index) {
  Memory &memory = memories[reference.memory];
  __int128 place = reference.offset;
  for (auto [dim, coordinate] : llvm::enumerate(index)) {
    if (coordinate < 0 || coordinate >= reference.sizes[dim]) {
      (void)stop(Check::OutOfBounds, op,
                 formatv("thread {0} accesses {1} at index {2} of dimension {3}, which has extent "
                         "{4}",
                         thread, memory.name(), coordinate, dim, reference.sizes[dim]),
                 {thread, &memory});
      return std::nullopt;
    }
    // Computed in 128 bits, because strides may be any numbers.
    place += __int128(coordinate) * reference.strides[dim];
  }
  if (place < 0 || place >= memory.reach()) {
    (void)stop(Check::OutOfBounds, op,
               formatv("thread {0} accesses element {1} of {2}, which has {3}", thread,
                       int64_t(place), memory.name(), memory.reach()),
               {thread, &memory});
    return std::nullopt;
  }
  return memory.isPrivate() ? thread * memory.reach() + int64_t(place) : int64_t(place);
}

void Machine::checkRace(const Access &access, Memory &memory, int64_t place) {
  if (threads() == 1 || memory.isPrivate())
    return;
  const std::optional<Access> other = memory.meet(place, access, barrierPhase);
  if (!other)
    return;
  const auto spell = [](const Access &access) {
    return std::string(access.writes ? "write" : "read") + " by thread " +
           std::to_string(access.thread);
  };
  report(Check::Race, *access.op,
         formatv("race on {0}: {1} ('{2}') and, with no barrier between, {3} ('{4}' at {5})",
                 memory.nameOf(place), spell(access), access.op->getName(), spell(*other),
                 other->op->getName(), simt::placeOf(other->op->getLoc())),
         {access.thread, &memory, place, other->op});
}

Element Machine::load(const Access &access, const Reference &reference, int64_t place) {
  Memory &memory = memories[reference.memory];
  checkRace(access, memory, place);
  if (!memory.isWritten(place))
    report(Check::UninitializedRead, *access.op,
           formatv("thread {0} reads {1}, which nobody has written", access.thread,
                   memory.nameOf(place)),
           {access.thread, &memory, place});
  return memory.read(place);
}

void Machine::store(const Access &access, const Reference &reference, int64_t place,
                    Element element) {
  Memory &memory = memories[reference.memory];
  checkRace(access, memory, place);
  if (element.poison)
    report(Check::Poison, *access.op,
           formatv("thread {0} writes poison to {1}", access.thread, memory.nameOf(place)),
           {access.thread, &memory, place});
  memory.write(place, element);
}

std::optional<SmallVector<int64_t>> Machine::indicesOf(Operation &op, int64_t thread,
                                                       ValueRange values) {
  SmallVector<int64_t> indices;
  for (Value value : values) {
    std::optional<int64_t> index = decide(op, thread, value, "an index");
    if (!index)
      return std::nullopt;
    indices.push_back(*index);
  }
  return indices;
}

std::optional<int64_t> Machine::decide(Operation &op, int64_t thread, Value value, StringRef role) {
  const Element element = of(value).at(thread);
  if (!element.poison)
    return element.asSigned();
  (void)stop(Check::Poison, op, formatv("{0} of thread {1} is poison", role, thread), {thread});
  return std::nullopt;
}

// ===-- Findings -------------------------------------------------------------------------===//

Finding Machine::makeFinding(Operation &op, const llvm::Twine &message) const {
  Finding finding{report::FindingKind::Misbehaviour, op.getLoc(), message.str()};
  finding.op = &op;
  finding.kernel = kernel;
  finding.operation = op.getName().getStringRef().str();
  return finding;
}

void Machine::report(Check check, Operation &op, const llvm::Twine &message,
                     const Subject &subject) {
  if (!reported.insert({unsigned(check), &op, subject.other}).second)
    return;
  Finding finding = makeFinding(op, message);
  finding.rule = &ruleOf(check);
  finding.thread = subject.thread;
  if (subject.memory)
    finding.array = subject.memory->name().str();
  if (subject.place)
    finding.arrayElement = subject.memory->elementAt(*subject.place);
  if (subject.other)
    finding.related.emplace_back(subject.other->getLoc(), "the other access");
  findings.push_back(std::move(finding));
}

LogicalResult Machine::stop(Check check, Operation &op, const llvm::Twine &message,
                            const Subject &subject) {
  report(check, op, message, subject);
  return failure();
}

LogicalResult Machine::refuse(Operation &op, const llvm::Twine &message) {
  refusal = Failure{simt::placeOf(op.getLoc()) + ": " + message.str()};
  return failure();
}
