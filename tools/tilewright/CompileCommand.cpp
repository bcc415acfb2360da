// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright compile: code for programs that bring no compiler, and what it is made of.

#include "CompileFlags.h"
#include "LoadFlags.h"
#include "tilewright/driver/Compile.h"

using namespace tilewright;
using namespace tilewright::tools;
using driver::Emission;
using llvm::StringRef;

namespace {
struct CompileCommand {
  driver::CompileFileOptions options;
  std::string target = "cpu", emission;
};
} // namespace

static constexpr const char *help = R"(
What --emit writes:
  tile    Tile IR, simplified             plan    which value lives where
  loops   loops in upstream dialects      llvm    LLVM IR, optimised
  asm     assembly                        obj     an object file
  so      a shared library, linked by the compiler of this system
Without it, the ending of the output's name says which: .o, .so, .s or .ll.

For each entry @k, an object and a library have k_launch, which runs a whole grid, k_blocks,
which runs some of its blocks, and k_kernel for those who bring their own threads; --header
declares them for C. Programs that are linked with an object need -ltilewright-runtime, too.

Targets: cpu=native (also cpu), cpu=x86-64, cpu=x86-64-v3 (AVX2, FMA), cpu=x86-64-v4 (AVX-512),
cpu=znver4, cpu=sapphirerapids (AMX), cpu=aarch64 (NEON); then +FEATURE or +noFEATURE by
LLVM's names, as in cpu=native+noamx-bf16.
Exit status: 0 success; 1 the program is invalid or cannot be compiled; 2 wrong usage, or a
file that cannot be read or written.)";

//===-- Options -----------------------------------------------------------------------------===//

static const std::map<std::string, Emission> emissions = {
    {"tile", Emission::Tile},       {"plan", Emission::Plan},    {"loops", Emission::Loops},
    {"llvm", Emission::Llvm},       {"asm", Emission::Assembly}, {"obj", Emission::Object},
    {"so", Emission::SharedLibrary}};

static const std::map<std::string, std::string> endings = {
    {".o", "obj"}, {".so", "so"}, {".s", "asm"}, {".ll", "llvm"}};

/// What to write, by --emit or by the name of the output.
static Emission emissionOf(const CompileCommand &command) {
  if (!command.emission.empty())
    return emissions.at(command.emission);
  std::string ending = std::filesystem::path(command.options.output).extension().string();
  if (auto found = endings.find(ending); found != endings.end())
    return emissions.at(found->second);
  throw CLI::ValidationError("-o", "--emit must say what to write: the name '" +
                                       command.options.output +
                                       "' does not end in .o, .so, .s or .ll");
}

/// `cpu` or `cpu=NAME`.
static cpu::Target parseTarget(StringRef text) {
  auto [device, name] = text.split('=');
  if (device != "cpu" || (text.contains('=') && name.empty()))
    throw CLI::ValidationError("--target",
                               "expected cpu or cpu=NAME, but got '" + text.str() + "'");
  auto target = cpu::Target::named(name.empty() ? "native" : name.str());
  if (!target)
    throw CLI::ValidationError("--target", target.failure().message);
  return *target;
}

/// Understands what only all options together say.
static void complete(CompileCommand &command) {
  driver::CompileFileOptions &options = command.options;
  options.emission = emissionOf(command);
  options.compile.target = parseTarget(command.target);
  bool isCode = options.emission == Emission::Object || options.emission == Emission::SharedLibrary;
  if (options.output == "-" && isCode)
    throw CLI::ValidationError("-o", "code does not go to standard output: it needs a file");
  options.compile.launchers = options.emission >= Emission::Loops;
}

static void addSanitize(CLI::App &command, cpu::Sanitizer &sanitize) {
  const std::map<std::string, cpu::Sanitizer> sanitizers = {{"address", cpu::Sanitizer::Address},
                                                            {"thread", cpu::Sanitizer::Thread}};
  command
      .add_option("--sanitize", sanitize,
                  "check accesses while the code runs, for programs built with -fsanitize=address "
                  "or thread")
      ->transform(CLI::CheckedTransformer(sanitizers).description(""))
      ->option_text("WHAT");
}

//===-- The command -------------------------------------------------------------------------===//

void tools::addCompile(CLI::App &app, int &exitStatus) {
  auto compile = std::make_shared<CompileCommand>();
  driver::CompileFileOptions &options = compile->options;
  options.output = "-";
  CLI::App *command = app.add_subcommand("compile", "Compile a program for a processor");
  command->add_option("FILE", options.file, "the program; '-' is standard input")->required();
  command->add_option("--target", compile->target, "the processor (default cpu, this one)")
      ->option_text("cpu[=NAME]");
  command->add_option("-o", options.output, "the file to write; '-' (default) is standard output")
      ->option_text("FILE");
  command->add_option("--emit", compile->emission, "what to write (see below)")
      ->check(CLI::IsMember(emissions).description(""))
      ->option_text("STAGE");
  command->add_option("--header", options.header, "a C header to write, too")
      ->option_text("FILE.h");
  addCompileFlags(*command, options.compile.level, options.compile.debugInfo, options.remarks);
  addSanitize(*command, options.compile.sanitize);
  addLoadFlags(*command, options.load);
  command->footer(help);
  command->parse_complete_callback([compile] { complete(*compile); });
  command->callback([compile, &exitStatus] {
    exitStatus = int(driver::compileFile(compile->options, llvm::errs()));
  });
}
