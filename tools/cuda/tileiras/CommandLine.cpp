// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandLine.h.

#include "tools/cuda/tileiras/CommandLine.h"
#include "tilewright/nvidia/TargetNames.h"
#include "tilewright/tile/attributes/Architectures.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

static std::string listOf(std::span<const std::string_view> all) {
  std::string names;
  for (std::string_view name : all)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

Result<Device> cuda::deviceFromEnvironment() {
  const char *value = std::getenv("TILEWRIGHT_DEVICE");
  const std::string_view name = value ? value : "";
  if (name.empty() || name == "cpu")
    return Device::Cpu;
  if (name == "reference" || name == "ptx")
    return Device::Machine;
  if (name == "gpu")
    return Device::Gpu;
  return Failure{"TILEWRIGHT_DEVICE must be cpu, reference, ptx or gpu, but is '" +
                 std::string(name) + "'"};
}

//===-- Words -------------------------------------------------------------------------------===//

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
    if (word.starts_with(option) && word[option.size()] == '=')
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

struct Flag {
  std::string_view name;
  void (*set)(Options &, bool);
};
} // namespace

/// Long options may begin with one dash: `-lineinfo`.
static std::string withTwoDashes(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const bool isLong = name.size() > 2 && name[0] == '-' && name[1] != '-' && name[1] != 'O';
  return (isLong ? "-" : "") + std::string(word);
}

//===-- Options with values -----------------------------------------------------------------===//

static Result<void> setOutput(Options &options, const std::string &name) {
  options.output = name;
  return {};
}

/// Code for the machines of this computer is made for any GPU that programs may name; code for a
/// GPU is made for those that the compiler supports.
static std::span<const std::string_view> processorsOf(Device device) {
  if (device == Device::Gpu)
    return nvidia::targetNames;
  return tile::architectures;
}

static Result<void> setProcessor(Options &options, const std::string &name) {
  const auto known = processorsOf(options.device);
  const bool isKnown = options.device == Device::Gpu
                           ? !nvidia::targetNamed(name).empty()
                           : std::ranges::find(known, std::string_view(name)) != known.end();
  if (!isKnown)
    return Failure{"--gpu-name must be one of " + listOf(known) + ", but is '" + name + "'"};
  options.processor = name;
  return {};
}

static Result<void> setOptimization(Options &options, const std::string &level) {
  if (level.size() != 1 || level[0] < '0' || level[0] > '9')
    return Failure{"the optimization level must be in 0..3, but is '" + level + "'"};
  options.optimization = unsigned(level[0] - '0');
  return {};
}

static Result<void> setRemarksFile(Options &options, const std::string &name) {
  options.remarks.file = name;
  return {};
}

static Result<void> setRemarkFormat(Options &options, const std::string &format) {
  if (format != "yaml" && format != "command-line")
    return Failure{"--remark-format must be command-line or yaml, but is '" + format + "'"};
  options.remarks.isYaml = format == "yaml";
  return {};
}

static Result<RemarkCategory> categoryNamed(const std::string &name) {
  if (name == "none")
    return RemarkCategory::None;
  if (name == "all")
    return RemarkCategory::All;
  if (name == "memory")
    return RemarkCategory::Memory;
  if (name == "tensorcore")
    return RemarkCategory::TensorCore;
  return Failure{"remarks are of the category none, all, memory or tensorcore, but not '" + name +
                 "'"};
}

template <RemarkCategory RemarkOptions::*member>
static Result<void> setRemarks(Options &options, const std::string &name) {
  Result<RemarkCategory> category = categoryNamed(name);
  if (!category)
    return category.failure();
  options.remarks.*member = *category;
  return {};
}

/// A type of remarks of which there are none.
static Result<void> setOtherRemarks(Options &, const std::string &name) {
  Result<RemarkCategory> category = categoryNamed(name);
  return category ? Result<void>() : category.failure();
}

/// There is no host code, so nothing depends on the host.
static Result<void> setHostArch(Options &, const std::string &name) {
  if (name == "x86_64" || name == "aarch64")
    return {};
  return Failure{"--host-arch must be x86_64 or aarch64, but is '" + name + "'"};
}

static Result<void> setHostSystem(Options &, const std::string &name) {
  if (name == "linux" || name == "windows")
    return {};
  return Failure{"--host-os must be linux or windows, but is '" + name + "'"};
}

static constexpr OptionWithValue optionsWithValue[] = {
    {"-o", setOutput},
    {"--output-file", setOutput},
    {"--gpu-name", setProcessor},
    {"--arch", setProcessor},
    {"--opt-level", setOptimization},
    {"-O", setOptimization},
    {"--remarks-output-file", setRemarksFile},
    {"--remark-format", setRemarkFormat},
    {"--remarks", setRemarks<&RemarkOptions::ofAllTypes>},
    {"--remarks-analysis", setRemarks<&RemarkOptions::ofAnalysis>},
    {"--remarks-passed", setOtherRemarks},
    {"--remarks-missed", setOtherRemarks},
    {"--remarks-failed", setOtherRemarks},
    {"--host-arch", setHostArch},
    {"--host-os", setHostSystem},
};

//===-- Options without values --------------------------------------------------------------===//

static void setDebugInfo(Options &options, bool isOn) { options.debugInfo = isOn; }
static void ignore(Options &, bool) {}
template <auto action> static void setAction(Options &options, bool isOn) {
  if (isOn)
    options.action = action;
}

