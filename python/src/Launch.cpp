// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches a kernel: passes its options and arguments to the C API, shows its progress, and calls
// the Python functions that receive its output and trace.

#include "Arguments.h"
#include "tools/CancelOnInterrupt.h"

#include <algorithm>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace tilewright;
using namespace tilewright::python;

//===-- During a launch ---------------------------------------------------------------------===//

namespace {
/// Shows the progress of a reference-machine launch, if there is a display (_progress.py).
class Progress {
public:
  void begin(std::shared_ptr<twLaunchHandle> launch, const Grid &grid) {
    const nb::object done =
        nb::cpp_function([launch = std::move(launch)] { return twLaunchBlocksDone(launch.get()); });
    shown = nb::module_::import_("tilewright._progress")
                .attr("watch")(done, grid[0] * grid[1] * grid[2]);
  }
  /// Writes the kernel's output; erases the progress bar first.
  void print(const nb::object &output, const nb::object &text) const {
    if (shown.is_none())
      output.attr("write")(text);
    else
      shown.attr("print")(output, text);
  }
  void end() {
    if (const nb::object ended = std::exchange(shown, nb::none()); !ended.is_none())
      ended.attr("end")();
  }
  /// An exception may be propagating: it takes precedence over one from here.
  ~Progress() {
    try {
      end();
    } catch (nb::python_error &error) {
      error.discard_as_unraisable("the progress of a launch");
    }
  }

private:
  nb::object shown = nb::none();
};

/// Writes the kernel's output to sys.stdout. After the first exception there, which is kept,
/// nothing more is written.
class Printer {
public:
  explicit Printer(const Progress &progress) : progress(progress) {}

  static void print(void *printer, const char *text, size_t length) {
    static_cast<Printer *>(printer)->print(text, length);
  }
  void raiseIfFailed() {
    if (failure)
      throw nb::python_error(*failure);
  }

private:
  void print(const char *text, size_t length) {
    if (isLeftBehind())
      return;
    const nb::gil_scoped_acquire locked;
    if (failure)
      return;
    try {
      const nb::object output = nb::module_::import_("sys").attr("stdout");
      if (output.is_none())
        return;
      progress.print(output, nb::bytes(text, length).attr("decode")("utf-8", "replace"));
    } catch (nb::python_error &error) {
      failure.emplace(std::move(error));
    }
  }

  const Progress &progress;
  std::optional<nb::python_error> failure;
};

/// Passes trace records to a Python function. Its first exception, which is kept, ends the launch.
class Tracer {
public:
  explicit Tracer(nb::object receive) : receive(std::move(receive)) {}

  static void trace(void *tracer, const twTraceRecord *line) {
    static_cast<Tracer *>(tracer)->trace(*line);
  }
  void raiseIfFailed() {
    if (failure)
      throw nb::python_error(*failure);
  }

  twLaunchHandle *launch = nullptr;

private:
  void trace(const twTraceRecord &line) {
    if (isLeftBehind())
      return;
    const nb::gil_scoped_acquire locked;
    if (failure)
      return;
    try {
      receive(recordOf(line));
    } catch (nb::python_error &error) {
      failure.emplace(std::move(error));
      twLaunchCancel(launch);
    }
  }

  nb::object receive;
  std::optional<nb::python_error> failure;
};

} // namespace

//===-- Options -----------------------------------------------------------------------------===//

namespace {
/// The keyword arguments of a launch.
struct Keywords {
  nb::object trace = nb::none();
  std::vector<std::array<int64_t, 3>> blocks;
  std::vector<std::string> operations;
  /// The operations as C strings.
  std::vector<const char *> names;
  std::optional<Kernel> dependent;

  explicit Keywords(nb::kwargs given);
  void addTo(twLaunchOptions &options, Tracer &tracer) const;
};
} // namespace

/// A block to trace: an int, or a tuple of one to three; missing coordinates are 0.
static std::array<int64_t, 3> blockOf(nb::handle object) {
  std::vector<int64_t> coordinates;
  int64_t single;
  if (nb::try_cast(object, single))
    coordinates = {single};
  else if (!nb::try_cast(object, coordinates) || coordinates.empty() || coordinates.size() > 3)
    throw nb::type_error(
        ("a block of trace_blocks must be an int or a tuple of one to three, but is " +
         nb::cast<std::string>(nb::repr(object)))
            .c_str());
  std::array<int64_t, 3> block = {};
  std::copy(coordinates.begin(), coordinates.end(), block.begin());
  return block;
}

