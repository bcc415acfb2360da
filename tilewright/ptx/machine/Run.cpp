// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of the machine: CTAs, turns, and what to say when nobody can go on.

#include "tilewright/ptx/machine/Frames.h"
#include "tilewright/ptx/machine/Mbarrier.h"
#include "tilewright/ptx/machine/Meet.h"

#include <algorithm>
#include <deque>

using namespace tilewright::ptx;

/// Of threads at a time, as on a large device; and about how much memory they may take.
static constexpr uint64_t mostThreads = 32768, mostThreadBytes = uint64_t(1) << 30;
static constexpr size_t mostFindings = 100;

//===-- Findings ----------------------------------------------------------------------------===//

void Machine::report(Finding finding) {
  for (Finding &other : findings) {
    const bool isSame =
        other.check == finding.check && other.site == finding.site &&
        other.related.size() == finding.related.size() &&
        (other.related.empty() || other.related.front().site == finding.related.front().site);
    if (isSame) {
      ++other.count;
      return;
    }
  }
  if (findings.size() < mostFindings)
    findings.push_back(std::move(finding));
  else
    ++unlisted;
}

void Machine::report(Check check, const Thread &thread, const Op &op, std::string message,
                     std::vector<RelatedSite> related, std::string memory) {
  Finding finding{check, thread.site(op), std::move(message), thread.cta->index, thread.number};
  finding.related = std::move(related);
  finding.memory = std::move(memory);
  report(std::move(finding));
}

//===-- A turn ------------------------------------------------------------------------------===//

/// The guard of an instruction has to be defined, or nobody knows what happens.
static bool checkGuard(Thread &thread, const Op &op) {
  if (thread.defined[op.guard] & 1)
    return true;
  if (thread.machine->checks.has(Check::Undefined))
    thread.machine->report(Check::Undefined, thread, op,
                           "the predicate of this instruction is not defined");
  return false;
}

/// Is this a register that a wgmma has still to write, or to read?
static const PendingProduct *pendingOf(const Thread &thread, uint32_t slot) {
  for (const PendingProduct &product : thread.products.pending) {
    if (product.frame != thread.frames.size())
      continue;
    for (const PendingRegister &reg : product.registers)
      if (reg.slot == slot)
        return &product;
    if (std::find(product.inputs.begin(), product.inputs.end(), slot) != product.inputs.end())
      return &product;
  }
  return nullptr;
}

/// Registers of a wgmma are used after its group was waited for (PTX ISA, wgmma.wait_group).
static void checkPendingRegisters(Thread &thread, const Op &op) {
  if (op.mayUsePending || !thread.machine->checks.has(Check::Wgmma))
    return;
  const PendingProduct *product = nullptr;
  const auto look = [&](uint32_t slot) {
    if (slot != noSlot && !product)
      product = pendingOf(thread, slot);
  };
  for (uint32_t slot : {op.d, op.d2, op.in[0], op.in[1], op.in[2], op.in[3]})
    look(slot);
  for (const SlotList &list : {op.list, op.list2, op.list3, op.list4})
    for (uint32_t part = 0; part < list.count; ++part)
      look(thread.code->slots[list.first + part]);
  if (product)
    thread.machine->report(
        Check::Wgmma, thread, op,
        "a register of a wgmma is used that was not waited for: its group is " +
            std::string(product->group == UINT32_MAX ? "not committed" : "still on its way"),
        {{product->site, "the wgmma"}});
}

/// Executes up to so many instructions.
static void runThread(Thread &thread, uint32_t quantum) {
  Machine &machine = *thread.machine;
  const Op *ops = thread.code->ops.data();
  uint32_t left = quantum;
  while (left > 0) {
    const Op &op = ops[thread.pc];
    --left;
    if (op.guard != noSlot) {
      if (!(thread.defined[op.guard] & 1))
        checkGuard(thread, op);
      if ((thread.values[op.guard] != 0) == op.isGuardNegated) {
        ++thread.pc;
        continue;
      }
    }
    if (!thread.products.pending.empty())
      checkPendingRegisters(thread, op);
    const Step step = op.run(thread, op);
    if (step == Step::Next) {
      ++thread.pc;
    } else if (step == Step::Jump) {
      ops = thread.code->ops.data();
    } else {
      if (step == Step::Exit)
        leave(thread, op);
      break;
    }
  }
  machine.steps += quantum - left;
}

