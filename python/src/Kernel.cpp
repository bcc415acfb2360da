// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KernelObject.h.

#include "Arguments.h"

#include <algorithm>
#include <cstdlib>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

using namespace tilewright;
using namespace tilewright::python;

//===-- Parameters --------------------------------------------------------------------------===//

std::vector<Parameter> python::parametersOf(const twEntry *entry) {
  std::vector<Parameter> parameters;
  for (size_t i = 0, count = twEntryParameterCount(entry); i < count; ++i) {
    twParameter parameter = {};
    parameter.size = sizeof parameter;
    twEntryParameter(entry, i, &parameter);
    parameters.push_back({parameter.isPointer != 0, parameter.isWritten != 0, parameter.element,
                          parameter.type, ""});
  }
  return parameters;
}

nb::list python::parameterRecords(const std::vector<Parameter> &parameters) {
  nb::list list;
  const nb::object create = record("parameter");
  for (const Parameter &parameter : parameters)
    list.append(create(parameter.isPointer, parameter.isWritten, unsigned(parameter.element),
                       parameter.type, parameter.name));
  return list;
}

//===-- Compiling ---------------------------------------------------------------------------===//

static twCompileOptions optionsOf(const CompileSettings &settings) {
  twCompileOptions options = {};
  options.size = sizeof options;
  options.device = settings.device;
  options.target = settings.target.c_str();
  options.optimization = twOptimization(TW_O0 + settings.optimization);
  options.debugInfo = settings.debugInfo;
  options.checks = settings.checks.c_str();
  options.isRandom = settings.seed.has_value();
  options.seed = settings.seed.value_or(0);
  options.maxSteps = settings.maxSteps;
  options.isReverse = settings.isReverse;
  options.counters = settings.counters;
  options.isExhaustive = settings.isExhaustive;
  options.exactMma = settings.exactMma;
  options.schedule = settings.schedule.empty() ? nullptr : settings.schedule.c_str();
  return options;
}

static std::vector<Parameter> named(std::vector<Parameter> parameters,
                                    const std::vector<std::string> &names) {
  if (!names.empty() && names.size() != parameters.size())
    throw nb::value_error("there must be a name for each parameter");
  for (size_t i = 0; i < names.size(); ++i)
    parameters[i].name = names[i];
  return parameters;
}

/// Installs the handler that names the running kernel when a signal ends the process, at the first
/// compiled kernel. With TILEWRIGHT_FAULTS=0, no signal handler is changed.
static void reportFaults() {
  const char *wanted = std::getenv("TILEWRIGHT_FAULTS");
  if (!wanted || std::string_view(wanted) != "0")
    twReportFaults("launch it with check=True, or in a process with TILEWRIGHT_CHECK=all, to see "
                   "where that is");
}

Kernel Kernel::compile(const twEntry *entry, const CompileSettings &settings,
                       const std::vector<std::string> &names) {
  if (settings.device == TW_CPU)
    reportFaults();
  std::vector<Parameter> parameters = named(parametersOf(entry), names);
  const twCompileOptions options = optionsOf(settings);
  twKernelHandle *handle = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status =
      unlocked([&] { return twKernelCompile(entry, &options, &handle, &reported); });
  KernelHandle kernel(handle);
  report(status, DiagnosticsHandle(reported).get());
  return Kernel(std::make_shared<const State>(
      State{std::move(kernel), twEntryName(entry), std::move(parameters), settings}));
}

//===-- In Python ---------------------------------------------------------------------------===//

/// An extent of a grid: 1 to 2^24 - 1 (types, 1).
static int64_t extentOf(nb::handle object) {
  constexpr long long most = (1 << 24) - 1;
  if (!PyIndex_Check(object.ptr()))
    throw nb::type_error(("an extent of the grid must be an integer, but is " +
                          nb::cast<std::string>(nb::repr(object)))
                             .c_str());
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid())
    throw nb::python_error();
  int overflow = 0;
  const long long extent = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow || extent < 1 || extent > most)
    throw nb::value_error(("an extent of the grid must be in 1.." + std::to_string(most) +
                           ", but is " + nb::cast<std::string>(nb::str(index)))
                              .c_str());
  return extent;
}

