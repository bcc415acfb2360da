// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in Python: `Entry.compile` returns it, and `kernel[grid](*arguments)` runs it.

#ifndef TILEWRIGHT_PYTHON_KERNELOBJECT_H
#define TILEWRIGHT_PYTHON_KERNELOBJECT_H

#include "Native.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::python {

struct Parameter {
  bool isPointer;
  /// Whether the kernel may store through the pointer.
  bool isWritten;
  twElementType element;
  std::string type;
  /// The name in the Python function of the kernel; empty if unknown.
  std::string name;
};

std::vector<Parameter> parametersOf(const twEntry *entry);
/// As a list of `tilewright._records.Parameter`.
nb::list parameterRecords(const std::vector<Parameter> &parameters);

/// twCompileOptions with owned strings.
struct CompileSettings {
  twDevice device = TW_CPU;
  /// Empty: the default of the device.
  std::string target;
  /// 0 to 3.
  int optimization = 2;
  bool debugInfo = false;
  std::string checks = "all";
  std::optional<uint64_t> seed = std::nullopt;
  int64_t maxSteps = 0;
  int threads = 0;
  bool isReverse = false;
  bool counters = false;
  bool isExhaustive = false;
  bool exactMma = false;
  /// `replay:1:3,0`; empty: none.
  std::string schedule = {};
};

using Grid = std::array<int64_t, 3>;
/// From an int or a tuple of one to three. Raises TypeError or ValueError.
Grid gridOf(nb::handle object);

/// Copies share the compiled code.
class Kernel {
public:
  /// `names`: one for each parameter, or empty. Raises the errors of twKernelCompile.
  static Kernel compile(const twEntry *entry, const CompileSettings &settings,
                        const std::vector<std::string> &names);

  const std::string &name() const { return state->name; }
  const std::vector<Parameter> &parameters() const { return state->parameters; }
  twDevice device() const { return state->settings.device; }
  std::shared_ptr<const twKernelHandle> handle() const { return {state, state->handle.get()}; }

  /// Runs it and waits, or enqueues it on `stream` (a CUstream) if that is not 0. Raises for
  /// arguments that do not fit, and for kernel errors. Returns the counters, an Exploration, or
  /// None. `keywords`: the keyword arguments of the launch.
  nb::object launch(const Grid &grid, nb::args arguments, uintptr_t stream,
                    nb::kwargs keywords) const;

private:
  struct State {
    KernelHandle handle;
    std::string name;
    std::vector<Parameter> parameters;
    CompileSettings settings;
  };
  bool isExhaustive() const { return state->settings.isExhaustive; }
  explicit Kernel(std::shared_ptr<const State> state) : state(std::move(state)) {}

  std::shared_ptr<const State> state;
};

/// How `explore` runs an entry.
struct ExploreSettings {
  Grid grid;
  /// A GPU; empty: the default.
  std::string target;
  bool readsSources;
  /// Files and their text.
  std::vector<std::pair<std::string, std::string>> sources;
  /// Of the parameters, or empty.
  std::vector<std::string> names;
  /// Another version of the kernel, or null.
  const twEntry *compare;
  /// Of each launch; 0: the default.
  int64_t maxSteps;
};
/// The document, the page, and whether the launch on the reference machine succeeded. Raises
/// TypeError or ValueError for arguments that do not fit.
nb::tuple explore(const twEntry *entry, const ExploreSettings &settings, nb::args arguments);

/// How `estimate` runs an entry.
struct EstimateSettings {
  Grid grid;
  /// A GPU; empty: the default.
  std::string target;
  /// None: all.
  std::optional<int64_t> blocks;
  /// Of the parameters, or empty.
  std::vector<std::string> names;
  /// 0: the default.
  int64_t maxSteps;
};
/// The document. Raises TypeError or ValueError for arguments that do not fit.
nb::str estimate(const twEntry *entry, const EstimateSettings &settings, nb::args arguments);
/// What twEstimateIncreases writes. Raises ValueError as it says.
nb::str estimateIncreases(const std::string &before, const std::string &after, double tolerance);

/// The document, and the answers as text. `names`: of the parameters, or empty.
nb::tuple prove(const twEntry *entry, const std::vector<std::string> &names, bool proofOnly);

/// How `advise` runs an entry.
struct AdviseSettings {
  Grid grid;
  /// Of the parameters, or empty.
  std::vector<std::string> names;
  uint64_t explorationRuns, randomSchedules;
};
/// JSON, text, and whether no error was found in the kernel as it is written.
nb::tuple advise(const twEntry *entry, const AdviseSettings &settings, nb::args arguments);

/// How `diff` runs an entry.
struct DiffSettings {
  Grid grid;
  std::vector<std::string> devices;
  bool readsSources;
  /// Of the parameters, or empty.
  std::vector<std::string> names;
};
/// The report, the findings as text, and whether each device computes what it may. Raises TypeError
/// or ValueError for arguments that do not fit.
nb::tuple diff(const twEntry *entry, const DiffSettings &settings, nb::args arguments);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_KERNELOBJECT_H
