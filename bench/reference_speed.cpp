// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures launches on the reference machine, without process start-up and reading of files. A
// kernel in the form that cuTile generates, whose parameters are an address, extents and strides
// per array, is launched repeatedly on the same arrays:
//
//     reference_speed CHECKS KERNEL.mlir GRID REPETITIONS ARRAY.npy...
//
// with these checks (`all`, `none`, ...), prints the CPU seconds of each launch, then the peak
// growth of memory during the launches in bytes, and writes the last array back. reference_speed.py
// compares this with NumPy.

#include "tilewright/api/Load.h"
#include "tilewright/reference/machine/Machine.h"
#include "tilewright/runtime/Npy.h"

#include <cstdio>
#include <ctime>
#include <fstream>

using namespace tilewright;
using numerics::Element;
using numerics::Format;

/// Prints an error message and exits.
[[noreturn]] static void fail(const std::string &why) {
  llvm::errs() << "reference_speed: " << why << "\n";
  std::exit(2);
}

template <typename Value> static Value orFail(support::Result<Value> result) {
  if (!result)
    fail(result.failure().message);
  return *std::move(result);
}

static Format formatOf(runtime::Dtype dtype) {
  for (const numerics::FormatInfo &info : numerics::allFormats())
    if (info.storageBits == 8 * dtype.itemsize &&
        ((info.isInteger() && info.bits > 1 && dtype.kind == 'i') ||
         (info.exponentBits && info.format != Format::BF16 && info.format != Format::TF32 &&
          info.bits > 8 && dtype.kind == 'f')))
      return info.format;
  fail("no element type for arrays of " + runtime::toString(dtype));
}

/// Adds address, extents and strides, as cuTile passes an array.
static void addParameters(std::vector<Element> &parameters, uint64_t address,
                          std::span<const int64_t> shape) {
  parameters.push_back(Element::fromBits(Format::Pointer, address));
  for (int64_t extent : shape)
    parameters.push_back(Element::integer(Format::I32, extent));
  for (int64_t stride : runtime::rowMajorStrides(shape))
    parameters.push_back(Element::integer(Format::I32, stride));
}

/// Linux's value for this process: VmRSS, or VmHWM, its maximum.
static int64_t memoryOfProcess(const std::string &entry) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == entry + ":") {
      int64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

/// CPU time, unlike wall-clock time, is not affected by other processes.
static double processorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

static void launchOnce(reference::Machine &machine, tile::EntryOp entry, const runtime::Grid &grid,
                       llvm::ArrayRef<Element> parameters,
                       const reference::LaunchOptions &options) {
  reference::LaunchResult result =
      orFail(machine.launch(entry, grid, parameters, llvm::outs(), options));
  if (!result.succeeded())
    fail(toString(result.findings.front()));
}

int main(int argc, char **argv) {
  if (argc < 6)
    fail("usage: reference_speed CHECKS KERNEL.mlir GRID REPETITIONS ARRAY.npy...");
  reference::LaunchOptions options;
  options.checks = orFail(reference::Checks::parse(argv[1]));
  api::Loader loader({});
  mlir::OwningOpRef<mlir::ModuleOp> file = loader.load(argv[2]);
  if (!file)
    return 2;
  auto module = *file->getOps<tile::ModuleOp>().begin();
  auto entry = *module.getBody().getOps<tile::EntryOp>().begin();
  runtime::Grid grid = orFail(runtime::Grid::parse(argv[3]));
  reference::Machine machine = orFail(reference::Machine::load(module));

  int64_t before = memoryOfProcess("VmRSS");
  std::vector<runtime::Array> arrays;
  std::vector<Element> parameters;
  for (int i = 5; i < argc; ++i) {
    runtime::Array &array = arrays.emplace_back(orFail(runtime::readNpy(argv[i])));
    uint64_t address = machine.bindArray(argv[i], formatOf(array.dtype()), array.bytes());
    addParameters(parameters, address, array.shape());
  }
  for (int left = std::atoi(argv[4]); left > 0; --left) {
    double start = processorSeconds();
    launchOnce(machine, entry, grid, parameters, options);
    std::printf("%.9f\n", processorSeconds() - start);
  }
  std::printf("%lld\n", static_cast<long long>(memoryOfProcess("VmHWM") - before));
  if (auto written = runtime::writeNpy(argv[argc - 1], arrays.back()); !written)
    fail(written.failure().message);
}