//===-- CTAs --------------------------------------------------------------------------------===//

static std::array<uint32_t, 3> coordinates(uint64_t number,
                                           const std::array<uint32_t, 3> &extents) {
  return {uint32_t(number % extents[0]), uint32_t(number / extents[0] % extents[1]),
          uint32_t(number / extents[0] / extents[1])};
}

static std::unique_ptr<Region> makeShared(const Machine &machine) {
  const Program &program = machine.program;
  const Addresses &addresses = program.addresses;
  auto region = std::make_unique<Region>("shared memory", Space::Shared, 0,
                                         addresses.dynamicShared + machine.launch.dynamicShared);
  region->first = firstOffset;
  for (size_t number = 0; number < program.module->variables.size(); ++number) {
    const Variable &variable = program.module->variables[number];
    const uint64_t begin = addresses.ofVariable[number];
    if (variable.space == Space::Shared && begin && variable.bytes)
      region->parts.push_back(
          {begin, begin + variable.bytes, "shared variable '" + std::string(variable.name) + "'"});
  }
  if (machine.launch.dynamicShared)
    region->parts.push_back({addresses.dynamicShared, region->size(), "dynamic shared memory"});
  return region;
}

static std::unique_ptr<Cta> makeCta(Machine &machine, uint32_t number,
                                    const std::shared_ptr<Cluster> &cluster) {
  auto cta = std::make_unique<Cta>();
  cta->cluster = cluster;
  cta->rank = uint32_t(cluster->ctas.size());
  cluster->ctas.push_back(cta.get());
  const auto &block = machine.launch.block;
  const uint32_t count = block[0] * block[1] * block[2];
  cta->machine = &machine;
  cta->number = number;
  cta->index = machine.indexOf(number);
  cta->aliveThreads = count;
  cta->shared = makeShared(machine);
  cta->shared->cta = cta->name();
  cluster->aliveThreads += count;
  cta->warps.resize((count + lanesPerWarp - 1) / lanesPerWarp);
  for (uint32_t at = 0; at < count; ++at) {
    Warp &warp = cta->warps[at / lanesPerWarp];
    auto thread = std::make_unique<Thread>();
    thread->machine = &machine;
    thread->cta = cta.get();
    thread->warp = &warp;
    thread->lane = at % lanesPerWarp;
    thread->number = at;
    thread->index = coordinates(at, block);
    warp.cta = cta.get();
    warp.number = at / lanesPerWarp;
    warp.threads.push_back(thread.get());
    cta->threads.push_back(std::move(thread));
  }
  return cta;
}

/// The CTAs of a cluster begin together: their threads see that they are there.
static void makeCluster(Machine &machine, uint32_t first, std::deque<std::unique_ptr<Cta>> &ctas) {
  auto cluster = std::make_shared<Cluster>();
  const auto &extents = machine.cluster;
  const uint32_t count = extents[0] * extents[1] * extents[2];
  const auto &grid = machine.launch.grid;
  cluster->index = coordinates(first / count,
                               {grid[0] / extents[0], grid[1] / extents[1], grid[2] / extents[2]});
  for (uint32_t rank = 0; rank < count; ++rank)
    ctas.push_back(makeCta(machine, first + rank, cluster));
  for (Cta *cta : cluster->ctas)
    for (auto &thread : cta->threads)
      enterEntry(*thread);
}

std::array<uint32_t, 3> Machine::indexOf(uint32_t cta) const {
  const uint32_t count = cluster[0] * cluster[1] * cluster[2];
  auto index = coordinates(cta / count, {launch.grid[0] / cluster[0], launch.grid[1] / cluster[1],
                                         launch.grid[2] / cluster[2]});
  const auto inCluster = coordinates(cta % count, cluster);
  for (size_t dim = 0; dim < 3; ++dim)
    index[dim] = index[dim] * cluster[dim] + inCluster[dim];
  return index;
}