static constexpr Flag flags[] = {
    {"--device-debug", setDebugInfo},
    {"-g", setDebugInfo},
    {"--lineinfo", ignore}, // line information is always kept
    {"--version", setAction<Options::Version>},
    {"--list-versions", setAction<Options::FormatVersions>},
    {"--help", setAction<Options::Help>},
    {"-h", setAction<Options::Help>},
    {"--help-list", setAction<Options::Help>},
    {"--help-hidden", setAction<Options::Help>},
    {"--help-list-hidden", setAction<Options::Help>},
};

/// Whether the word is this flag, and what it sets it to: `--lineinfo`, `--lineinfo=false`.
static std::optional<bool> valueOf(std::string_view word, std::string_view flag) {
  if (!word.starts_with(flag))
    return std::nullopt;
  const std::string_view value = word.substr(flag.size());
  if (value.empty() || value == "=true")
    return true;
  return value == "=false" ? std::optional<bool>(false) : std::nullopt;
}

//===-- The command line --------------------------------------------------------------------===//

/// The error for options that NVIDIA's compiler has and this one does not support.
static Failure refusalOf(std::string_view word) {
  const std::string name(word);
  if (word.starts_with("--preview"))
    return {"preview features are not supported: " + name};
  if (word.starts_with("-l") || word.starts_with("--link"))
    return {"linking libraries is not supported: " + name};
  if (word.starts_with("--sanitize") || word.starts_with("-sanitize"))
    return {"instrumented code is not supported: " + name +
            "; `tilewright exec --check=all` checks every memory access"};
  return {"unknown option " + name};
}

static Result<void> setInput(Options &options, std::string_view name) {
  if (!options.input.empty())
    return Failure{"there are two inputs, " + options.input + " and " + std::string(name)};
  options.input = name;
  return {};
}

static Result<void> parseWord(Options &options, Words &words, std::string_view given) {
  const std::string word = withTwoDashes(given);
  for (const OptionWithValue &option : optionsWithValue)
    if (std::optional<Result<std::string>> value = words.valueOf(word, option.name))
      return *value ? option.set(options, **value) : Result<void>(value->failure());
  for (const Flag &flag : flags)
    if (std::optional<bool> value = valueOf(word, flag.name)) {
      flag.set(options, *value);
      return {};
    }
  if (word.starts_with("-O"))
    return setOptimization(options, word.substr(2));
  if (word.starts_with("-") && word != "-")
    return refusalOf(given);
  return setInput(options, given);
}

Result<Options> cuda::parse(std::span<char *const> given, Device device) {
  Options options;
  options.device = device;
  Words words(given);
  bool isInput = false; // behind `--`
  while (!words.isEmpty()) {
    const std::string_view word = words.take();
    if (word == "--" && !isInput) {
      isInput = true;
      continue;
    }
    if (Result<void> parsed = isInput ? setInput(options, word) : parseWord(options, words, word);
        !parsed)
      return parsed.failure();
    if (options.action != Options::Compilation)
      return options;
  }
  if (options.input.empty())
    return Failure{"there is no input"};
  return options;
}

Result<void> cuda::verify(const Options &options) {
  if (options.optimization > 3)
    return Failure{"the optimization level must be in 0..3, but is '" +
                   std::to_string(options.optimization) + "'"};
  if (options.processor.empty())
    return Failure{"--gpu-name is missing: one of " + listOf(processorsOf(options.device))};
  if (options.device == Device::Gpu && options.debugInfo && options.optimization > 0)
    return Failure{"optimized code cannot be debugged: --device-debug needs -O0, but the "
                   "optimization level is " +
                   std::to_string(options.optimization)};
  if (options.remarks.areWanted() && !options.remarks.isYaml && options.output == "-")
    return Failure{"remarks and the output cannot both go to standard output: remarks need "
                   "--remark-format=yaml, or the output a file"};
  return {};
}

//===-- Help --------------------------------------------------------------------------------===//

std::string cuda::helpText() {
  return R"(usage: tileiras [options] FILE -o OUTPUT --gpu-name NAME

Compiles Tile IR for the device that TILEWRIGHT_DEVICE names: cpu (the default), this machine's
processor; gpu, an NVIDIA GPU. For reference and ptx it only verifies: the machines prepare
programs themselves.

  FILE                      the program: Tile IR bytecode; '-' is standard input
  -o, --output-file OUTPUT  the file to write (default elf.o). For gpu, a cubin, or PTX text if
                            there is no ptxas in PATH or $CUDA_HOME/bin; otherwise a file that
                            Tilewright's libcuda.so.1 loads
  --gpu-name, --arch NAME   the GPU that the program is written for: )" +
         listOf(tile::architectures) + R"(.
                            For gpu, the GPU that the code is for: )" +
         listOf(nvidia::targetNames) + R"(;
                            sm_90 also means sm_90a, and so on
  -O, --opt-level LEVEL     how much to optimize: 0, 1, 2 or 3 (default)
  -g, --device-debug        debuggers see the code and its lines; for gpu, with -O0 only
  --lineinfo                accepted: lines are always known
  --remarks CATEGORY        remarks of the compiler for gpu: none (default), all, memory, tensorcore
  --remarks-analysis CATEGORY  the same
  --remarks-passed, --remarks-missed, --remarks-failed CATEGORY  accepted: there are none
  --remark-format FORMAT    command-line (default): remarks go to standard output; yaml: to a file
  --remarks-output-file FILE   that file (default tileir_remarks.yaml)
  --host-arch, --host-os NAME  accepted: there is no host code
  --list-versions           print the versions of Tile IR, and end
  --version                 print the version, and end
  -h, --help                print this text, and end

Exit status: 0 success; 1 an unknown option or value, or the program cannot be read; 2 options do
not fit each other, or a file cannot be written; 3 the program is invalid; 5 it cannot be compiled.
)";
}