Grid python::gridOf(nb::handle object) {
  Grid grid = {1, 1, 1};
  if (!PyTuple_Check(object.ptr()) && !PyList_Check(object.ptr())) {
    grid[0] = extentOf(object);
    return grid;
  }
  const auto extents = nb::borrow<nb::sequence>(object);
  const size_t count = nb::len(extents);
  if (count < 1 || count > 3)
    throw nb::value_error(("a grid has 1 to 3 extents, but got " + std::to_string(count)).c_str());
  for (size_t i = 0; i < count; ++i)
    grid[i] = extentOf(extents[i]);
  return grid;
}

/// In the order of twDevice.
static constexpr std::array deviceNames = {"cpu", "reference", "ptx", "gpu"};

static twDevice deviceNamed(std::string_view name) {
  const auto found = std::find(deviceNames.begin(), deviceNames.end(), name);
  if (found == deviceNames.end())
    throw nb::value_error(("there is no device '" + std::string(name) + "'").c_str());
  return twDevice(found - deviceNames.begin());
}

static const char *deviceOf(const Kernel &kernel) { return deviceNames[kernel.device()]; }

/// `<tilewright.Kernel @copy(x, y) on cpu>`; parameters without names are represented by their
/// types.
static std::string textOf(const Kernel &kernel) {
  std::string parameters;
  for (const Parameter &parameter : kernel.parameters())
    parameters += (parameters.empty() ? "" : ", ") +
                  (parameter.name.empty() ? parameter.type : parameter.name);
  return "<tilewright.Kernel @" + kernel.name() + "(" + parameters + ") on " + deviceOf(kernel) +
         ">";
}

namespace {
struct Launcher {
  Kernel kernel;
  Grid grid;
  uintptr_t stream = 0;
};
} // namespace