static std::vector<std::string> operationsOf(nb::handle object) {
  std::vector<std::string> operations;
  if (nb::isinstance<nb::str>(object) || !nb::try_cast(object, operations))
    throw nb::type_error(("trace_operations must be a list of names, but is " +
                          nb::cast<std::string>(nb::repr(object)))
                             .c_str());
  return operations;
}

Keywords::Keywords(nb::kwargs given) {
  for (auto [name, value] : given) {
    const auto keyword = nb::cast<std::string>(name);
    if (keyword == "trace")
      trace = nb::borrow(value);
    else if (keyword == "trace_blocks")
      for (nb::handle block : value)
        blocks.push_back(blockOf(block));
    else if (keyword == "trace_operations")
      operations = operationsOf(value);
    else if (keyword == "dependent" && nb::isinstance<Kernel>(value))
      dependent = nb::cast<Kernel>(value);
    else if (keyword != "dependent")
      throw nb::type_error(("a launch has no option '" + keyword +
                            "', but trace, trace_blocks, trace_operations and dependent")
                               .c_str());
    else if (!value.is_none())
      throw nb::type_error(
          ("dependent must be a Kernel, but is " + nb::cast<std::string>(nb::repr(value))).c_str());
  }
  if (!trace.is_none() && !PyCallable_Check(trace.ptr()))
    throw nb::type_error(
        ("trace must be a function, but is " + nb::cast<std::string>(nb::repr(trace))).c_str());
  if (trace.is_none() && (!blocks.empty() || !operations.empty()))
    throw nb::value_error("trace_blocks and trace_operations need trace");
  for (const std::string &operation : operations)
    names.push_back(operation.c_str());
}

void Keywords::addTo(twLaunchOptions &options, Tracer &tracer) const {
  if (dependent)
    options.dependent = dependent->handle().get();
  if (trace.is_none())
    return;
  options.trace = Tracer::trace;
  options.traceContext = &tracer;
  options.traceBlocks = reinterpret_cast<const int64_t (*)[3]>(blocks.data());
  options.traceBlockCount = blocks.size();
  options.traceOperations = names.data();
  options.traceOperationCount = names.size();
}

//===-- Launching ---------------------------------------------------------------------------===//

nb::object Kernel::launch(const Grid &grid, nb::args objects, uintptr_t stream,
                          nb::kwargs given) const {
  const Keywords keywords(given);
  const Arguments arguments(*this, objects, stream);
  Progress progress;
  Printer printer(progress);
  Tracer tracer(keywords.trace);
  twLaunchOptions options = {};
  options.size = sizeof options;
  std::copy(grid.begin(), grid.end(), options.grid);
  options.threads = state->settings.threads;
  options.print = Printer::print;
  options.printContext = &printer;
  options.stream = reinterpret_cast<void *>(stream);
  keywords.addTo(options, tracer);

  twLaunchHandle *created = nullptr;
  twDiagnostics *reported = nullptr;
  twStatus status = twLaunchCreate(state->handle.get(), &options, arguments.get().data(),
                                   arguments.get().size(), &created, &reported);
  const std::shared_ptr<twLaunchHandle> launch(created, Destroyed<twLaunchDestroy>());
  if (status != TW_SUCCESS) {
    report(status, DiagnosticsHandle(reported).get());
    return nb::none();
  }
  tracer.launch = created;
  if (device() == TW_REFERENCE && !isExhaustive())
    progress.begin(launch, grid);
  {
    const tools::CancelOnInterrupt cancelled(
        [](void *running) { twLaunchCancel(static_cast<twLaunchHandle *>(running)); }, created);
    // A signal that came before the cancelling handler was installed can still end the launch.
    if (PyErr_CheckSignals())
      throw nb::python_error();
    status = unlocked([&] { return twLaunchRun(created, &reported); });
  }
  const DiagnosticsHandle diagnostics(reported);
  // Python's signal handlers may raise, as that of Ctrl-C does.
  if (PyErr_CheckSignals())
    throw nb::python_error();
  progress.end();
  printer.raiseIfFailed();
  tracer.raiseIfFailed();
  const nb::object exploration = isExhaustive() ? explorationOf(created) : nb::none();
  if (status != TW_SUCCESS || reported)
    report(status, diagnostics.get(), findingsOf(created), exploration);
  if (isExhaustive())
    return exploration;
  const char *counters = twLaunchCounters(created);
  return counters ? nb::module_::import_("json").attr("loads")(counters) : nb::none();
}
