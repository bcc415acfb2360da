// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tilewright.h. A handle holds the object of this room that it stands for, and what it hands
// out; each function checks what it is given, calls that object, and turns the answer into C.

#include "tilewright/api/Launch.h"
#include "tilewright/api/Tilewright.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/support/Version.h"

#include "llvm/Support/MemAlloc.h"
#include <cstdlib>
#include <cstring>

using namespace tilewright;
using numerics::Element;
using numerics::Format;
using support::Failure;
using support::Result;

struct twDiagnostics {
  api::Diagnostics all;
};

struct twContext {
  api::Context settings;
};

struct twEntry {
  api::Entry entry;
};

struct twModule {
  api::Module module;
  std::vector<twEntry> entries;
};

struct twKernelHandle {
  api::Kernel kernel;
};

struct twLaunchHandle {
  api::Launch launch;
  api::LaunchResult result;
};

//===-- What goes in and out ----------------------------------------------------------------===//

/// A copy that twFree releases, with a 0 byte behind it.
static char *copyOf(llvm::StringRef bytes) {
  char *copy = static_cast<char *>(llvm::safe_malloc(bytes.size() + 1));
  *std::copy(bytes.begin(), bytes.end(), copy) = 0;
  return copy;
}

/// Hands out what was reported, if the caller wants it.
static void report(api::Diagnostics all, twDiagnostics **diagnostics) {
  if (diagnostics)
    *diagnostics = all.text.empty() ? nullptr : new twDiagnostics{std::move(all)};
}

/// The same for a failure that is not about a place in a program.
static twStatus fail(twStatus status, const std::string &why, twDiagnostics **diagnostics) {
  report({{}, why + "\n"}, diagnostics);
  return status;
}

static twStatus wrongUsage(const std::string &why, twDiagnostics **diagnostics) {
  return fail(TW_USAGE, why, diagnostics);
}

/// A struct of the caller, which may be shorter or longer than ours.
template <typename Struct> static Result<Struct> readStruct(const Struct *given, const char *type) {
  Struct known;
  std::memset(&known, 0, sizeof known);
  if (!given)
    return known;
  if (given->size < sizeof given->size)
    return Failure{std::string("the size of the ") + type + " is not set"};
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  return known;
}

template <typename Struct> static twStatus fillStruct(Struct *given, Struct known) {
  if (given->size < sizeof given->size)
    return TW_USAGE;
  known.size = given->size;
  std::memcpy(given, &known, std::min(given->size, sizeof known));
  return TW_SUCCESS;
}

static twPlace placeOf(const api::Place &place) {
  return {place.file.c_str(), place.line, place.column, place.byte.value_or(-1)};
}

static twVersion packed(tile::Version version) { return TW_VERSION(version.major, version.minor); }

/// None if there is no such version.
static std::optional<tile::Version> unpacked(twVersion version) {
  for (uint8_t minor = tile::oldestVersion.minor; minor <= tile::newestVersion.minor; ++minor)
    if (tile::Version known{tile::oldestVersion.major, minor}; packed(known) == version)
      return known;
  return std::nullopt;
}

static constexpr const char *noSuchVersion = "the version is none of 13.1, 13.2 and 13.3";

static constexpr struct {
  Format format;
  twElementType type;
} elementTypes[] = {
    {Format::I1, TW_I1},
    {Format::I8, TW_I8},
    {Format::I16, TW_I16},
    {Format::I32, TW_I32},
    {Format::I64, TW_I64},
    {Format::F16, TW_F16},
    {Format::BF16, TW_BF16},
    {Format::TF32, TW_TF32},
    {Format::F32, TW_F32},
    {Format::F64, TW_F64},
    {Format::F8E4M3FN, TW_F8E4M3FN},
    {Format::F8E5M2, TW_F8E5M2},
    {Format::F8E8M0FNU, TW_F8E8M0FNU},
    {Format::F4E2M1FN, TW_F4E2M1FN},
};

static twElementType typeOf(std::optional<Format> format) {
  for (const auto &row : elementTypes)
    if (row.format == format)
      return row.type;
  return TW_NO_ELEMENT;
}