void python::defineKernel(nb::module_ &module) {
  using namespace nb::literals;
  prepareArguments();
  nb::class_<CompileSettings>(module, "CompileSettings")
      .def(
          "__init__",
          [](CompileSettings *settings, std::string_view device, std::string target,
             int optimization, bool debugInfo, std::string checks, std::optional<uint64_t> seed,
             int64_t maxSteps, int threads, bool isReverse, bool counters, bool isExhaustive,
             bool exactMma, std::string schedule) {
            new (settings) CompileSettings{deviceNamed(device),
                                           std::move(target),
                                           optimization,
                                           debugInfo,
                                           std::move(checks),
                                           seed,
                                           maxSteps,
                                           threads,
                                           isReverse,
                                           counters,
                                           isExhaustive,
                                           exactMma,
                                           std::move(schedule)};
          },
          "device"_a, "target"_a, "optimization"_a, "debug_info"_a, "checks"_a, "seed"_a.none(),
          "max_steps"_a, "threads"_a, "reverse"_a, "counters"_a, "exhaustive"_a, "exact_mma"_a,
          "schedule"_a)
      .def_prop_ro("device",
                   [](const CompileSettings &settings) { return deviceNames[settings.device]; })
      .def_ro("checks", &CompileSettings::checks)
      .def_ro("seed", &CompileSettings::seed);

  nb::class_<AddressTable>(
      module, "AddressTable",
      "An argument for a pointer to i64: an array of integers, `words`, of which those at "
      "`places`\n"
      "(counted from 0 in memory) are the addresses of `arrays`, which are NumPy's.")
      .def(
          "__init__",
          [](AddressTable *table, nb::object words, std::vector<int64_t> places, nb::list arrays) {
            if (places.size() != nb::len(arrays))
              throw nb::value_error("there must be an array for each place");
            new (table) AddressTable{std::move(words), std::move(places), std::move(arrays)};
          },
          "words"_a, "places"_a, "arrays"_a);

  module.def(
      "read_dlpack", &readDlpack, "capsule"_a,
      "The array in a capsule of DLPack: its address, (code, bits, lanes), extents, strides in\n"
      "elements or None if it is in row-major order, and whether it is read-only.");
  module.def("place_of_array", &placeOfArray, "array"_a,
             "Where an array of NumPy lies: its address, the one behind its last element, its\n"
             "extents, its strides in elements. Raises ValueError for arrays no kernel can take.");

  module.def(
      "holds",
      [](unsigned memory, unsigned wanted) {
        return holds(twElementType(memory), twElementType(wanted));
      },
      "memory"_a, "wanted"_a,
      "Does memory of one element type hold what a pointer to another needs?");
  module.def(
      "scalar_bits",
      [](unsigned element, nb::handle value) { return scalarBits(twElementType(element), value); },
      "element"_a, "value"_a, "The bits of a number. Raises if it does not fit the element type.");

  nb::class_<Launcher>(module, "Launcher", "A kernel with a grid: call it with the arguments.")
      .def("__call__",
           [](const Launcher &launcher, nb::args arguments, nb::kwargs options) {
             return launcher.kernel.launch(launcher.grid, arguments, launcher.stream, options);
           })
      .def(
          "on",
          [](const Launcher &launcher, nb::handle stream) {
            if (launcher.kernel.device() != TW_GPU)
              throw nb::value_error("only a GPU has streams: the kernel needs device='gpu'");
            return Launcher{
                launcher.kernel, launcher.grid,
                nb::cast<uintptr_t>(
                    nb::module_::import_("tilewright._gpu_arrays").attr("stream_handle")(stream))};
          },
          "stream"_a,
          "The same on a stream of the GPU: of PyTorch or CuPy, an object with `__cuda_stream__`,\n"
          "or the number of a CUstream. Launches there return at once, like those of CUDA: errors\n"
          "of the kernel appear in later calls. All arrays must be in the memory of the GPU, and\n"
          "live until the kernel has ended.")
      .def("__repr__", [](const Launcher &launcher) {
        const auto &[x, y, z] = launcher.grid;
        return textOf(launcher.kernel) + "[" + std::to_string(x) + ", " + std::to_string(y) + ", " +
               std::to_string(z) + "]";
      });

  nb::class_<Kernel> kernel(
      module, "Kernel",
      "A compiled entry. `kernel[grid](*arguments)` launches it and returns when it has ended:\n"
      "None, the counters as a dict if it was compiled with `counters`, or an `Exploration` if it\n"
      "was compiled with `exhaustive`.\n\n"
      "A grid is an int or a tuple of one to three, each in 1..2**24 - 1. A parameter that is a\n"
      "pointer takes an array: of NumPy, or anything on the CPU that speaks DLPack,\n"
      "`__array_interface__` or the buffer protocol; it is read and written where it is. Other\n"
      "parameters take a number that fits their type. A `Multicast` is one address that stands "
      "for\n"
      "several arrays. Any thread may launch at any time.\n\n"
      "A launch has these keyword arguments. `trace`: a function that is called with a\n"
      "`TraceRecord` for each operation that the reference machine executes, or instruction of "
      "the\n"
      "PTX machine, such as `records.append`. `trace_blocks`: traces only these blocks, each an "
      "int\n"
      "or a tuple of one to three. `trace_operations`: traces only these operations, such as\n"
      "\"addf\", or on the PTX machine \"ld\" or `ld.global.f32`. `dependent`: on the CPU and the\n"
      "reference machine, a kernel of the same module with the same parameters, which is launched\n"
      "next on the same grid and arguments, as a dependent launch: it waits with `gdc_wait_tko` "
      "for\n"
      "what this launch writes (docs/running.md).\n\n"
      "On a GPU, arrays in its memory that speak DLPack or `__cuda_array_interface__` are used\n"
      "where they are, and others are copied there and back. "
      "`kernel[grid].on(stream)(*arguments)`\n"
      "enqueues a launch on a stream of PyTorch or CuPy, of an object with `__cuda_stream__`, or\n"
      "with the number of a CUstream, and returns at once.\n\n"
      "Raises TypeError or ValueError for arguments that do not fit, KernelError for what the\n"
      "kernel did wrong, and KeyboardInterrupt if Ctrl-C ended it.");
  kernel.attr("__module__") = "tilewright"; // where users find it
  kernel
      .def("__getitem__",
           [](const Kernel &kernel, nb::handle grid) { return Launcher{kernel, gridOf(grid)}; })
      .def("__repr__", &textOf)
      .def_prop_ro("name", &Kernel::name, "The name of the entry.")
      .def_prop_ro("device", &deviceOf, "\"cpu\", \"reference\", \"ptx\" or \"gpu\".")
      .def_prop_ro(
          "parameters",
          [](const Kernel &kernel) { return nb::tuple(parameterRecords(kernel.parameters())); },
          "A tuple of `Parameter`: what a launch passes, in order.");
}
