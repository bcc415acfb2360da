// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `tileirdisasm`: prints bytecode as text, like `tilewright dis`. Clients start a
// program of this name to show what they compile; cuTile does so for its dumps.

#include "tilewright/api/Tilewright.h"
#include "tools/cuda/Files.h"

#include <cstdio>
#include <memory>
#include <new>
#include <span>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

enum ExitStatus { success = 0, invalidProgram = 1, unusable = 2 };

static constexpr const char help[] = R"(tileirdisasm of Tilewright: prints Tile IR bytecode as text

usage: tileirdisasm [-o OUTPUT] FILE

  FILE       the program; '-' is standard input
  -o OUTPUT  the file to write (default: standard output)
  --version  print the version, and end
  -h, --help print this text, and end

Exit status: 0 success; 1 the program is invalid; 2 wrong usage, or a file that cannot be read or
written.
)";

namespace {
struct Options {
  std::string input = {}, output = "-";
  /// Text to print instead of a program.
  std::string text = {};
};
} // namespace

static Result<Options> parse(std::span<char *const> words) {
  Options options;
  for (; !words.empty(); words = words.subspan(1)) {
    const std::string word = words.front();
    if (word == "-h" || word == "--help")
      return Options{.text = help};
    if (word == "--version")
      return Options{.text = std::string("tileirdisasm: Tilewright ") + twLibraryVersion() + "\n"};
    if (word == "-o") {
      words = words.subspan(1);
      if (words.empty())
        return Failure{"-o needs a value"};
      options.output = words.front();
    } else if (word.starts_with("-") && word != "-") {
      return Failure{"unknown option " + word};
    } else if (!options.input.empty()) {
      return Failure{"there are two inputs, " + options.input + " and " + word};
    } else {
      options.input = word;
    }
  }
  if (options.input.empty())
    return Failure{"there is no input"};
  return options;
}

static ExitStatus fail(const std::string &why, ExitStatus status) {
  std::fprintf(stderr, "%s%s", why.c_str(), why.ends_with('\n') ? "" : "\n");
  return status;
}

static ExitStatus write(const std::string &output, std::string_view text) {
  Result<void> written = writeFile(output, text);
  return written ? success : fail(written.failure().message, unusable);
}

/// What the library hands out, until the end of the scope.
template <auto destroy> struct Destroyer {
  void operator()(auto *object) const { destroy(object); }
};
template <typename T, auto destroy> using Owned = std::unique_ptr<T, Destroyer<destroy>>;

static ExitStatus disassemble(const Options &options) {
  Result<std::string> program = readFile(options.input);
  if (!program)
    return fail(program.failure().message, unusable);
  Owned<twContext, twContextDestroy> context(twContextCreate());
  twModule *module = nullptr;
  twDiagnostics *diagnostics = nullptr;
  const twStatus status = twModuleRead(context.get(), program->data(), program->size(),
                                       options.input.c_str(), &module, &diagnostics);
  Owned<twModule, twModuleDestroy> ownsModule(module);
  Owned<twDiagnostics, twDiagnosticsDestroy> ownsDiagnostics(diagnostics);
  if (status != TW_SUCCESS)
    return fail(twDiagnosticsText(diagnostics), invalidProgram);
  std::fputs(twDiagnosticsText(diagnostics), stderr);
  char *text = nullptr;
  twDiagnostics *problems = nullptr;
  const twStatus printed = twModuleToText(module, 0, &text, &problems);
  Owned<char, twFree> ownsText(text);
  Owned<twDiagnostics, twDiagnosticsDestroy> ownsProblems(problems);
  if (printed != TW_SUCCESS)
    return fail(twDiagnosticsText(problems), unusable);
  return write(options.output, text);
}

int main(int argc, char **argv) {
  occupyStandardStreams();
  try {
    Result<Options> options = parse({argv + 1, size_t(argc > 0 ? argc - 1 : 0)});
    if (!options)
      return fail("tileirdisasm: error: " + options.failure().message, unusable);
    return options->text.empty() ? disassemble(*options) : write("-", options->text);
  } catch (const std::bad_alloc &) {
    return fail("tileirdisasm: out of memory", unusable);
  }
}
