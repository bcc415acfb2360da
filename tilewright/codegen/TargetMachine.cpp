// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TargetMachine.h.

#include "tilewright/codegen/TargetMachine.h"
#include "tilewright/codegen/TargetLookup.h"
#include "tilewright/runtime/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using codegen::Features;
using codegen::TargetMachine;
using support::Failure;
using support::Result;

//===-- Derived properties ------------------------------------------------------------------===//

Result<TargetMachine> TargetMachine::of(std::string triple, std::string cpu, std::string features) {
  TargetMachine machine;
  machine.triple = std::move(triple);
  machine.cpu = std::move(cpu);
  machine.features = std::move(features);
  Result<Features> implied = codegen::featuresOf(machine.triple, machine.cpu, machine.features);
  if (!implied)
    return implied.failure();
  auto has = [&](llvm::StringRef names) { return (*implied)->checkFeatures(names); };
  if (llvm::Triple(machine.triple).isAArch64()) {
    machine.hasFma = machine.hasF16Conversion = has("+neon");
    return machine;
  }
  machine.hasFma = has("+fma");
  machine.hasF16Conversion = has("+f16c");
  machine.hasAvx512Floats = has("+avx512f,+avx512bw,+avx512dq,+avx512vl");
  machine.hasAvx512Bf16 = machine.hasAvx512Floats && has("+avx512bf16");
  machine.vectorBytes = machine.hasAvx512Floats ? 64 : has("+avx2") ? 32 : 16;
  return machine;
}

//===-- This machine ------------------------------------------------------------------------===//

/// `+sse2,-avx,...`, sorted by name. AMX is left out if the system does not grant its tiles.
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
  // One cross-lane shuffle with a constant in a register is faster than two without one.
  if (features.lookup("avx2"))
    words.push_back("+fast-variable-crosslane-shuffle");
  return llvm::join(words, ",");
}

TargetMachine TargetMachine::host() {
  static const TargetMachine host = [] {
    TargetMachine machine;
    machine.triple = llvm::sys::getProcessTriple();
    machine.cpu =
        llvm::Triple(machine.triple).getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
    machine.features = featuresOfHost();
    Result<TargetMachine> full = of(machine.triple, machine.cpu, machine.features);
    return full ? *full : machine;
  }();
  return host;
}

bool TargetMachine::isForThisArchitecture() const {
  return llvm::Triple(triple).getArch() == llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

Result<void> TargetMachine::runsHere() const {
  if (!isForThisArchitecture())
    return Failure{"code for " + triple + " does not run on this processor"};
  if (cpu == host().cpu && features == host().features)
    return {};
  Result<Features> needed = codegen::featuresOf(triple, cpu, features);
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
