// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Machine.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/reference/machine/Scheduler.h"
#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/memory/Contents.h"
#include "tilewright/reference/predict/Prediction.h"
#include "tilewright/reference/watch/Origins.h"
#include "tilewright/tile/Globals.h"

using namespace tilewright;
using namespace tilewright::reference;
using support::Failure;
using support::Result;

//===-- Memory ------------------------------------------------------------------------------===//

/// The allocation of a global, with its initial contents (operations, 3.3).
static Result<Allocation> allocationOf(tile::GlobalOp global) {
  Tile content = tileOf(global.getValue());
  Allocation allocation{"global @" + global.getSymName().str(), content.format()};
  allocation.isConstant = global.getConstant();
  uint64_t size = numerics::storageBytes(content.format(), content.size());
  allocation.storage = zeroBytes(size);
  if (!allocation.storage)
    return Failure{"there is no memory for the " + std::to_string(size) + " bytes of " +
                   allocation.name};
  allocation.bytes = {allocation.storage.get(), size_t(size)};
  for (int64_t i = 0; i < content.size(); ++i)
    numerics::store(allocation.storage.get(), i, content[i]);
  return allocation;
}

/// Rejects unsupported top-level operations. Those in entries are checked before an entry runs
/// (Program.h).
static Result<void> checkItems(tile::ModuleOp module) {
  for (mlir::Operation &op : module.getBody().getOps())
    if (!llvm::isa<tile::EntryOp, tile::GlobalOp>(op))
      return Failure{locationText(op.getLoc()) + ": error: reference machine: operation '" +
                     op.getName().getStringRef().str() +
                     "' cannot stand in a module: only entries and globals can"};
  return {};
}

Result<Machine> Machine::load(tile::ModuleOp module, uint64_t seed) {
  if (Result<void> checked = checkItems(module); !checked)
    return checked.failure();
  Machine machine(seed);
  for (auto global : module.getBody().getOps<tile::GlobalOp>()) {
    Result<Allocation> allocation = allocationOf(global);
    if (!allocation)
      return allocation.failure();
    Result<uint64_t> alignment = tile::alignmentOf(global);
    if (!alignment)
      return alignment.failure();
    uint64_t address = machine.memory.allocate(*std::move(allocation), *alignment).address;
    machine.globals[global.getSymNameAttr()] = address;
  }
  return machine;
}

uint64_t Machine::bind(HostMemory host) {
  Allocation allocation{std::move(host.name), host.isMixed ? Format::I8 : host.format};
  allocation.bytes = host.bytes;
  allocation.isHost = true;
  allocation.isMixed = host.isMixed;
  allocation.misalignment = host.misalignment;
  if (!host.isInitialised)
    allocation.specified = zeroBytes(specifiedBytes(host.bytes.size()));
  return memory.allocate(std::move(allocation), /*alignment=*/1).address;
}

uint64_t Machine::bindMulticast(std::string name, Format format, uint64_t bytes,
                                std::vector<uint64_t> copies) {
  Allocation allocation{std::move(name), format};
  allocation.bytes = {static_cast<uint8_t *>(nullptr), bytes};
  allocation.isHost = true;
  const auto isLessAligned = [](uint64_t a, uint64_t b) {
    return llvm::countr_zero(a) < llvm::countr_zero(b);
  };
  allocation.misalignment = *llvm::min_element(copies, isLessAligned) % 256;
  allocation.copies = std::move(copies);
  return memory.allocate(std::move(allocation), /*alignment=*/1).address;
}

/// The reason why no other schedule was executed.
static constexpr const char *noMemoryToPredict = "there is no memory for a copy of the arrays";

//===-- Launch --------------------------------------------------------------------------------===//

/// Parameters are scalars of number or pointer type; the verifier admits others (operations, 3.2).
static Result<void> checkParameters(tile::EntryOp entry, llvm::ArrayRef<Element> parameters) {
  llvm::ArrayRef<mlir::Type> types = entry.getArgumentTypes();
  std::string name = "entry @" + entry.getSymName().str();
  if (types.size() != parameters.size())
    return Failure{name + " has " + std::to_string(types.size()) + " parameters, but is given " +
                   std::to_string(parameters.size())};
  for (auto [index, type] : llvm::enumerate(types)) {
    auto tileType = llvm::dyn_cast<tile::TileType>(type);
    if (!tileType) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return Failure{name + ": parameter " + std::to_string(index + 1) +
                     " must be a scalar number or pointer to be passed, but is " + text};
    }
    assert(parameters[index].format == *tile::formatOf(tileType.getElementType()) &&
           "a parameter in the format of its type");
  }
  return {};
}

/// The program of an entry, after the parameters have been checked.
static Result<Program> programFor(tile::EntryOp entry, llvm::ArrayRef<Element> parameters) {
  if (Result<void> checked = checkParameters(entry, parameters); !checked)
    return checked.failure();
  return Program::of(entry);
}