static Result<Format> formatOf(twElementType type) {
  for (const auto &row : elementTypes)
    if (row.type == type)
      return row.format;
  return Failure{"there is no element type " + std::to_string(int(type))};
}

void twFree(void *memory) { std::free(memory); }

const char *twLibraryVersion(void) { return support::version; }

//===-- Diagnostics -------------------------------------------------------------------------===//

static twSeverity severityOf(api::Severity severity) {
  switch (severity) {
  case api::Severity::Error:
    return TW_ERROR;
  case api::Severity::Warning:
    return TW_WARNING;
  case api::Severity::Remark:
    return TW_REMARK;
  }
  llvm_unreachable("all severities are listed");
}

const char *twDiagnosticsText(const twDiagnostics *diagnostics) {
  return diagnostics ? diagnostics->all.text.c_str() : "";
}

size_t twDiagnosticsCount(const twDiagnostics *diagnostics) {
  return diagnostics ? diagnostics->all.list.size() : 0;
}

twStatus twDiagnosticsGet(const twDiagnostics *diagnostics, size_t index,
                          twDiagnostic *diagnostic) {
  if (!diagnostic || index >= twDiagnosticsCount(diagnostics))
    return TW_USAGE;
  const api::Diagnostic &found = diagnostics->all.list[index];
  return fillStruct(diagnostic,
                    {0, severityOf(found.severity), placeOf(found.place), found.message.c_str()});
}

void twDiagnosticsDestroy(twDiagnostics *diagnostics) { delete diagnostics; }

//===-- Context -----------------------------------------------------------------------------===//

twContext *twContextCreate(void) { return new twContext; }

void twContextDestroy(twContext *context) { delete context; }

void twContextSetStrict(twContext *context, int strict) {
  if (context)
    context->settings.strict = strict != 0;
}

void twContextSetCache(twContext *context, const char *folder) {
  if (!context)
    return;
  context->settings.useCache = !folder || *folder;
  context->settings.cacheFolder = folder ? folder : "";
}

//===-- Module ------------------------------------------------------------------------------===//

/// Hands out a module that was read.
static void give(api::Module read, twModule **module) {
  auto made = std::make_unique<twModule>(twModule{std::move(read), {}});
  for (api::Entry &entry : made->module.entries())
    made->entries.push_back({std::move(entry)});
  *module = made.release();
}

twStatus twModuleRead(const twContext *context, const void *bytes, size_t size, const char *name,
                      twModule **module, twDiagnostics **diagnostics) {
  if (module)
    *module = nullptr;
  if (!context)
    return wrongUsage("twModuleRead: the context is null", diagnostics);
  if (!bytes && size)
    return wrongUsage("twModuleRead: the bytes are null", diagnostics);
  if (!module)
    return wrongUsage("twModuleRead: there is no place for the module", diagnostics);
  api::Diagnostics all;
  Result<api::Module> read = api::Module::read(
      context->settings, {static_cast<const char *>(bytes), size}, name ? name : "<memory>", &all);
  report(std::move(all), diagnostics);
  if (!read)
    return TW_INVALID;
  give(std::move(*read), module);
  return TW_SUCCESS;
}

twStatus twModuleReadFile(const twContext *context, const char *path, twModule **module,
                          twDiagnostics **diagnostics) {
  if (module)
    *module = nullptr;
  if (!context)
    return wrongUsage("twModuleReadFile: the context is null", diagnostics);
  if (!path)
    return wrongUsage("twModuleReadFile: the path is null", diagnostics);
  if (!module)
    return wrongUsage("twModuleReadFile: there is no place for the module", diagnostics);
  api::Diagnostics all;
  Result<api::Module> read = api::Module::readFile(context->settings, path, &all);
  if (!read && all.list.empty())
    return fail(TW_FILE, read.failure().message, diagnostics);
  report(std::move(all), diagnostics);
  if (!read)
    return TW_INVALID;
  give(std::move(*read), module);
  return TW_SUCCESS;
}

void twModuleDestroy(twModule *module) { delete module; }

twVersion twModuleFileVersion(const twModule *module) {
  std::optional<tile::Version> version = module ? module->module.fileVersion() : std::nullopt;
  return version ? packed(*version) : 0;
}

