// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Target.h and TargetLookup.h.

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/TargetLookup.h"
#include "tilewright/runtime/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace tilewright;
using cpu::Target;
using support::Failure;
using support::Result;

//===-- LLVM's side -------------------------------------------------------------------------===//

static void startX86() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}

static void startAArch64() {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

Result<const llvm::Target *> cpu::lookUp(const Target &target) {
  static std::once_flag x86, aarch64;
  llvm::Triple triple(target.triple);
  if (triple.getArch() == llvm::Triple::x86_64)
    std::call_once(x86, startX86);
  else if (triple.getArch() == llvm::Triple::aarch64)
    std::call_once(aarch64, startAArch64);
  else
    return Failure{"cpu: no code is generated for '" + target.triple + "'"};
  std::string error;
  if (const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error))
    return found;
  return Failure{"cpu: " + error};
}

//===-- Ours --------------------------------------------------------------------------------===//

using Features = std::unique_ptr<llvm::MCSubtargetInfo>;

/// The features that the name and the features of a target imply.
static Result<Features> featuresOf(const Target &target) {
  Result<const llvm::Target *> llvmTarget = cpu::lookUp(target);
  if (!llvmTarget)
    return llvmTarget.failure();
  return Features(
      (*llvmTarget)
          ->createMCSubtargetInfo(llvm::Triple(target.triple), target.cpu, target.features));
}

/// Fills in what our code generation asks of the processor.
static Result<Target> described(Target target) {
  Result<Features> features = featuresOf(target);
  if (!features)
    return features.failure();
  auto has = [&](llvm::StringRef names) { return (*features)->checkFeatures(names); };
  if (llvm::Triple(target.triple).isAArch64()) {
    target.hasFma = target.hasF16Conversion = has("+neon");
    target.vectorBytes = 16;
    return target;
  }
  target.hasScaling = target.hasAvx512 = has("+avx512f,+avx512bw,+avx512dq,+avx512vl");
  target.hasAvx512Vnni = target.hasAvx512 && has("+avx512vnni");
  target.hasWordDot = true; // SSE2 has it
  target.hasFma = has("+fma");
  target.hasF16Conversion = has("+f16c");
  target.hasAmxBf16 = has("+amx-tile,+amx-bf16");
  target.hasAmxInt8 = has("+amx-tile,+amx-int8");
  target.hasFastBf16Dot = target.hasAvx512 && has("+avx512bf16") && !target.hasAmxBf16;
  // Those of AMD are sequences of loads, and those of Intel were made to wait by the microcode up
  // to the processors without this feature.
  target.hasFastGather = target.hasAvx512 && has("+avx512fp16");
  target.vectorBytes = target.hasAvx512 ? 64 : has("+avx2") ? 32 : 16;
  return target;
}

/// `+sse2,-avx,...`, in the order of the names. A system may not grant the tiles of its processor.
static std::string featuresOfHost() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("amx-tile") && !tw_enable_amx())
    for (auto &feature : features)
      feature.second &= !feature.first().starts_with("amx-");
  std::vector<std::string> words;
  for (const auto &feature : features)
    words.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(words, [](const std::string &a, const std::string &b) {
    return llvm::StringRef(a).drop_front() < llvm::StringRef(b).drop_front();
  });
  // One shuffle of all lanes with a constant in a register is faster than two that need none.
  if (features.lookup("avx2"))
    words.push_back("+fast-variable-crosslane-shuffle");
  return llvm::join(words, ",");
}

/// What the kernel says of the third cache that processor 0 shares: sysconf counts those of the
/// others, too, on some processors. 0 if it says nothing.
static int64_t lastCacheBytesOfHost() {
  auto text = llvm::MemoryBuffer::getFile("/sys/devices/system/cpu/cpu0/cache/index3/size",
                                          /*IsText=*/true);
  int64_t kilobytes = 0;
  if (!text)
    return 0;
  llvm::StringRef digits = (*text)->getBuffer().trim(); // such as 32768K
  return digits.consumeInteger(10, kilobytes) || digits != "K" ? 0 : kilobytes << 10;
}

Target Target::host() {
  static const Target host = [] {
    Target target;
    target.triple = llvm::sys::getProcessTriple();
    target.cpu =
        llvm::Triple(target.triple).getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
    target.features = featuresOfHost();
    if (int64_t bytes = lastCacheBytesOfHost(); bytes > 0)
      target.lastCacheBytes = bytes;
    Result<Target> full = described(target);
    return full ? *full : target;
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
    if (row.name == name) {
      Target target;
      target.triple = row.triple.str();
      target.cpu = row.cpu.str();
      return described(std::move(target));
    }
    known += ", " + row.name.str();
  }
  return Failure{"there is no CPU target '" + name.str() + "': targets are " + known};
}

/// What our code generation looks at, and does without. Others may be what it cannot do without.
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
  Target target = *processor;
  for (llvm::StringRef change : llvm::split(changes, '+')) {
    llvm::StringRef feature = change;
    bool isWithout = feature.consume_front("no");
    if (!llvm::is_contained(x86Features, feature))
      return Failure{"'" + change.str() + "' of '" + std::string(text) +
                     "' is no feature to choose: those are " +
                     llvm::join(std::begin(x86Features), std::end(x86Features), ", ")};
    target.features += (target.features.empty() ? "" : ",");
    target.features += (isWithout ? "-" : "+") + feature.str();
  }
  Result<Target> changed = described(std::move(target));
  // Without its tiles a processor is no faster.
  if (changed && processor->hasAmxBf16)
    changed->hasFastBf16Dot = false;
  return changed;
}

bool Target::isForThisArchitecture() const {
  return llvm::Triple(triple).getArch() == llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

Result<void> Target::runsHere() const {
  if (!isForThisArchitecture())
    return Failure{"code for " + triple + " does not run on this processor"};
  if (cpu == host().cpu && features == host().features)
    return {};
  Result<Features> needed = featuresOf(*this);
  if (!needed)
    return needed.failure();
  std::vector<std::string> missing;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (!feature.second && (*needed)->checkFeatures("+" + feature.first().str()))
      missing.push_back(feature.first().str());
  if (missing.empty())
    return {};
  llvm::sort(missing);
  return Failure{"this processor does not have " + llvm::join(missing, ", ") +
                 ", which the target needs"};
}
