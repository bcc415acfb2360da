// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs in Python: reading, verifying and writing them, and compiling their entries.

#include "KernelObject.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace tilewright;
using namespace tilewright::python;

using Version = std::pair<int, int>;

namespace {
/// Owns text and bytes that the C API returns.
template <typename T> using Owned = std::unique_ptr<T, Destroyed<twFree>>;

class Module {
public:
  static Module read(nb::bytes source, const std::string &name, bool strict,
                     const std::optional<std::string> &cache) {
    return readIn(contextOf(strict, cache), source, name);
  }

  static Module readFile(const std::string &path, bool strict,
                         const std::optional<std::string> &cache) {
    const ContextHandle context = contextOf(strict, cache);
    twModule *module = nullptr;
    twDiagnostics *reported = nullptr;
    const twStatus status =
        unlocked([&] { return twModuleReadFile(context.get(), path.c_str(), &module, &reported); });
    return take(status, module, reported);
  }

  std::optional<Version> fileVersion() const { return versionOf(twModuleFileVersion(get())); }
  std::optional<Version> lowestVersion() const { return versionOf(twModuleLowestVersion(get())); }

  void verify(bool strict, std::optional<Version> version) const {
    const unsigned flags = strict ? unsigned(TW_VERIFY_STRICT) : 0;
    twDiagnostics *reported = nullptr;
    const twVersion wanted = version ? versionOf(*version) : 0;
    const twStatus status =
        unlocked([&] { return twModuleVerify(get(), flags, wanted, &reported); });
    report(status, DiagnosticsHandle(reported).get());
  }

  nb::str text(bool generic, bool locations) const {
    char *text = nullptr;
    twDiagnostics *reported = nullptr;
    unsigned flags = 0;
    if (generic)
      flags |= TW_TEXT_GENERIC;
    if (locations)
      flags |= TW_TEXT_LOCATIONS;
    const twStatus status =
        unlocked([&] { return twModuleToText(get(), flags, &text, &reported); });
    const Owned<char> owned(text);
    report(status, DiagnosticsHandle(reported).get());
    return nb::str(text);
  }

  nb::bytes bytecode(std::optional<Version> version) const {
    const twVersion wanted = version                      ? versionOf(*version)
                             : twModuleFileVersion(get()) ? twModuleFileVersion(get())
                                                          : TW_VERSION_LOWEST;
    uint8_t *bytes = nullptr;
    size_t size = 0;
    twDiagnostics *reported = nullptr;
    const twStatus status =
        unlocked([&] { return twModuleToBytecode(get(), wanted, &bytes, &size, &reported); });
    const Owned<uint8_t> owned(bytes);
    report(status, DiagnosticsHandle(reported).get());
    return nb::bytes(bytes, size);
  }

  nb::list entries() const {
    nb::list list;
    for (size_t i = 0, count = twModuleEntryCount(get()); i < count; ++i) {
      const twEntry *entry = twModuleEntry(get(), i);
      list.append(nb::make_tuple(twEntryName(entry), parameterRecords(parametersOf(entry))));
    }
    return list;
  }

  Kernel compile(const std::string &name, const CompileSettings &settings,
                 const std::vector<std::string> &names) const {
    return Kernel::compile(find(name), settings, names);
  }

  nb::tuple explore(const std::string &name, nb::handle grid, nb::args arguments,
                    const std::string &target, bool readsSources,
                    const std::vector<std::pair<std::string, std::string>> &sources,
                    const std::vector<std::string> &names,
                    const std::optional<std::pair<const Module *, std::string>> &compare,
                    int64_t maxSteps) const {
    const twEntry *other = compare ? compare->first->find(compare->second) : nullptr;
    return python::explore(find(name),
                           {gridOf(grid), target, readsSources, sources, names, other, maxSteps},
                           arguments);
  }

  nb::str estimate(const std::string &name, nb::handle grid, nb::args arguments,
                   const std::string &target, std::optional<int64_t> blocks,
                   const std::vector<std::string> &names, int64_t maxSteps) const {
    return python::estimate(find(name), {gridOf(grid), target, blocks, names, maxSteps}, arguments);
  }

  nb::tuple prove(const std::string &name, const std::vector<std::string> &names,
                  bool proofOnly) const {
    return python::prove(find(name), names, proofOnly);
  }

  nb::tuple advise(const std::string &name, nb::handle grid, nb::args arguments,
                   const std::vector<std::string> &names, uint64_t explorationRuns,
                   uint64_t randomSchedules) const {
    return python::advise(find(name), {gridOf(grid), names, explorationRuns, randomSchedules},
                          arguments);
  }

  nb::tuple diff(const std::string &name, nb::handle grid, nb::args arguments,
                 const std::vector<std::string> &devices, bool readsSources,
                 const std::vector<std::string> &names) const {
    const twEntry *entry = twModuleFindEntry(get(), name.c_str());
    if (!entry)
      throw nb::key_error(name.c_str());
    return python::diff(entry, {gridOf(grid), devices, readsSources, names}, arguments);
  }