twVersion twModuleLowestVersion(const twModule *module) {
  return module ? packed(module->module.lowestVersion()) : 0;
}

twStatus twModuleVerify(const twModule *module, unsigned flags, twVersion version,
                        twDiagnostics **diagnostics) {
  if (!module)
    return wrongUsage("twModuleVerify: the module is null", diagnostics);
  if (flags & ~unsigned(TW_VERIFY_STRICT))
    return wrongUsage("twModuleVerify: the only flag is TW_VERIFY_STRICT", diagnostics);
  api::VerifyOptions options;
  options.strict = flags & TW_VERIFY_STRICT;
  options.version = unpacked(version);
  if (version && !options.version)
    return wrongUsage(std::string("twModuleVerify: ") + noSuchVersion, diagnostics);
  api::Diagnostics all;
  Result<void> verified = module->module.verify(options, &all);
  report(std::move(all), diagnostics);
  return verified ? TW_SUCCESS : TW_INVALID;
}

twStatus twModuleToText(const twModule *module, unsigned flags, char **text,
                        twDiagnostics **diagnostics) {
  if (text)
    *text = nullptr;
  if (!module)
    return wrongUsage("twModuleToText: the module is null", diagnostics);
  if (!text)
    return wrongUsage("twModuleToText: there is no place for the text", diagnostics);
  if (flags & ~unsigned(TW_TEXT_GENERIC | TW_TEXT_LOCATIONS))
    return wrongUsage("twModuleToText: flags may be TW_TEXT_GENERIC and TW_TEXT_LOCATIONS",
                      diagnostics);
  *text = copyOf(module->module.text(
      {.generic = (flags & TW_TEXT_GENERIC) != 0, .locations = (flags & TW_TEXT_LOCATIONS) != 0}));
  report({}, diagnostics);
  return TW_SUCCESS;
}

twStatus twModuleToBytecode(const twModule *module, twVersion version, uint8_t **bytes,
                            size_t *size, twDiagnostics **diagnostics) {
  if (bytes)
    *bytes = nullptr;
  if (size)
    *size = 0;
  if (!module)
    return wrongUsage("twModuleToBytecode: the module is null", diagnostics);
  if (!bytes || !size)
    return wrongUsage("twModuleToBytecode: there is no place for the bytes and their number",
                      diagnostics);
  std::optional<tile::Version> target =
      version == TW_VERSION_LOWEST ? module->module.lowestVersion() : unpacked(version);
  if (!target)
    return wrongUsage(std::string("twModuleToBytecode: ") + noSuchVersion, diagnostics);
  api::Diagnostics all;
  Result<std::string> file = module->module.bytecode(*target, &all);
  report(std::move(all), diagnostics);
  if (!file)
    return TW_INVALID;
  *bytes = reinterpret_cast<uint8_t *>(copyOf(*file));
  *size = file->size();
  return TW_SUCCESS;
}

//===-- Entry -------------------------------------------------------------------------------===//

size_t twModuleEntryCount(const twModule *module) { return module ? module->entries.size() : 0; }

const twEntry *twModuleEntry(const twModule *module, size_t index) {
  return index < twModuleEntryCount(module) ? &module->entries[index] : nullptr;
}

const twEntry *twModuleFindEntry(const twModule *module, const char *name) {
  if (!module || !name)
    return nullptr;
  llvm::StringRef wanted = name;
  wanted.consume_front("@");
  for (const twEntry &entry : module->entries)
    if (entry.entry.name() == wanted)
      return &entry;
  return nullptr;
}

const char *twEntryName(const twEntry *entry) {
  return entry ? entry->entry.name().c_str() : nullptr;
}

size_t twEntryParameterCount(const twEntry *entry) {
  return entry ? entry->entry.parameters().size() : 0;
}

twStatus twEntryParameter(const twEntry *entry, size_t index, twParameter *parameter) {
  if (!parameter || index >= twEntryParameterCount(entry))
    return TW_USAGE;
  const api::Parameter &found = entry->entry.parameters()[index];
  return fillStruct(parameter, {0, found.isPointer, typeOf(found.format), found.type.c_str()});
}

//===-- Kernel ------------------------------------------------------------------------------===//

