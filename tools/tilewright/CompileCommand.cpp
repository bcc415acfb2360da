// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright compile`: the command line. Compile.h does the work.

#include "CompileFlags.h"
#include "LoadFlags.h"
#include "tools/tilewright/Compile.h"

using namespace tilewright;
using namespace tilewright::tools;
using api::Stage;
using nvidia::SharedMemoryForm;

namespace {
struct CompileCommand {
  CompileFileOptions options;
  std::optional<api::AnyTarget> target;
  std::optional<Stage> stage;
  std::optional<SharedMemoryForm> sharedMemory;
  std::vector<std::string> tuning;
};
} // namespace

static constexpr const char *help = R"(
What --emit writes:
  tile    Tile IR, simplified             plan    placement of values
  loops   loops in upstream dialects      llvm    LLVM IR, optimised
  asm     assembly                        obj     an object file
  so      a shared library, linked with the kernel runtime
  threads per-thread code (GPUs)          ptx     PTX text (GPUs)
  cubin   machine code (GPUs), assembled by NVIDIA's ptxas, which must be installed
GPUs have tile, plan, threads, llvm, ptx and cubin; CPUs have all but threads, ptx and cubin.
Without --emit, the extension of the output file selects it: .o, .so, .s, .ll, .ptx or .cubin.

For each entry @k, an object file and a shared library have k_launch, which runs a whole grid,
k_blocks, which runs some of its blocks, and k_kernel for callers with their own threads; --header
declares them for C. Programs that link an object file also need -ltilewright-runtime.

Targets: cpu=native (also cpu), cpu=x86-64, cpu=x86-64-v3 (AVX2, FMA), cpu=x86-64-v4 (AVX-512),
cpu=znver4, cpu=sapphirerapids (AMX), cpu=aarch64 (NEON); then +FEATURE or +noFEATURE by
LLVM's names, as in cpu=native+noamx-bf16; and the GPUs sm_75, sm_80, sm_86, sm_87, sm_89, sm_90a,
sm_100a, sm_103a, sm_110a, sm_120a and sm_121a.
Before sm_90, ptxas accepts 48 KiB of shared memory. --shared-memory=dynamic uses all that the GPU
has: the launch must request it, as the plan and remarks say. cubin writes the size into the cubin,
which launches without a request; that has not been tried on such a GPU. static is the default.
Exit status: 0 success; 1 the program is invalid or cannot be compiled; 2 wrong usage, or a
file that cannot be read or written.)";

//===-- Options -----------------------------------------------------------------------------===//

static const std::map<std::string, Stage> endings = {
    {".o", Stage::Object}, {".so", Stage::SharedLibrary}, {".s", Stage::Assembly},
    {".ll", Stage::Llvm},  {".ptx", Stage::Ptx},          {".cubin", Stage::Cubin}};

/// The stage to write: from --emit, or else from the extension of the output's name.
static Stage emissionOf(const CompileCommand &command) {
  if (command.stage)
    return *command.stage;
  std::string ending = std::filesystem::path(command.options.output).extension().string();
  if (auto found = endings.find(ending); found != endings.end())
    return found->second;
  refuse("-o", "--emit must say what to write: the name '" + command.options.output +
                   "' does not end in .o, .so, .s, .ll, .ptx or .cubin");
}

std::vector<std::string> tools::gpuNames() {
  std::vector<std::string> names;
  for (const nvidia::Target &target : nvidia::Target::all())
    names.push_back(target.cpu);
  return names;
}

/// Values for shell completion.
static std::vector<std::string> targetNames() {
  std::vector<std::string> names = gpuNames();
  names.insert(names.begin(), "cpu");
  return names;
}

static void verifyFile(const CompileFileOptions &options, bool isCode) {
  if (options.output == "-" && isCode)
    refuse("-o", "code does not go to standard output: it needs a file");
}

/// Refuses options that GPU targets do not support: headers, debug information, sanitizers.
static void completeForGpu(CompileFileOptions &options, const nvidia::Target &target) {
  const cpu::CompileOptions &compile = options.compile;
  const char *refused = !options.header.empty()                        ? "--header"
                        : compile.debugInfo                            ? "-g"
                        : compile.sanitize != codegen::Sanitizer::None ? "--sanitize"
                                                                       : nullptr;
  if (refused)
    refuse(refused, "only CPU targets support this option");
  if (api::isForCpus(options.stage))
    refuse("--emit", "a GPU target has tile, plan, threads, llvm, ptx and cubin");
  verifyFile(options, options.stage == Stage::Cubin);
  options.gpu = {target, compile.level};
}

