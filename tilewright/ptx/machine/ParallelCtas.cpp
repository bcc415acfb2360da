// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ParallelCtas.h.

#include "tilewright/ptx/machine/ParallelCtas.h"
#include "tilewright/ptx/watch/Counters.h"

#include <algorithm>
#include <system_error>
#include <thread>

using namespace tilewright::ptx;

//===-- Programs ----------------------------------------------------------------------------===//

static bool hasModifier(const Instruction &instruction, std::string_view begin) {
  return std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                     [&](std::string_view modifier) { return modifier.starts_with(begin); });
}

static bool isOrdered(const Instruction &instruction) {
  return std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                     [](std::string_view modifier) {
                       return modifier == "volatile" || modifier == "relaxed" ||
                              modifier == "acquire" || modifier == "release" || modifier == "mmio";
                     });
}

/// Whether it is a clock, or a special register that belongs to the whole grid.
static bool isClockOrGridWide(const Operand &operand) {
  return operand.kind == OperandKind::Special &&
         (operand.name.starts_with("%clock") || operand.name.starts_with("%globaltimer") ||
          operand.name.starts_with("%envreg"));
}

/// Whether CTAs of different clusters can communicate through this instruction.
static bool mayCommunicate(const Module &module, const Instruction &instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "multimem" || opcode == "tensormap" || opcode == "clusterlaunchcontrol")
    return true;
  if (opcode == "fence" && hasModifier(instruction, "tensormap"))
    return true;
  if (opcode == "atom" || opcode == "red")
    return !hasModifier(instruction, "shared");
  if (opcode == "ld" || opcode == "st")
    return isOrdered(instruction) && !hasModifier(instruction, "shared");
  if (opcode == "cp" && hasModifier(instruction, "reduce"))
    return hasModifier(instruction, "global");
  if (opcode == "call") // host calls (vprintf, malloc) have effects that all CTAs share
    return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [&](const Operand &operand) {
                         return operand.kind == OperandKind::Function &&
                                !module.functions[module.resolve(operand.index)].hasBody;
                       });
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), isClockOrGridWide);
}

bool tilewright::ptx::canRunInParallel(const Program &program) {
  for (const Code &code : program.codes)
    if (code.function)
      for (const Instruction &instruction : code.function->body)
        if (mayCommunicate(*program.module, instruction))
          return false;
  return true;
}

//===-- Claims ------------------------------------------------------------------------------===//

Claims::Claims(Region &region)
    : region(region), pages(std::make_unique<std::atomic<Page *>[]>(pageCount())) {}

Claims::~Claims() {
  for (uint64_t number = 0; number < pageCount(); ++number)
    delete pages[number].load();
}

Claims::Page &Claims::pageAt(uint64_t offset) {
  std::atomic<Page *> &place = pages[offset / pageBytes];
  Page *page = place.load();
  if (page)
    return *page;
  auto created = std::make_unique<Page>();
  // If another thread was faster, its page is used.
  return place.compare_exchange_strong(page, created.get()) ? *created.release() : *page;
}

void Claims::save(Page &page, uint64_t number) {
  std::call_once(page.once, [&] {
    const uint64_t begin = number * pageBytes, end = std::min(begin + pageBytes, region.size());
    page.bytes.assign(region.bytes.begin() + begin, region.bytes.begin() + end);
    page.definedBits.assign(region.definedBits.begin() + begin / 8,
                            region.definedBits.begin() + (end + 7) / 8);
  });
}

void Claims::restore() {
  for (uint64_t number = 0; number < pageCount(); ++number)
    if (const Page *page = pages[number].load(); page && !page->bytes.empty()) {
      const uint64_t begin = number * pageBytes;
      std::copy(page->bytes.begin(), page->bytes.end(), region.bytes.begin() + begin);
      std::copy(page->definedBits.begin(), page->definedBits.end(),
                region.definedBits.begin() + begin / 8);
    }
}

bool Claims::read(uint64_t offset, uint64_t bytes, uint32_t cluster) {
  for (uint64_t at = offset / granule; at * granule < offset + bytes; ++at) {
    Page &page = pageAt(at * granule);
    const uint64_t inPage = at % (pageBytes / granule);
    Claim &claim = page.readers[inPage];
    uint32_t reader = claim.load();
    if (reader != cluster && reader != several)
      while (!claim.compare_exchange_weak(reader, reader ? several : cluster))
        if (reader == several)
          break;
    const uint32_t writer = page.writers[inPage].load();
    if (writer && writer != cluster)
      return false;
  }
  return true;
}

bool Claims::write(uint64_t offset, uint64_t bytes, uint32_t cluster) {
  for (uint64_t at = offset / granule; at * granule < offset + bytes; ++at) {
    Page &page = pageAt(at * granule);
    const uint64_t inPage = at % (pageBytes / granule);
    Claim &claim = page.writers[inPage];
    uint32_t writer = claim.load();
    if (writer == cluster)
      continue;
    save(page, at * granule / pageBytes);
    if (writer || !claim.compare_exchange_strong(writer, cluster))
      return false;
    const uint32_t reader = page.readers[inPage].load();
    if (reader && reader != cluster)
      return false;
  }
  return true;
}

