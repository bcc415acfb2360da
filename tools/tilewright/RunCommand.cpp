// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright run`: the command line. Run.h does the work.

#include "CompileFlags.h"
#include "LoadFlags.h"
#include "ReportFlags.h"
#include "tilewright/runtime/Threads.h"
#include "tools/tilewright/run/Run.h"

using namespace tilewright;
using namespace tilewright::tools;
using reference::MmaMode;
using reference::Schedule;

static constexpr const char *argumentHelp = R"(Each --arg is VALUE[,out=FILE.npy][,print[=bits]]:
  7, -0.5, nan, inf, 0x7FC00000     a scalar parameter
  f32[1, 2, 3], i32[[1, 2], [3, 4]] an array literal, for a pointer parameter
  zeros(128x64xf16), empty(64xf32)  an array of zeros, or without values
  random(1000xf32;seed=3)           reproducible noise
  iota(64xi32)                      0, 1, 2, ...
  FILE.npy                          the array in the file
  array:VALUE                       several parameters, as cuTile passes an array: pointer,
                                    extents and strides
  multicast:VALUE                   an address that stands for several arrays, stacked along the
                                    first dimension of VALUE
  ,out=FILE.npy                     writes the array after the launch
  ,print, ,print=bits               prints it, or the bits of its elements
)";

static constexpr const char *exitHelp = R"(
Exit status: 0 success; 1 the program is invalid or its launch failed; 2 wrong usage, a
file that cannot be read or written, or no memory left; 3 the kernel misbehaved.)";

/// Help text: one line for each check.
static std::string checkHelp() {
  std::string help = "\nThe checks of --check:\n";
  llvm::raw_string_ostream out(help);
  for (const report::Rule &rule : reference::rules().take_front(reference::checkCount)) {
    out << "  " << rule.id;
    out.indent(13 - rule.id.size()) << rule.summary << " (" << rule.section << ")\n";
  }
  return help;
}

//===-- Options -----------------------------------------------------------------------------===//

std::vector<std::string> tools::checkNames() {
  std::vector<std::string> names = {"all", "none"};
  for (const report::Rule &rule : reference::rules().take_front(reference::checkCount))
    names.push_back(rule.id.str());
  return names;
}

/// Pairs of each choice and its name.
template <typename Choice> static Choices<Choice> named(std::initializer_list<Choice> choices) {
  Choices<Choice> byName;
  for (Choice choice : choices)
    byName.push_back({nameOf(choice).str(), choice});
  return byName;
}

/// Adds the options of the reference machine and the PTX machine.
static void addLaunchFlags(Command command, reference::LaunchOptions &options,
                           std::string &checks) {
  addName(command, "--check", checks, "LIST",
          "the errors to check for: all, none, or a comma-separated list of names (see below; with "
          "--device ptx, those of tilewright ptx); the prefix no- removes a check")
      .completedBy({Values::List, checkNames()});
  addInteger(command, "--seed", options.seed, anyInteger, "N",
             "seed of the random schedule (default 0)");
  addChoice(command, "--mma", options.mma, named({MmaMode::Chain, MmaMode::Exact}), "MODE",
            "how matrix products are summed: chain (default), one fused multiply-add after the "
            "other, or exact, rounded once");
  addInteger(command, "--max-steps", options.maxSteps, {1, INT64_MAX}, "N",
             "maximum number of executed operations, or with --device ptx, instructions (default " +
                 std::to_string(options.maxSteps) + ")");
}

namespace {
/// A value of --schedule: its name, and what it means on each machine that supports it.
struct Order {
  std::string name = {};
  std::optional<Schedule> reference = {};
  std::optional<ptx::Order> ptx = {};
  reference::ReplayOrder replay = {};
};
} // namespace