/// The origins of values are found in program order only.
static Result<void> checkWatched(const LaunchOptions &options) {
  for (Check check : {Check::Origin, Check::Precision})
    if (options.checks.has(check) && options.schedule != Schedule::ProgramOrder)
      return Failure{"the check '" + nameOf(check).str() + "' needs the schedule 'program'"};
  return {};
}

Result<LaunchResult> Machine::execute(const Program &program, const runtime::Grid &grid,
                                      llvm::ArrayRef<Element> parameters, llvm::raw_ostream &output,
                                      const LaunchOptions &options) {
  Launch launch{program, grid, memory, globals, options, output};
  if (options.isDependent) {
    launch.races = std::move(last.races);
    launch.tokenOrder = std::move(last.tokenOrder);
    launch.predecessor = launch.tokenOrder.afterAll();
    launch.number = last.number + 1;
  } else if (options.checks.has(Check::Race)) {
    launch.races = std::make_unique<RaceDetector>();
  }
  memory.setLeftovers(options.schedule == Schedule::Random ? std::optional(options.seed)
                                                           : std::nullopt);
  size_t allocationsBefore = memory.allocationCount();
  runAll(launch, parameters);
  launch.result.blocksSynchronise = launch.races && launch.races->blocksSynchronise();
  if (launch.races)
    for (const auto &allocation : memory.allocationsSince(allocationsBefore))
      launch.races->forget(*allocation);
  memory.releaseAllSince(allocationsBefore);
  last = {std::move(launch.races), std::move(launch.tokenOrder), launch.number};
  output.flush();
  if (launch.failure)
    return *std::move(launch.failure);
  return std::move(launch.result);
}

/// Executes other schedules, and leaves the contents of memory as they are.
void Machine::predict(LaunchResult &result, ExecutionTrace trace, const MemoryContents &initial,
                      const Program &program, const runtime::Grid &grid,
                      llvm::ArrayRef<Element> parameters, const LaunchOptions &options) {
  const std::optional<MemoryContents> final = MemoryContents::of(memory);
  if (!final) {
    result.predicted = Predicted{0, noMemoryToPredict};
    return;
  }
  LastLaunch kept = std::move(last);
  const auto execute = [&](const ReplayOrder &order, int64_t maxSteps, Observer &observer) {
    LaunchOptions other = options;
    other.schedule = Schedule::Replay;
    other.replay = order;
    other.maxSteps = maxSteps;
    other.observer = &observer;
    other.blocksDone = nullptr;
    initial.restore();
    Result<LaunchResult> executed = this->execute(program, grid, parameters, llvm::nulls(), other);
    // The addresses of allocas depend on the schedule, and the kernel may branch on them.
    return executed ? *std::move(executed) : LaunchResult{.wasEnded = true};
  };
  reference::predict(result, std::move(trace), options, execute);
  final->restore();
  last = std::move(kept);
}

Result<LaunchResult> Machine::launch(tile::EntryOp entry, const runtime::Grid &grid,
                                     llvm::ArrayRef<Element> parameters, llvm::raw_ostream &output,
                                     const LaunchOptions &options) {
  Result<Program> program = programFor(entry, parameters);
  if (!program)
    return program.failure();
  if (Result<void> checked = checkWatched(options); !checked)
    return checked.failure();
  Origins origins(options.checks);
  ExecutionTrace trace(/*stops=*/false);
  std::optional<MemoryContents> initial;
  const bool predicts = mayPredict(entry, grid.blockCount(), options);
  if (predicts)
    initial = MemoryContents::of(memory);
  Observers observers;
  if (options.observer)
    observers.add(*options.observer);
  if (origins.isNeeded())
    observers.add(origins);
  if (initial)
    observers.add(trace);
  LaunchOptions watched = options;
  watched.observer = observers.empty() ? nullptr : &observers;
  Result<LaunchResult> ran = execute(*program, grid, parameters, output, watched);
  if (!ran)
    return ran;
  for (Finding &finding : origins.findings())
    ran->add(std::move(finding));
  if (!predicts || !isWorthPredicting(*ran))
    return ran;
  if (initial)
    predict(*ran, std::move(trace), *initial, *program, grid, parameters, options);
  else
    ran->predicted = Predicted{0, noMemoryToPredict};
  return ran;
}

Result<ExhaustiveResult> Machine::explore(tile::EntryOp entry, const runtime::Grid &grid,
                                          llvm::ArrayRef<Element> parameters,
                                          const LaunchOptions &options,
                                          const ExhaustiveLimits &limits) {
  Result<Program> program = programFor(entry, parameters);
  if (!program)
    return program.failure();
  if (Result<void> checked = checkWatched(options); !checked)
    return checked.failure();
  return exploreAll(*program, grid, memory, globals, parameters, options, limits);
}