  /// Contents, kernels and remarks.
  nb::tuple code(int stage, const std::string &target, int optimization, bool debugInfo,
                 bool remarks) const {
    twCodeOptions options = {};
    options.size = sizeof options;
    options.stage = twStage(stage);
    options.target = target.c_str();
    options.optimization = twOptimization(TW_O0 + optimization);
    options.debugInfo = debugInfo;
    options.remarks = remarks;
    twCode *compiled = nullptr;
    twDiagnostics *reported = nullptr;
    const twStatus status =
        unlocked([&] { return twModuleCompile(get(), &options, &compiled, &reported); });
    const CodeHandle code(compiled);
    report(status, DiagnosticsHandle(reported).get());
    return nb::make_tuple(nb::bytes(twCodeBytes(compiled), twCodeSize(compiled)),
                          kernelsOf(compiled), twCodeRemarks(compiled));
  }

private:
  explicit Module(twModule *module) : handle(module, Destroyed<twModuleDestroy>()) {}

  const twModule *get() const { return handle.get(); }
  const twEntry *find(const std::string &name) const {
    if (const twEntry *entry = twModuleFindEntry(get(), name.c_str()))
      return entry;
    throw nb::key_error(name.c_str());
  }

  static nb::list kernelsOf(const twCode *code) {
    nb::list kernels;
    for (size_t i = 0, count = twCodeKernelCount(code); i < count; ++i) {
      twCompiledKernel kernel = {};
      kernel.size = sizeof kernel;
      (void)twCodeKernel(code, i, &kernel);
      kernels.append(record("CompiledKernel")(kernel.name, kernel.threads, kernel.sharedBytes));
    }
    return kernels;
  }

  static ContextHandle contextOf(bool strict, const std::optional<std::string> &cache) {
    ContextHandle context(twContextCreate());
    twContextSetStrict(context.get(), strict);
    if (cache)
      twContextSetCache(context.get(), cache->c_str());
    return context;
  }

  static Module readIn(const ContextHandle &context, const nb::bytes &source,
                       const std::string &name) {
    twModule *module = nullptr;
    twDiagnostics *reported = nullptr;
    const twStatus status = unlocked([&] {
      return twModuleRead(context.get(), source.c_str(), source.size(), name.c_str(), &module,
                          &reported);
    });
    return take(status, module, reported);
  }

  static Module take(twStatus status, twModule *module, twDiagnostics *reported) {
    Module taken(module);
    report(status, DiagnosticsHandle(reported).get());
    return taken;
  }

  static twVersion versionOf(Version version) {
    const auto [major, minor] = version;
    if (major < 0 || major > 0xFFFF || minor < 0 || minor > 0xFF)
      throw nb::value_error("a version must be a pair such as (13, 3)");
    return TW_VERSION(major, minor);
  }
  static std::optional<Version> versionOf(twVersion version) {
    if (!version)
      return std::nullopt;
    return Version(TW_VERSION_MAJOR(version), TW_VERSION_MINOR(version));
  }

  std::shared_ptr<twModule> handle;
};
} // namespace

void python::defineModule(nb::module_ &module) {
  using namespace nb::literals;
  module.def("estimate_increases", &estimateIncreases, "before"_a, "after"_a, "tolerance"_a,
             "What twEstimateIncreases writes.");
  nb::class_<Module>(module, "Module", "A verified program. Any thread may use it.")
      .def_static("read", &Module::read, "source"_a, "name"_a, "strict"_a = false,
                  "cache"_a.none() = nb::none())
      .def_static("read_file", &Module::readFile, "path"_a, "strict"_a, "cache"_a.none())
      .def_prop_ro("file_version", &Module::fileVersion)
      .def_prop_ro("lowest_version", &Module::lowestVersion)
      .def("verify", &Module::verify, "strict"_a, "version"_a.none())
      .def("text", &Module::text, "generic"_a, "locations"_a)
      .def("bytecode", &Module::bytecode, "version"_a.none())
      .def("entries", &Module::entries,
           "A list of names, each with a list of `tilewright._records.Parameter`.")
      .def("code", &Module::code, "stage"_a, "target"_a, "optimization"_a, "debug_info"_a,
           "remarks"_a, "A tuple of the contents, a list of CompiledKernel, and the remarks.")
      .def("explore", &Module::explore, "name"_a, "grid"_a, "arguments"_a, "target"_a,
           "reads_sources"_a, "sources"_a, "names"_a, "compare"_a.none(), "max_steps"_a,
           "`sources`: pairs of a file name and a text. `compare`: a module and the name of its\n"
           "entry, or None. Returns\n"
           "a tuple of the document, the page, and whether the launch succeeded.")
      .def("estimate", &Module::estimate, "name"_a, "grid"_a, "arguments"_a, "target"_a,
           "blocks"_a.none(), "names"_a, "max_steps"_a, "Returns the document.")
      .def("prove", &Module::prove, "name"_a, "names"_a, "proof_only"_a,
           "A tuple of the document and the answers as text.")
      .def("advise", &Module::advise, "name"_a, "grid"_a, "arguments"_a, "names"_a,
           "exploration_runs"_a, "random_schedules"_a,
           "A tuple of JSON, the text, and whether no error was found.")
      .def("diff", &Module::diff, "name"_a, "grid"_a, "arguments"_a, "devices"_a, "reads_sources"_a,
           "names"_a, "A tuple of the report, the findings as text, and whether all devices agree.")
      .def("compile", &Module::compile, "name"_a, "settings"_a,
           "names"_a = std::vector<std::string>(),
           "`names`: what findings and errors call the parameters.");
}
