// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twKernelHandle: an entry, compiled for a device.

#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Failure;
using support::Result;

static std::optional<api::Device> deviceOf(twDevice device) {
  switch (device) {
  case TW_CPU:
    return api::Device::Cpu;
  case TW_REFERENCE:
    return api::Device::Reference;
  case TW_PTX:
    return api::Device::Ptx;
  case TW_GPU:
    return api::Device::Gpu;
  }
  return std::nullopt;
}

static Result<api::CompileOptions> optionsOf(const twCompileOptions *given) {
  Result<twCompileOptions> options = readStruct(given, "options");
  if (!options)
    return options.failure();
  const std::optional<api::Device> device = deviceOf(options->device);
  if (!device)
    return Failure{"there is no device " + std::to_string(int(options->device))};
  if (bool(options->isRandom) + bool(options->isReverse) + bool(options->isExhaustive) +
          bool(options->schedule) >
      1)
    return Failure{"isRandom, isReverse, isExhaustive and schedule exclude each other"};
  api::CompileOptions known;
  known.device = *device;
  if (options->target)
    known.target = options->target;
  if (options->optimization)
    known.optimization = int(options->optimization) - TW_O0;
  known.debugInfo = options->debugInfo;
  if (options->checks)
    known.checks = options->checks;
  if (options->isRandom)
    known.schedule = api::Schedule::Random;
  if (options->isReverse)
    known.schedule = api::Schedule::Reverse;
  if (options->isExhaustive)
    known.schedule = api::Schedule::Exhaustive;
  if (options->schedule) {
    known.schedule = api::Schedule::Replay;
    known.replay = options->schedule;
  }
  known.counters = options->counters;
  known.exactMma = options->exactMma;
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