static const Order orders[] = {{"program", Schedule::ProgramOrder, {}},
                               {"random", Schedule::Random, ptx::Order::Random},
                               {"exhaustive", Schedule::Exhaustive, {}},
                               {"up", {}, ptx::Order::Up},
                               {"down", {}, ptx::Order::Down}};

static std::vector<std::string> orderNames() {
  std::vector<std::string> names;
  for (const Order &order : orders)
    names.push_back(order.name);
  return names;
}

static support::Result<Order> parseOrder(const std::string &text) {
  if (llvm::StringRef(text).starts_with(reference::replayPrefix)) {
    support::Result<reference::ReplayOrder> replay = reference::ReplayOrder::parse(text);
    if (!replay)
      return replay.failure();
    return Order{"replay", Schedule::Replay, {}, *std::move(replay)};
  }
  for (const Order &order : orders)
    if (order.name == text)
      return order;
  return expectedOneOf(orderNames(), text);
}

static void addSchedule(Command command, Order &order) {
  addParsed(
      command, "--schedule", order, parseOrder, "ORDER",
      "execution order of unordered operations. On the reference machine, blocks and operations "
      "that tokens do not order: program (default), random, exhaustive: all executions of a small "
      "kernel, and their outcomes, or replay:BLOCK:OPERATION,...: the schedule of a finding. With "
      "--device ptx, threads: up (default), down or random")
      .completedBy({Values::Choice, orderNames()});
}

static void addWatch(Command command, WatchOptions &watch) {
  Option trace = command.addFileFlag(
      "--trace", watch.trace,
      "print a line for each executed operation, to standard error; --trace=FILE: to a file");
  addTexts(command, "--trace-block", watch.blocks, "X[,Y[,Z]]",
           "trace and break in this tile block only; may be repeated");
  addTexts(command, "--trace-op", watch.operations, "NAME[,...]", "trace these operations only")
      .needs(trace)
      .splitAt(',')
      .completedBy({Values::List, operationNames()});
  Option breakAt =
      addName(command, "--break", watch.breakAt, "PLACE[:N]",
              "write the operands of an operation to .npy files when it is about to be "
              "executed for the first (N-th) time: a name, or [FILE:]LINE");
  addName(command, "--break-dir", watch.breakFolder, "FOLDER",
          "the folder of these files (default " + watch.breakFolder + ")")
      .needs(breakAt)
      .isFile();
  command.addFlag("--break-stop", watch.breakEnds, "end the launch there").needs(breakAt);
  command.addFileFlag(
      "--coverage", watch.coverage,
      "report code that was never executed, to standard error; --coverage=FILE: to a file, as "
      "JSON (.json), for lcov (.info), or else text");
  command.addFlag("--quiet", watch.quiet, "show no progress bar on a terminal");
}

//===-- Devices -----------------------------------------------------------------------------===//

/// Adds the options of --device cpu.
static void addCpuFlags(Command command, CpuOptions &options, bool &remarks) {
  addInteger(command, "--threads", options.threads, {1, runtime::maxThreads}, "N",
             "number of threads that run blocks (default: $TILEWRIGHT_THREADS, else the number of "
             "available processors)");
  addCompileFlags(command, options.level, options.debugInfo, remarks);
  addName(command, "--cpu", options.target, "NAME",
          "the processor to compile for (default native)");
  addTuning(command, options.tuning);
  command.addFlag(
      "--no-cache", [&options] { options.useCache = false; }, "bypass the compile cache");
}

/// Adds the options of --device ptx and --device gpu.
static void addGpuFlags(Command command, GpuOptions &options) {
  addParsed(
      command, "--target", options.compile.target,
      [](llvm::StringRef text) { return nvidia::Target::named(text); }, "sm_NN",
      "the GPU to compile for (default " + std::string(nvidia::defaultTarget) +
          "; with --device gpu, the GPU of this machine)")
      .completedBy({Values::Choice, gpuNames()});
  addChoice<nvidia::SharedMemoryForm>(
      command, "--shared-memory", options.sharedMemory,
      {{"static", nvidia::SharedMemoryForm::Static},
       {"dynamic", nvidia::SharedMemoryForm::Dynamic}},
      "FORM", "up to 48 KiB before sm_90 (static, the default), or all that the GPU has");
  addPtxCounters(command, options.watch);
}