bool ParallelState::claim(const Region &region, uint64_t offset, uint64_t bytes, bool isWrite) {
  const auto found = claims->find(&region);
  if (found == claims->end()) // constant memory
    return true;
  if (isWrite ? found->second.write(offset, bytes, cluster)
              : found->second.read(offset, bytes, cluster))
    return true;
  *haveCommunicated = true;
  return false;
}

void ParallelState::dropShadows() {
  constexpr uint64_t mostCells = 1 << 18; // about 25 MB
  uint64_t cells = 0;
  for (const auto &[region, shadow] : shadows)
    cells += shadow.cellCount();
  if (cells > mostCells)
    shadows.clear();
}

Shadow &Machine::shadowOf(Region &region) {
  if (!parallel || region.space != Space::Global)
    return region.shadowOf();
  return parallel->shadows.try_emplace(&region, region.size()).first->second;
}

//===-- The run -----------------------------------------------------------------------------===//

namespace {
/// A parallel run of all clusters of a launch.
class ParallelRun {
public:
  explicit ParallelRun(Machine &machine) : machine(machine) {}

  ParallelResult run();

private:
  /// Sets up claims for all of global memory.
  void createClaims();
  /// Worker loop: runs one cluster after the other.
  void work(size_t worker);

  Machine &machine;
  std::map<const Region *, Claims> claims;
  /// A finding (`isFound`) does not stop the other workers: whether clusters communicate is only
  /// known after all have run.
  std::atomic<bool> haveCommunicated = false, hasReachedStepLimit = false, isFound = false;
  std::atomic<uint64_t> next = 0, steps = 0;
  std::vector<std::optional<Counters>> counters;
};
} // namespace

void ParallelRun::createClaims() {
  machine.memory.forEach([&](Region &region) {
    if (!region.isReadOnly && region.space == Space::Global)
      claims.try_emplace(&region, region);
  });
}

static void seedFor(Machine &machine, uint64_t cluster) {
  const uint64_t seed = machine.schedule.seed;
  std::seed_seq sequence{uint32_t(seed), uint32_t(seed >> 32), uint32_t(cluster)};
  machine.random.seed(sequence);
}

void ParallelRun::work(size_t worker) {
  const uint64_t ctas = machine.ctaCount(), ctasPerCluster = machine.clusterSize();
  ParallelState state{&claims, &haveCommunicated, 0, {}};
  std::optional<Machine> part;
  while (!haveCommunicated && !hasReachedStepLimit) {
    const uint64_t cluster = next++;
    if (cluster * ctasPerCluster >= ctas)
      break;
    if (!part) {
      part.emplace(machine.program, machine.memory, machine.launch, machine.schedule);
      part->checks = machine.checks;
      part->parallel = &state;
      part->cancelled = machine.cancelled;
      part->counters = counters[worker] ? &*counters[worker] : nullptr;
    }
    state.cluster = uint32_t(cluster + 1);
    state.dropShadows();
    seedFor(*part, cluster);
    const uint64_t before = part->steps;
    runCtas(*part, cluster * ctasPerCluster, (cluster + 1) * ctasPerCluster);
    if ((steps += part->steps - before) >= machine.schedule.stepLimit)
      hasReachedStepLimit = true;
    if (part->isStopped || !part->findings.empty()) {
      isFound = true;
      part.reset();
    }
  }
}

ParallelResult ParallelRun::run() {
  createClaims();
  const uint64_t clusters = machine.ctaCount() / machine.clusterSize();
  const uint64_t cores = machine.threads ? machine.threads : std::thread::hardware_concurrency();
  const size_t workers = size_t(std::clamp<uint64_t>(cores, 1, clusters));
  counters.resize(workers);
  for (auto &counting : counters)
    if (machine.counters)
      counting.emplace(machine.program);
  std::vector<std::thread> others;
  try {
    for (size_t worker = 1; worker < workers; ++worker)
      others.emplace_back([this, worker] { work(worker); });
  } catch (const std::system_error &) {
    // The system has no more threads: continue with the workers that there are.
  }
  work(0);
  for (std::thread &other : others)
    other.join();
  const bool mustInterleave = haveCommunicated || hasReachedStepLimit;
  if (mustInterleave || isFound || machine.trace) {
    for (auto &[region, claim] : claims)
      claim.restore();
    return mustInterleave ? ParallelResult::Interleaved : ParallelResult::Sequential;
  }
  machine.steps += steps;
  for (const auto &counting : counters)
    if (counting)
      *machine.counters += *counting;
  return ParallelResult::Done;
}

ParallelResult tilewright::ptx::runInParallel(Machine &machine) {
  return ParallelRun(machine).run();
}

void tilewright::ptx::runSequentially(Machine &machine) {
  const uint64_t ctas = machine.ctaCount(), ctasPerCluster = machine.clusterSize();
  for (uint64_t first = 0; first < ctas && !machine.isStopped; first += ctasPerCluster) {
    seedFor(machine, first / ctasPerCluster);
    runCtas(machine, first, first + ctasPerCluster);
  }
}
