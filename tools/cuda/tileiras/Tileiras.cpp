// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tileiras.h. tileiras takes the place of the vendor's compiler for clients that start a
// program of this name. It reads and verifies a program, compiles it for this processor into the
// cache of compiled kernels, and writes a container (Container.h) for the driver library. What is
// wrong with a program is told here, with its place in the client's source.
// TILEWRIGHT_DEVICE=reference compiles nothing: the driver library then runs the program on the
// reference machine.

#include "tools/cuda/tileiras/Tileiras.h"
#include "tilewright/api/Kernel.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/codegen/Cache.h"
#include "tilewright/support/Version.h"
#include "tools/Program.h"
#include "tools/WriteFile.h"
#include "tools/cuda/Container.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace tilewright;
using llvm::StringRef;
using support::Failure;
using support::Result;

namespace {
struct Options {
  std::string input, output;
  std::string processor;
  std::string remarks; ///< A file that gets remarks in YAML.
  unsigned optimization = 2;
  bool debugInfo = false;
  bool wantsVersion = false;
};

/// Walks the command line; the value of an option is behind `=` or the next word.
class Words {
public:
  explicit Words(llvm::ArrayRef<char *> words) : words(words) {}

  bool isEmpty() const { return words.empty(); }
  StringRef take() {
    StringRef word = words.front();
    words = words.drop_front();
    return word;
  }
  /// The value, if the word is this option.
  std::optional<Result<StringRef>> valueOf(StringRef word, StringRef option) {
    if (word == option)
      return words.empty() ? Result<StringRef>(Failure{option.str() + " needs a value"})
                           : Result<StringRef>(take());
    if (option.starts_with("--") && word.consume_front(option) && word.consume_front("="))
      return Result<StringRef>(word);
    return std::nullopt;
  }

private:
  llvm::ArrayRef<char *> words;
};
} // namespace

//===-- The command line --------------------------------------------------------------------===//

static Result<void> setProcessor(Options &options, StringRef name) {
  StringRef number = name;
  const bool isProcessor = number.consume_front("sm_") && !number.empty() &&
                           llvm::all_of(number.drop_back(), llvm::isDigit) &&
                           llvm::isAlnum(number.back());
  if (!isProcessor)
    return Failure{"--gpu-name must be sm_ and a number, but is '" + name.str() + "'"};
  options.processor = name.str();
  return {};
}

static Result<void> setOptimization(Options &options, StringRef level) {
  if (level.getAsInteger(10, options.optimization) || options.optimization > 3)
    return Failure{"the optimization level must be in 0..3, but is '" + level.str() + "'"};
  return {};
}

static Result<void> setRemarkFormat(StringRef format) {
  if (format != "yaml")
    return Failure{"--remark-format must be yaml, but is '" + format.str() + "'"};
  return {};
}

/// What the vendor's compiler has and this one has not.
static Result<void> refuse(StringRef word) {
  if (word.starts_with("--preview"))
    return Failure{"preview features are not supported: " + word.str()};
  if (word == "-l" || word.starts_with("--link") || word.starts_with("-l"))
    return Failure{"linking libraries is not supported: " + word.str()};
  return Failure{"unknown option " + word.str()};
}

static Result<void> parseWord(Options &options, Words &words, StringRef word) {
  const auto assign = [](std::string &to) {
    return [&to](StringRef value) -> Result<void> {
      to = value.str();
      return {};
    };
  };
  const auto with = [&](StringRef name, auto set) -> std::optional<Result<void>> {
    std::optional<Result<StringRef>> value = words.valueOf(word, name);
    if (!value)
      return std::nullopt;
    return *value ? set(**value) : Result<void>(value->failure());
  };
  for (StringRef name : {"-o", "--output-file"})
    if (auto done = with(name, assign(options.output)))
      return *done;
  for (StringRef name : {"--gpu-name", "-arch"})
    if (auto done = with(name, [&](StringRef value) { return setProcessor(options, value); }))
      return *done;
  if (auto done = with("--remarks-output-file", assign(options.remarks)))
    return *done;
  if (auto done = with("--remark-format", setRemarkFormat))
    return *done;
  std::string anyRemarks;
  if (auto done = with("--remarks", assign(anyRemarks)))
    return *done;
  if (auto done =
          with("--opt-level", [&](StringRef value) { return setOptimization(options, value); }))
    return *done;
  if (word == "--version")
    options.wantsVersion = true;
  else if (word == "--device-debug" || word == "-g")
    options.debugInfo = true;
  else if (word.starts_with("-O") && word.size() == 3)
    return setOptimization(options, word.drop_front(2));
  else if (word == "--lineinfo" || word == "-lineinfo")
    return {}; // lines are always known
  else if (word.starts_with("-") && word != "-")
    return refuse(word);
  else if (options.input.empty())
    options.input = word.str();
  else
    return Failure{"there are two inputs, " + options.input + " and " + word.str()};
  return {};
}

