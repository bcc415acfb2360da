// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandLine.h.

#include "tools/cuda/tileiras/CommandLine.h"
#include "tilewright/support/Version.h"
#include "tilewright/tile/attributes/Architectures.h"

#include <algorithm>
#include <optional>
#include <string_view>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

static std::string namesOfProcessors() {
  std::string names;
  for (std::string_view name : tile::architectures)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

std::string cuda::helpText() {
  return std::string("tileiras of Tilewright ") + support::version +
         R"(: compiles Tile IR for the processor of this machine

usage: tileiras [options] FILE -o OUTPUT --gpu-name NAME

  FILE                      the program: Tile IR bytecode; '-' is standard input
  -o, --output-file OUTPUT  the file to write, which Tilewright's libcuda.so.1 loads
  --gpu-name, -arch NAME    the GPU that the program is written for: )" +
         namesOfProcessors() + R"(.
                            The code is for this machine, whatever the name
  -O, --opt-level LEVEL     how much to optimize: 0, 1, 2 (default) or 3
  -g, --device-debug        debuggers see the code and its lines
  --lineinfo                accepted: lines are always known
  --remarks-output-file FILE  gets the remarks in YAML, of which there are none; --remarks and
                            --remark-format=yaml are accepted
  --version                 print the version, and end
  -h, --help                print this text, and end

TILEWRIGHT_DEVICE=reference or ptx verifies only: the machines prepare programs themselves.

Exit status: 0 success; 1 the program is invalid; 2 wrong usage, or a file that cannot be read or
written.
)";
}

namespace {
/// Iterates over the command line; an option's value follows after `=` or as the next word.
class Words {
public:
  explicit Words(std::span<char *const> words) : words(words) {}

  bool isEmpty() const { return words.empty(); }
  std::string_view take() {
    std::string_view word = words.front();
    words = words.subspan(1);
    return word;
  }
  /// The value, if the word is this option.
  std::optional<Result<std::string>> valueOf(std::string_view word, std::string_view option) {
    if (word == option) {
      if (words.empty())
        return Result<std::string>(Failure{std::string(option) + " needs a value"});
      return Result<std::string>(std::string(take()));
    }
    if (option.starts_with("--") && word.starts_with(option) && word[option.size()] == '=')
      return Result<std::string>(std::string(word.substr(option.size() + 1)));
    return std::nullopt;
  }

private:
  std::span<char *const> words;
};

using Setter = Result<void> (*)(Options &, const std::string &);

struct OptionWithValue {
  std::string_view name;
  Setter set;
};
} // namespace

static Result<void> setOutput(Options &options, const std::string &name) {
  options.output = name;
  return {};
}

static Result<void> setProcessor(Options &options, const std::string &name) {
  if (std::ranges::find(tile::architectures, std::string_view(name)) == tile::architectures.end())
    return Failure{"--gpu-name must be one of " + namesOfProcessors() + ", but is '" + name + "'"};
  options.processor = name;
  return {};
}

static Result<void> setOptimization(Options &options, const std::string &level) {
  if (level.size() != 1 || level[0] < '0' || level[0] > '3')
    return Failure{"the optimization level must be in 0..3, but is '" + level + "'"};
  options.optimization = unsigned(level[0] - '0');
  return {};
}

static Result<void> setRemarksFile(Options &options, const std::string &name) {
  options.remarks = name;
  return {};
}

static Result<void> setRemarkFormat(Options &, const std::string &format) {
  if (format != "yaml")
    return Failure{"--remark-format must be yaml, but is '" + format + "'"};
  return {};
}

/// Ignores the filter for remarks, as there are no remarks.
static Result<void> setRemarks(Options &, const std::string &) { return {}; }

static constexpr OptionWithValue optionsWithValue[] = {
    {"-o", setOutput},
    {"--output-file", setOutput},
    {"--gpu-name", setProcessor},
    {"-arch", setProcessor},
    {"--opt-level", setOptimization},
    {"-O", setOptimization},
    {"--remarks-output-file", setRemarksFile},
    {"--remark-format", setRemarkFormat},
    {"--remarks", setRemarks},
};

/// The error for options that NVIDIA's compiler has and this one does not support.
static Failure refusalOf(std::string_view word) {
  const std::string name(word);
  if (word.starts_with("--preview"))
    return {"preview features are not supported: " + name};
  if (word.starts_with("-l") || word.starts_with("--link"))
    return {"linking libraries is not supported: " + name};
  return {"unknown option " + name};
}

static Result<void> parseWord(Options &options, Words &words, std::string_view word) {
  for (const OptionWithValue &option : optionsWithValue)
    if (std::optional<Result<std::string>> value = words.valueOf(word, option.name))
      return *value ? option.set(options, **value) : Result<void>(value->failure());
  if (word == "--version")
    options.action = Options::Version;
  else if (word == "--help" || word == "-h" || word == "-help")
    options.action = Options::Help;
  else if (word == "--device-debug" || word == "-g")
    options.debugInfo = true;
  else if (word == "--lineinfo" || word == "-lineinfo")
    return {}; // line information is always kept
  else if (word.starts_with("-O"))
    return setOptimization(options, std::string(word.substr(2)));
  else if (word.starts_with("-") && word != "-")
    return refusalOf(word);
  else if (options.input.empty())
    options.input = word;
  else
    return Failure{"there are two inputs, " + options.input + " and " + std::string(word)};
  return {};
}

Result<Options> cuda::parse(std::span<char *const> given) {
  Options options;
  Words words(given);
  while (!words.isEmpty()) {
    if (Result<void> parsed = parseWord(options, words, words.take()); !parsed)
      return parsed.failure();
    if (options.action != Options::Compilation)
      return options;
  }
  if (options.input.empty())
    return Failure{"there is no input"};
  if (options.output.empty())
    return Failure{"there is no output: -o FILE is missing"};
  if (options.processor.empty())
    return Failure{"--gpu-name is missing: one of " + namesOfProcessors()};
  return options;
}