std::string Machine::nameOf(CtaName cta) const {
  const auto [x, y, z] = indexOf(cta.number);
  return "CTA (" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

//===-- Nobody can go on --------------------------------------------------------------------===//

static std::string whatFor(const Thread &thread) {
  if (thread.state == State::AtBarrier) {
    const Barrier &barrier = thread.cta->barriers[thread.waitBarrier];
    const uint32_t expected = barrier.expected ? barrier.expected : thread.cta->aliveThreads;
    return "at barrier " + std::to_string(thread.waitBarrier) + ", where " +
           std::to_string(barrier.arrived) + " of " + std::to_string(expected) +
           " threads have arrived";
  }
  switch (thread.state) {
  case State::AtClusterBarrier: {
    const Cluster &cluster = *thread.cta->cluster;
    return "at the barrier of the cluster, where " + std::to_string(cluster.barrier.arrived) +
           " of " + std::to_string(cluster.aliveThreads) + " threads have arrived";
  }
  case State::AtMbarrier:
    return describeWait(thread);
  case State::InWarpgroup:
    return "for the other warps of its warpgroup";
  default:
    return "for other lanes of its mask";
  }
}

static void reportDeadlock(Machine &machine, const std::deque<std::unique_ptr<Cta>> &ctas) {
  const Thread *first = nullptr;
  std::map<Site, std::pair<const Thread *, uint64_t>> waiting;
  bool isDivergent = false;
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads) {
      if (thread->state == State::Exited)
        continue;
      // An mbarrier says best what is missing.
      if (!first || (thread->state == State::AtMbarrier && first->state != State::AtMbarrier))
        first = thread.get();
      auto &[example, count] = waiting[thread->site(*thread->waitOp)];
      example = example ? example : thread.get();
      ++count;
      // Lanes of one warp that wait in different places, one of them at a barrier.
      for (const Thread *other : thread->warp->threads)
        isDivergent |= thread->state == State::AtBarrier && other->state != State::Exited &&
                       other->waitOp != thread->waitOp;
    }
  if (!first)
    return;
  std::vector<RelatedSite> related;
  for (const auto &[site, entry] : waiting)
    if (site != first->site(*first->waitOp) && related.size() < 8)
      related.push_back({site, std::to_string(entry.second) + " threads wait here, thread " +
                                   std::to_string(entry.first->number) + " " +
                                   whatFor(*entry.first)});
  const uint64_t here = waiting[first->site(*first->waitOp)].second;
  machine.report(isDivergent ? Check::DivergentBarrier : Check::Deadlock, *first, *first->waitOp,
                 "no thread can go on: " + std::to_string(here) + " wait here, this one " +
                     whatFor(*first),
                 std::move(related));
}

static void reportStepLimit(Machine &machine, const std::deque<std::unique_ptr<Cta>> &ctas) {
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state != State::Exited) {
        machine.report(Check::StepLimit, *thread, thread->code->ops[thread->pc],
                       "the threads have executed " + std::to_string(machine.steps) +
                           " instructions, and have not ended");
        return;
      }
}

//===-- The schedule ------------------------------------------------------------------------===//

namespace {
class Scheduler {
public:
  explicit Scheduler(Machine &machine)
      : machine(machine), schedule(machine.schedule), grid(machine.launch.grid) {}

  void run();

private:
  void fill();
  /// Gives turns to threads that are ready; false if there is none.
  bool sweep();
  bool turnOfWarp(Warp &warp);
  bool turnOfThread(Thread &thread, uint32_t quantum);
  /// Asynchronous operations, as the schedule has them.
  void performSome();
  /// What can go on although no thread is ready; false if nothing can.
  bool goOn();
  bool isOver() const { return machine.isStopped || machine.steps >= schedule.stepLimit; }
  uint64_t draw(uint64_t count) { return machine.random() % count; }

  Machine &machine;
  const Schedule &schedule;
  const std::array<uint32_t, 3> &grid;
  uint64_t nextCta = 0;
  std::deque<std::unique_ptr<Cta>> ctas;
  /// The events at the last time that waits ended without success, and how often there were none
  /// since.
  uint64_t eventsAtTimeout = 0;
  unsigned timeouts = 0;
};
} // namespace

void Scheduler::fill() {
  const auto &block = machine.launch.block;
  const uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  const uint64_t count = uint64_t(grid[0]) * grid[1] * grid[2];
  const Code &code = machine.program.code();
  const uint64_t bytes = sizeof(Thread) + 9 * code.values.size() + firstOffset + code.localBytes;
  const uint64_t ofCluster = uint64_t(machine.cluster[0]) * machine.cluster[1] * machine.cluster[2];
  const size_t most =
      std::max<uint64_t>(ofCluster, std::min(mostThreads, mostThreadBytes / bytes) / threads);
  for (; ctas.size() + ofCluster <= most && nextCta < count; nextCta += ofCluster)
    makeCluster(machine, uint32_t(nextCta), ctas);
}