namespace {
/// A device, and the options that it has, but that some other device lacks.
struct DeviceFlags {
  Device device;
  const char *name;
  std::vector<const char *> flags;
};
} // namespace

static const DeviceFlags deviceFlags[] = {
    {Device::Reference,
     "reference",
     {"--check", "--schedule", "--mma", "--max-steps", "--report", "--trace", "--trace-block",
      "--trace-op", "--break", "--break-dir", "--break-stop", "--coverage"}},
    {Device::Cpu, "cpu", {"--threads", "-O", "-g", "--cpu", "--tuning", "--no-cache", "--remarks"}},
    {Device::Ptx,
     "ptx",
     {"--target", "--shared-memory", "--check", "--schedule", "--max-steps", "--report",
      "--counters", "--trace", "--trace-block", "--trace-op", "--remarks"}},
    {Device::Gpu, "gpu", {"--target", "--remarks"}},
};

/// Whether the device has this option; for --schedule, whether it has this order.
static bool hasFlag(Device device, llvm::StringRef flag, const Order &order) {
  if (flag == "--schedule" && !order.reference && device == Device::Reference)
    return false;
  if (flag == "--schedule" && !order.ptx && device == Device::Ptx)
    return false;
  return llvm::any_of(deviceFlags, [&](const DeviceFlags &row) {
    return row.device == device && llvm::is_contained(row.flags, flag);
  });
}

/// `only --device ptx supports ` or `only --device ptx, gpu support `
static std::string onlyDevicesWith(llvm::StringRef flag, const Order &order) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const DeviceFlags &row : deviceFlags)
    if (hasFlag(row.device, flag, order))
      names.push_back(row.name);
  return "only --device " + llvm::join(names, ", ") +
         (names.size() == 1 ? " supports " : " support ");
}

/// How a message names the option: for --schedule by the order, for other options by `name`.
static std::string nameIn(llvm::StringRef flag, const char *name, const Order &order) {
  return flag == "--schedule" ? "the order '" + order.name + "'" : name;
}

/// Returns the device that --device names. Without --device, returns the default device if every
/// device has all given options; otherwise, the first device of `deviceFlags` that has all of them.
/// Reports an error if none has, or if the named device lacks one.
static Device chosenDevice(Command command, Device given, const Order &order) {
  const bool isGiven = command.has("--device");
  llvm::SmallVector<const DeviceFlags *> possible;
  for (const DeviceFlags &row : deviceFlags)
    if (!isGiven || row.device == given)
      possible.push_back(&row);
  const char *why = nullptr;
  for (const DeviceFlags &owner : deviceFlags)
    for (const char *flag : owner.flags) {
      if (!command.has(flag))
        continue;
      llvm::SmallVector<const DeviceFlags *> rest;
      llvm::copy_if(possible, std::back_inserter(rest),
                    [&](const DeviceFlags *row) { return hasFlag(row->device, flag, order); });
      if (rest.empty() && !why)
        refuse(flag, onlyDevicesWith(flag, order) + nameIn(flag, "this option", order));
      if (rest.empty())
        refuse(why, onlyDevicesWith(why, order) + nameIn(why, "this option", order) + ", and " +
                        onlyDevicesWith(flag, order) + nameIn(flag, flag, order));
      if (rest.size() < possible.size())
        why = flag;
      possible = rest;
    }
  return why ? possible.front()->device : given;
}