/// Plans for another form of shared memory than the static one.
static void setSharedMemory(const CompileCommand &command, nvidia::Target &target) {
  const SharedMemoryForm form = command.sharedMemory.value_or(SharedMemoryForm::Static);
  if (form == SharedMemoryForm::InCubin && command.options.stage == Stage::Ptx)
    refuse("--shared-memory", "only a cubin can declare the size: PTX has static and dynamic");
  target.use(form);
}

/// Sets and checks what depends on several options: the stage and the target.
static void complete(CompileCommand &command) {
  CompileFileOptions &options = command.options;
  options.stage = emissionOf(command);
  const api::AnyTarget target = command.target ? *command.target : *api::targetNamed("cpu");
  if (const auto *gpu = std::get_if<nvidia::Target>(&target)) {
    nvidia::Target tuned = *gpu;
    setThresholds(tuned.tuning, nvidia::thresholds(), command.tuning);
    setSharedMemory(command, tuned);
    return completeForGpu(options, tuned);
  }
  if (api::isForGpus(options.stage))
    refuse("--emit", "only GPU targets (--target sm_NN) have threads, ptx and cubin");
  if (command.sharedMemory)
    refuse("--shared-memory", "only GPU targets (--target sm_NN) have shared memory");
  options.compile.target = std::get<cpu::Target>(target);
  setThresholds(options.compile.target.tuning, cpu::thresholds(), command.tuning);
  verifyFile(options, options.stage >= Stage::Object);
  options.compile.launchers = options.stage >= Stage::Loops;
}

static void addEmission(Command command, std::optional<Stage> &emission) {
  const Choices<Stage> emissions = {{"tile", Stage::Tile},        {"plan", Stage::Plan},
                                    {"loops", Stage::Loops},      {"llvm", Stage::Llvm},
                                    {"asm", Stage::Assembly},     {"obj", Stage::Object},
                                    {"so", Stage::SharedLibrary}, {"threads", Stage::Threads},
                                    {"ptx", Stage::Ptx},          {"cubin", Stage::Cubin}};
  addChoice(command, "--emit", emission, emissions, "STAGE", "what to write (see below)");
}

static void addSanitize(Command command, codegen::Sanitizer &sanitize) {
  addChoice<codegen::Sanitizer>(
      command, "--sanitize", sanitize,
      {{"address", codegen::Sanitizer::Address}, {"thread", codegen::Sanitizer::Thread}}, "WHAT",
      "check accesses while the code runs, for programs built with -fsanitize=address or thread");
}

//===-- The command -------------------------------------------------------------------------===//

void tools::addCompile(Command program) {
  auto compile = std::make_shared<CompileCommand>();
  CompileFileOptions &options = compile->options;
  options.output = "-";
  Command command = program.addCommand("compile", "Compile a program for a processor");
  addFile(command, options.file, "the program; '-' is standard input");
  addParsed(command, "--target", compile->target, api::targetNamed, "cpu[=NAME]|sm_NN",
            "the processor (default cpu, this one)")
      .completedBy({Values::Choice, targetNames()});
  addName(command, "-o", options.output, "FILE",
          "the file to write; '-' (default) is standard output")
      .isFile();
  addEmission(command, compile->stage);
  addName(command, "--header", options.header, "FILE.h", "also write a C header").isFile();
  addCompileFlags(command, options.compile.level, options.compile.debugInfo, options.remarks);
  addTuning(command, compile->tuning);
  addChoice<SharedMemoryForm>(command, "--shared-memory", compile->sharedMemory,
                              {{"static", SharedMemoryForm::Static},
                               {"dynamic", SharedMemoryForm::Dynamic},
                               {"cubin", SharedMemoryForm::InCubin}},
                              "FORM", "more shared memory on sm_75 to sm_89 (see below)");
  addSanitize(command, options.compile.sanitize);
  addLoadFlags(command, options.load);
  command.setFooter(help);
  command.onParsed([compile] { complete(*compile); });
  command.onRun([compile] { return int(tools::compileFile(compile->options, llvm::errs())); });
}