static Result<api::CompileOptions> optionsOf(const twCompileOptions *given) {
  Result<twCompileOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  if (options->device != TW_CPU && options->device != TW_REFERENCE)
    return Failure{"there is no device " + std::to_string(int(options->device))};
  api::CompileOptions known;
  known.device = options->device == TW_CPU ? api::Device::Cpu : api::Device::Reference;
  if (options->target)
    known.target = options->target;
  if (options->optimization)
    known.optimization = int(options->optimization) - TW_O0;
  known.debugInfo = options->debugInfo;
  if (options->checks)
    known.checks = options->checks;
  if (options->isRandom)
    known.schedule = api::Schedule::Random;
  known.seed = options->seed;
  if (options->maxSteps)
    known.maxSteps = options->maxSteps;
  if (Result<void> verified = known.verify(); !verified)
    return verified.failure();
  return known;
}

twStatus twKernelCompile(const twEntry *entry, const twCompileOptions *options,
                         twKernelHandle **kernel, twDiagnostics **diagnostics) {
  if (kernel)
    *kernel = nullptr;
  if (!entry)
    return wrongUsage("twKernelCompile: the entry is null", diagnostics);
  if (!kernel)
    return wrongUsage("twKernelCompile: there is no place for the kernel", diagnostics);
  Result<api::CompileOptions> known = optionsOf(options);
  if (!known)
    return wrongUsage("twKernelCompile: " + known.failure().message, diagnostics);
  Result<api::Kernel> compiled = api::Kernel::compile(entry->entry, *known);
  if (!compiled)
    return fail(TW_FAILED, compiled.failure().message, diagnostics);
  report({}, diagnostics);
  *kernel = new twKernelHandle{std::move(*compiled)};
  return TW_SUCCESS;
}

void twKernelDestroy(twKernelHandle *kernel) { delete kernel; }

//===-- Launch ------------------------------------------------------------------------------===//

static Result<api::Argument> arrayOf(const twArray &given) {
  Result<twArray> array = readStruct(&given, "array");
  if (!array)
    return array.failure();
  Result<Format> format = formatOf(array->element);
  if (!format)
    return format.failure();
  if (array->rank && !array->shape)
    return Failure{"the shape of the array is null"};
  Result<api::Array> made = api::Array::create(array->data, *format, {array->shape, array->rank},
                                               {array->strides, array->strides ? array->rank : 0});
  if (!made)
    return made.failure();
  made->isInitialised = !array->isUninitialised;
  return api::Argument(std::move(*made));
}

static Result<api::Argument> argumentOf(const twArgument &given) {
  if (given.array)
    return arrayOf(*given.array);
  Result<Format> format = formatOf(given.element);
  if (!format)
    return format.failure();
  const auto *bytes = reinterpret_cast<const uint8_t *>(&given.bits);
  return api::Argument(numerics::load(bytes, 0, *format));
}

static Result<std::vector<api::Argument>> argumentsOf(const twArgument *arguments, size_t count) {
  if (!arguments && count)
    return Failure{"the arguments are null"};
  std::vector<api::Argument> all;
  for (size_t i = 0; i < count; ++i) {
    Result<api::Argument> argument = argumentOf(arguments[i]);
    if (!argument)
      return argument.failure().at("argument " + std::to_string(i + 1));
    all.push_back(std::move(*argument));
  }
  return all;
}

static Result<api::Launch> bind(const api::Kernel &kernel, const twLaunchOptions *given,
                                const twArgument *arguments, size_t count) {
  Result<twLaunchOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  const auto extent = [&](int i) { return options->grid[i] ? options->grid[i] : 1; };
  Result<runtime::Grid> grid = runtime::Grid::create(extent(0), extent(1), extent(2));
  if (!grid)
    return grid.failure();
  Result<std::vector<api::Argument>> all = argumentsOf(arguments, count);
  if (!all)
    return all.failure();
  api::LaunchOptions known;
  known.threads = options->threads;
  if (options->print)
    known.output = [print = options->print, context = options->printContext](
                       std::string_view text) { print(context, text.data(), text.size()); };
  return api::Launch::create(kernel, *grid, std::move(*all), known);
}