static Result<Options> parse(int argc, char **argv) {
  Options options;
  Words words(llvm::ArrayRef(argv + 1, argc - 1));
  while (!words.isEmpty())
    if (Result<void> parsed = parseWord(options, words, words.take()); !parsed)
      return parsed.failure();
  if (options.wantsVersion)
    return options;
  if (options.input.empty())
    return Failure{"there is no input"};
  if (options.output.empty())
    return Failure{"there is no output: -o FILE is missing"};
  if (options.processor.empty())
    return Failure{"--gpu-name is missing"};
  return options;
}

//===-- Compiling ---------------------------------------------------------------------------===//

/// The newest version all of whose operations have a meaning on our devices.
static constexpr tile::Version newestOfClients = {13, 4};

/// Clients ask which version they may write by having an empty program of each compiled. One that
/// could be read only because it is empty must not pass.
static Result<void> verifyVersion(const Options &options, StringRef bytes) {
  if (!bytecode::isBytecode(bytes) || bytes.size() < 10)
    return {};
  const unsigned major = uint8_t(bytes[8]), minor = uint8_t(bytes[9]);
  if (std::pair(major, minor) <=
      std::pair<unsigned, unsigned>(newestOfClients.major, newestOfClients.minor))
    return {};
  return Failure{options.input + ": error: Tile IR " + std::to_string(major) + "." +
                 std::to_string(minor) + " is not supported: the newest version is " +
                 std::to_string(newestOfClients.major) + "." +
                 std::to_string(newestOfClients.minor)};
}

static bool isForReference() {
  const char *device = std::getenv("TILEWRIGHT_DEVICE");
  return device && StringRef(device) == "reference";
}

static Result<void> compileAll(const api::Module &module, const Options &options) {
  api::CompileOptions compile;
  compile.optimization = int(options.optimization);
  compile.debugInfo = options.debugInfo;
  for (const api::Entry &entry : module.entries())
    if (Result<api::Kernel> kernel = api::Kernel::compile(entry, compile); !kernel)
      return kernel.failure();
  return {};
}

static int run(const Options &options) {
  const auto fail = [](StringRef why, int status) {
    llvm::errs() << why << (why.ends_with("\n") ? "" : "\n");
    return status;
  };
  auto file = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(options.input + ": error: " + file.getError().message(), 2);
  const StringRef bytes = (*file)->getBuffer();
  if (Result<void> known = verifyVersion(options, bytes); !known)
    return fail(known.failure().message, 1);
  api::Diagnostics diagnostics;
  Result<api::Module> module = api::Module::read({}, bytes, options.input, &diagnostics);
  if (!module)
    return fail(diagnostics.text.empty() ? module.failure().message : diagnostics.text, 1);
  llvm::errs() << diagnostics.text;
  if (!isForReference())
    if (Result<void> compiled = compileAll(*module, options); !compiled)
      return fail(compiled.failure().message, 1);
  const std::string container =
      cuda::toBytes({options.optimization, options.debugInfo, {bytes.data(), bytes.size()}});
  llvm::SmallVector<tools::FileContents, 2> files = {{options.output, container}};
  // Clients of 13.4 ask for remarks, of which there are none: an empty stream of YAML.
  if (!options.remarks.empty())
    files.push_back({options.remarks, ""});
  if (Result<void> written = tools::writeFiles(files); !written)
    return fail(written.failure().message, 2);
  return 0;
}

/// The version changes with the build: clients keep what they compiled under it.
static int printVersion() {
  llvm::outs() << "tileiras: Tilewright " << support::version << ", Tile IR "
               << unsigned(tile::oldestVersion.major) << "." << unsigned(tile::oldestVersion.minor)
               << " to " << unsigned(newestOfClients.major) << "."
               << unsigned(newestOfClients.minor) << ", build " << codegen::buildIdentity() << "\n";
  return 0;
}

int cuda::runTileiras(int argc, char **argv) {
  return tools::runProgram("tileiras", [&] {
    Result<Options> options = parse(argc, argv);
    if (!options) {
      llvm::errs() << "tileiras: error: " << options.failure().message << "\n";
      return 2;
    }
    return options->wantsVersion ? printVersion() : run(*options);
  });
}