bool Scheduler::turnOfThread(Thread &thread, uint32_t quantum) {
  if (thread.state != State::Ready)
    return false;
  runThread(thread, quantum);
  return true;
}

bool Scheduler::turnOfWarp(Warp &warp) {
  bool ran = false;
  const size_t count = warp.threads.size();
  const size_t start = schedule.order == Order::Random ? draw(count) : 0;
  for (size_t step = 0; step < count && !isOver(); ++step) {
    size_t lane = (start + step) % count;
    if (schedule.order == Order::Down)
      lane = count - 1 - lane;
    const bool isRandom = schedule.order == Order::Random;
    const uint32_t most = schedule.quantum ? schedule.quantum : isRandom ? 64 : 4096;
    const uint32_t quantum = isRandom ? uint32_t(1 + draw(most)) : most;
    ran |= turnOfThread(*warp.threads[lane], quantum);
  }
  if (!isOver())
    settle(warp);
  return ran;
}

bool Scheduler::sweep() {
  bool ran = false;
  const bool isRandom = schedule.order == Order::Random;
  for (size_t step = 0, count = ctas.size(); step < count && !isOver(); ++step) {
    size_t number = schedule.order == Order::Down ? count - 1 - step : step;
    if (isRandom)
      number = draw(count);
    Cta &cta = *ctas[number];
    const size_t warps = cta.warps.size();
    const size_t start = isRandom ? draw(warps) : 0;
    for (size_t turn = 0; turn < warps && !isOver(); ++turn) {
      size_t warp = (start + turn) % warps;
      if (schedule.order == Order::Down)
        warp = warps - 1 - warp;
      ran |= turnOfWarp(cta.warps[warp]);
      if (isRandom && !machine.agenda.isEmpty() && draw(8) == 0)
        machine.agenda.perform(draw(machine.agenda.size()));
    }
  }
  performSome();
  std::erase_if(ctas, [](const auto &cta) {
    return cta->cluster->aliveThreads == 0 && cta->cluster->onTheWay == 0;
  });
  return ran;
}

void Scheduler::performSome() {
  if (schedule.order == Order::Up)
    while (!machine.agenda.isEmpty() && !isOver())
      machine.agenda.perform(0);
}

/// Waits that have waited for long enough end without success (PTX ISA, mbarrier.try_wait). If that
/// happened again and again, and nothing else did, it will be so for ever.
static constexpr unsigned mostTimeouts = 8;

static bool timeOut(const std::deque<std::unique_ptr<Cta>> &ctas) {
  bool isAny = false;
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state == State::AtMbarrier) {
        isAny = thread->isTimedOut = true;
        thread->state = State::Ready;
        std::erase(thread->waitRegion->mbarriers.at(thread->waitOffset)->waiting, thread.get());
      }
  return isAny;
}

bool Scheduler::goOn() {
  Agenda &agenda = machine.agenda;
  if (!agenda.isEmpty()) {
    agenda.perform(schedule.order == Order::Random ? draw(agenda.size()) : agenda.size() - 1);
    return true;
  }
  if (machine.events != eventsAtTimeout)
    timeouts = 0;
  eventsAtTimeout = machine.events;
  return ++timeouts <= mostTimeouts && timeOut(ctas);
}

static bool isAnyReady(const std::deque<std::unique_ptr<Cta>> &ctas) {
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state == State::Ready || thread->state == State::AtActivemask)
        return true;
  return false;
}

void Scheduler::run() {
  fill();
  while (!ctas.empty() && !isOver()) {
    if (!sweep() && !ctas.empty() && !isOver() && !isAnyReady(ctas) && !goOn()) {
      reportDeadlock(machine, ctas);
      machine.isStopped = true;
      return;
    }
    fill();
  }
  if (!machine.isStopped && machine.steps >= schedule.stepLimit) {
    reportStepLimit(machine, ctas);
    machine.isStopped = true;
  }
}