/// Parses the value of --check, whose names depend on the machine.
static void parseChecks(RunOptions &options, const std::string &text) {
  if (options.device == Device::Ptx) {
    std::string unknown;
    const auto checks = ptx::Checks::parse(text, unknown);
    if (!checks)
      refuse("--check", unknownName("check", unknown, ptxCheckNames()));
    options.ptx.checks = *checks;
    return;
  }
  support::Result<reference::Checks> checks = reference::Checks::parse(text);
  if (!checks)
    refuse("--check", checks.failure().message);
  options.launch.checks = *checks;
}

/// Copies options that --device ptx stores elsewhere.
static void completeForPtx(Command command, RunOptions &options) {
  if (command.has("--max-steps"))
    options.ptx.schedule.stepLimit = uint64_t(options.launch.maxSteps);
  options.ptx.watch.trace = options.watch.trace;
  options.ptx.watch.blocks = options.watch.blocks;
  options.ptx.watch.opcodes = options.watch.operations;
}

/// Sets and checks what depends on several options: device, checks and schedule.
static void complete(Command command, RunOptions &options, const Order &order,
                     const std::string &checks) {
  options.device = chosenDevice(command, options.device, order);
  if (command.has("--check"))
    parseChecks(options, checks);
  if (options.device == Device::Ptx)
    completeForPtx(command, options);
  cpu::Tuning checked;
  setThresholds(checked, cpu::thresholds(), options.cpu.tuning);
  if (order.reference)
    options.launch.schedule = *order.reference;
  options.launch.replay = order.replay;
  if (order.ptx)
    options.ptx.schedule.order = *order.ptx;
  if (command.has("--seed") && order.name != "random")
    refuse("--seed", "only --schedule random has a seed");
  options.ptx.schedule.seed = options.launch.seed;
  options.ptx.isTargetGiven = command.has("--target");
}

static void addDevice(Command command, RunOptions &options) {
  addChoice<Device>(
      command, "--device", options.device,
      {{"cpu", Device::Cpu},
       {"reference", Device::Reference},
       {"ptx", Device::Ptx},
       {"gpu", Device::Gpu}},
      "DEVICE",
      "where the kernel runs: cpu, compiled for this processor (default); reference, on the "
      "machine that executes and checks Tile IR; ptx, compiled for a GPU, on the machine that "
      "executes and checks PTX; or gpu, on the GPU of this machine. Options that only one "
      "device has select that device");
}

//===-- The command -------------------------------------------------------------------------===//

void tools::addRun(Command program) {
  auto options = std::make_shared<RunOptions>();
  Command command = program.addCommand("run", "Run an entry");
  addFile(command, options->file, "the program; '-' is standard input");
  addName(command, "--entry", options->entry, "NAME",
          "the entry, if the file has several; MODULE::NAME if several modules have it");
  addName(command, "--dependent", options->dependent, "NAME",
          "another entry with the same parameters, to launch next on the same grid and arguments: "
          "a dependent launch, which may begin before the first one has ended and waits for it "
          "with gdc_wait_tko");
  addText(command, "--grid", options->grid, "X[,Y[,Z]]",
          "number of tile blocks along each dimension")
      .required();
  addTexts(command, "--arg", options->arguments, "SPEC",
           "the next parameter, or an array (see below)")
      .isFile();
  addDevice(command, *options);
  addCpuFlags(command, options->cpu, options->remarks);
  addGpuFlags(command, options->ptx);
  auto order = std::make_shared<Order>();
  addSchedule(command, *order);
  auto checks = std::make_shared<std::string>();
  addLaunchFlags(command, options->launch, *checks);
  addReports(command, options->reports);
  addWatch(command, options->watch);
  addLoadFlags(command, options->load);
  command.setFooter(argumentHelp + checkHelp() + exitHelp);
  command.onParsed(
      [command, options, order, checks] { complete(command, *options, *order, *checks); });
  command.onRun([options] {
    const int status = int(tools::run(*options, llvm::outs(), llvm::errs()));
    llvm::outs().flush();
    return status;
  });
}
