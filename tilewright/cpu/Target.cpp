// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Target.h.

#include "tilewright/cpu/Target.h"
#include "tilewright/codegen/TargetLookup.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using codegen::TargetMachine;
using cpu::Target;
using support::Failure;
using support::Result;

/// Adds the properties that planning and loop generation use.
static Result<Target> described(const Result<TargetMachine> &machine) {
  if (!machine)
    return machine.failure();
  Result<codegen::Features> features =
      codegen::featuresOf(machine->triple, machine->cpu, machine->features);
  if (!features)
    return features.failure();
  auto has = [&](llvm::StringRef names) { return (*features)->checkFeatures(names); };
  Target target{*machine};
  if (llvm::Triple(target.triple).isAArch64())
    return target;
  // AVX-512 vectors are preferred only if BW, DQ and VL exist, too.
  target.hasAvx512 = target.vectorBytes == 64;
  target.hasAvx512Vnni = target.hasAvx512 && has("+avx512vnni");
  target.hasWordDot = true; // part of SSE2
  target.hasAmxBf16 = has("+amx-tile,+amx-bf16");
  target.hasAmxInt8 = has("+amx-tile,+amx-int8");
  target.hasFastBf16Dot = target.hasAvx512 && has("+avx512bf16") && !target.hasAmxBf16;
  // AMD's gathers are sequences of loads; Intel's are slowed down by microcode on processors
  // without this feature.
  target.hasFastGather = target.hasAvx512 && has("+avx512fp16");
  return target;
}

/// The size of a cache of processor 0 according to the Linux kernel: number 0 is the L1 data cache,
/// and 3 the L3 cache. (On some machines, sysconf adds the L3 caches of other processors.) 0 if
/// unknown.
static int64_t cacheBytesOfHost(unsigned number) {
  // Files in sysfs claim to be larger than their text.
  auto text = llvm::MemoryBuffer::getFileAsStream(
      llvm::formatv("/sys/devices/system/cpu/cpu0/cache/index{0}/size", number).str());
  int64_t kilobytes = 0;
  if (!text)
    return 0;
  llvm::StringRef digits = (*text)->getBuffer().trim(); // for example 32768K
  return digits.consumeInteger(10, kilobytes) || digits != "K" ? 0 : kilobytes << 10;
}

Target Target::host() {
  static const Target host = [] {
    Result<Target> known = described(TargetMachine::host());
    Target target = known ? *known : Target{TargetMachine::host()};
    if (int64_t bytes = cacheBytesOfHost(0); bytes > 0)
      target.firstCacheBytes = bytes;
    if (int64_t bytes = cacheBytesOfHost(3); bytes > 0)
      target.lastCacheBytes = bytes;
    return target;
  }();
  return host;
}

namespace {
struct NamedTarget {
  llvm::StringLiteral name, triple, cpu;
};
} // namespace

static constexpr NamedTarget namedTargets[] = {
    {"x86-64", "x86_64-unknown-linux-gnu", "x86-64"},
    {"x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3"},
    {"x86-64-v4", "x86_64-unknown-linux-gnu", "x86-64-v4"},
    {"znver4", "x86_64-unknown-linux-gnu", "znver4"},
    {"sapphirerapids", "x86_64-unknown-linux-gnu", "sapphirerapids"},
    {"aarch64", "aarch64-unknown-linux-gnu", "generic"},
};

static Result<Target> processorNamed(llvm::StringRef name) {
  if (name == "native")
    return Target::host();
  std::string known = "native";
  for (const NamedTarget &row : namedTargets) {
    if (row.name == name)
      return described(TargetMachine::of(row.triple.str(), row.cpu.str()));
    known += ", " + row.name.str();
  }
  return Failure{"there is no CPU target '" + name.str() + "': targets are " + known};
}

/// The features that code generation tests and can do without. Other features may be indispensable.
static constexpr llvm::StringLiteral x86Features[] = {
    "avx",      "avx2",       "fma",        "f16c",       "avx512f",  "avx512bw", "avx512dq",
    "avx512vl", "avx512vnni", "avx512bf16", "avx512fp16", "amx-tile", "amx-bf16", "amx-int8"};

Result<Target> Target::named(std::string_view text) {
  auto [name, changes] = llvm::StringRef(text).split('+');
  Result<Target> processor = processorNamed(name);
  if (!processor || changes.data() == nullptr)
    return processor;
  if (llvm::Triple(processor->triple).getArch() != llvm::Triple::x86_64)
    return Failure{"'" + std::string(text) + "': '" + name.str() + "' has no features to choose"};
  std::string features = processor->features;
  for (llvm::StringRef change : llvm::split(changes, '+')) {
    llvm::StringRef feature = change;
    bool isWithout = feature.consume_front("no");
    if (!llvm::is_contained(x86Features, feature))
      return Failure{"'" + change.str() + "' of '" + std::string(text) +
                     "' is no feature to choose: those are " +
                     llvm::join(std::begin(x86Features), std::end(x86Features), ", ")};
    features += (features.empty() ? "" : ",");
    features += (isWithout ? "-" : "+") + feature.str();
  }
  Result<Target> changed =
      described(TargetMachine::of(processor->triple, processor->cpu, std::move(features)));
  if (!changed)
    return changed;
  changed->firstCacheBytes = processor->firstCacheBytes;
  changed->lastCacheBytes = processor->lastCacheBytes;
  changed->tuning = processor->tuning;
  // Without AMX tiles, a processor is no faster.
  if (processor->hasAmxBf16)
    changed->hasFastBf16Dot = false;
  return changed;
}