void tilewright::ptx::execute(Machine &machine) {
  machine.parameters.bytes = machine.launch.parameters;
  machine.parameters.defineAll();
  for (const Code &code : machine.program.codes)
    for (const auto &[slot, special] : code.specials)
      if (special == Special::GridWorkspaceLow && !machine.gridWorkspace) {
        Region &workspace = machine.memory.allocate("the barrier of the grid", Space::Global, 64);
        workspace.defineAll();
        machine.gridWorkspace = workspace.base;
      }
  Scheduler(machine).run();
}

//===-- The launch --------------------------------------------------------------------------===//

static std::string textOf(const std::array<uint32_t, 3> &extents) {
  return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
         std::to_string(extents[2]);
}

std::array<uint32_t, 3> tilewright::ptx::clusterOf(const Program &program, const Launch &launch) {
  constexpr std::array<uint32_t, 3> none = {1, 1, 1};
  return launch.cluster ? *launch.cluster : program.entry->requiredCluster.value_or(none);
}

static std::optional<std::string> checkClusters(const Function &entry, const Launch &launch,
                                                const std::array<uint32_t, 3> &cluster) {
  const std::string name = "'" + std::string(entry.name) + "'";
  if (entry.requiredCluster && *entry.requiredCluster != cluster)
    return name + " has .reqnctapercluster " + textOf(*entry.requiredCluster) +
           ", but the cluster is " + textOf(cluster);
  if (entry.isExplicitCluster && !entry.requiredCluster && !launch.cluster)
    return name + " has .explicitcluster, but the launch has no clusters";
  uint64_t ctas = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    if (!cluster[dim] || launch.grid[dim] % cluster[dim])
      return "the grid " + textOf(launch.grid) + " is no multiple of the cluster " +
             textOf(cluster);
    ctas *= cluster[dim];
  }
  if (ctas > mostClusterCtas)
    return "a cluster has at most " + std::to_string(mostClusterCtas) + " blocks, but is " +
           textOf(cluster);
  if (entry.mostClusterCtas && ctas > *entry.mostClusterCtas)
    return name + " has .maxclusterrank " + std::to_string(*entry.mostClusterCtas) +
           ", but the cluster is " + textOf(cluster);
  return std::nullopt;
}

std::optional<std::string> tilewright::ptx::checkLaunch(const Program &program,
                                                        const Launch &launch) {
  const Function &entry = *program.entry;
  uint64_t threads = 1, ctas = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    if (!launch.block[dim] || !launch.grid[dim])
      return "the grid and the block have extents of at least 1";
    threads *= launch.block[dim];
    ctas *= launch.grid[dim];
    if (threads > 1024)
      return "a block has at most 1024 threads, but is " + textOf(launch.block);
    if (ctas > UINT32_MAX)
      return "a grid has at most 2^32 - 1 blocks, but is " + textOf(launch.grid);
  }
  if (entry.requiredThreads && *entry.requiredThreads != launch.block)
    return "'" + std::string(entry.name) + "' has .reqntid " + textOf(*entry.requiredThreads) +
           ", but the block is " + textOf(launch.block);
  if (entry.mostThreads) {
    const auto &most = *entry.mostThreads;
    if (threads > uint64_t(most[0]) * most[1] * most[2])
      return "'" + std::string(entry.name) + "' has .maxntid " + textOf(most) +
             ", but the block is " + textOf(launch.block);
  }
  if (auto wrong = checkClusters(entry, launch, clusterOf(program, launch)))
    return wrong;
  if (launch.parameters.size() != program.addresses.parameterBytes)
    return "the parameters of '" + std::string(entry.name) + "' have " +
           std::to_string(program.addresses.parameterBytes) + " bytes, but " +
           std::to_string(launch.parameters.size()) + " are given";
  if (program.code().localBytes > mostLocalBytes)
    return "a thread has at most " + std::to_string(mostLocalBytes) +
           " bytes of local memory, but '" + std::string(entry.name) + "' needs " +
           std::to_string(program.code().localBytes);
  constexpr uint64_t mostShared = 232448; // 227 KiB
  const uint64_t shared = program.addresses.dynamicShared - firstOffset + launch.dynamicShared;
  if (shared > mostShared)
    return "a block has at most " + std::to_string(mostShared) + " bytes of shared memory, but '" +
           std::string(entry.name) + "' needs " + std::to_string(shared);
  return std::nullopt;
}