twStatus twLaunchCreate(const twKernelHandle *kernel, const twLaunchOptions *options,
                        const twArgument *arguments, size_t argumentCount, twLaunchHandle **launch,
                        twDiagnostics **diagnostics) {
  if (launch)
    *launch = nullptr;
  if (!kernel)
    return wrongUsage("twLaunchCreate: the kernel is null", diagnostics);
  if (!launch)
    return wrongUsage("twLaunchCreate: there is no place for the launch", diagnostics);
  Result<api::Launch> made = bind(kernel->kernel, options, arguments, argumentCount);
  if (!made)
    return wrongUsage("twLaunchCreate: " + made.failure().message, diagnostics);
  report({}, diagnostics);
  *launch = new twLaunchHandle{std::move(*made), {}};
  return TW_SUCCESS;
}

static twStatus statusOf(api::Outcome outcome) {
  switch (outcome) {
  case api::Outcome::Succeeded:
    return TW_SUCCESS;
  case api::Outcome::Failed:
    return TW_FAILED;
  case api::Outcome::Misbehaved:
    return TW_MISBEHAVED;
  case api::Outcome::Cancelled:
    return TW_CANCELLED;
  }
  llvm_unreachable("all outcomes are listed");
}

/// The findings as text.
static std::string textOf(const api::LaunchResult &result) {
  std::string text;
  for (const api::Finding &finding : result.findings)
    text += finding.text + "\n";
  if (result.unlistedFindings)
    text += "... and " + std::to_string(result.unlistedFindings) + " more\n";
  return text;
}

twStatus twLaunchRun(twLaunchHandle *launch, twDiagnostics **diagnostics) {
  if (!launch)
    return wrongUsage("twLaunchRun: the launch is null", diagnostics);
  launch->result = {};
  Result<api::LaunchResult> result = launch->launch.run();
  if (!result)
    return fail(TW_FAILED, result.failure().message, diagnostics);
  launch->result = std::move(*result);
  const api::Outcome outcome = launch->result.outcome;
  std::string text = textOf(launch->result);
  if (outcome == api::Outcome::Cancelled)
    text += "the launch was cancelled\n";
  report({{}, std::move(text)}, diagnostics);
  return statusOf(outcome);
}

void twLaunchCancel(twLaunchHandle *launch) {
  if (launch)
    launch->launch.cancel();
}

void twLaunchDestroy(twLaunchHandle *launch) { delete launch; }

//===-- Findings ----------------------------------------------------------------------------===//

static twFindingKind kindOf(api::FindingKind kind) {
  switch (kind) {
  case api::FindingKind::FailedAssert:
    return TW_FAILED_ASSERT;
  case api::FindingKind::Misbehaviour:
    return TW_MISBEHAVIOUR;
  case api::FindingKind::UnspecifiedValue:
    return TW_UNSPECIFIED_VALUE;
  case api::FindingKind::Unsupported:
    return TW_UNSUPPORTED;
  case api::FindingKind::StepLimit:
    return TW_STEP_LIMIT;
  }
  llvm_unreachable("all kinds are listed");
}

size_t twLaunchFindingCount(const twLaunchHandle *launch) {
  return launch ? launch->result.findings.size() : 0;
}

int64_t twLaunchUnlistedFindings(const twLaunchHandle *launch) {
  return launch ? launch->result.unlistedFindings : 0;
}

twStatus twLaunchFinding(const twLaunchHandle *launch, size_t index, twFinding *finding) {
  if (!finding || index >= twLaunchFindingCount(launch))
    return TW_USAGE;
  const api::Finding &found = launch->result.findings[index];
  twFinding known = {};
  known.kind = kindOf(found.kind);
  known.severity = found.isWarning ? TW_WARNING : TW_ERROR;
  known.message = found.message.c_str();
  known.text = found.text.c_str();
  known.place = placeOf(found.place);
  known.rule = found.rule.c_str();
  known.section = found.section.c_str();
  known.help = found.help.c_str();
  known.kernel = found.kernel.c_str();
  std::copy(found.block.begin(), found.block.end(), known.block);
  known.operation = found.operation.c_str();
  known.element = found.element.c_str();
  known.array = found.array.c_str();
  known.arrayElement = found.arrayElement.value_or(-1);
  return fillStruct(finding, known);
}
