// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Target.h.

#include "tilewright/cpu/Target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Host.h"

using namespace tilewright;
using cpu::Target;

static void describe(Target &target, const llvm::StringMap<bool> &features) {
  auto has = [&](llvm::StringRef name) { return features.lookup(name); };
  target.hasAvx512 = has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
  target.hasAvx512Vnni = target.hasAvx512 && has("avx512vnni");
  target.hasFma = has("fma") || has("neon");
  target.hasF16Conversion = has("f16c") || has("neon");
  target.hasAmxBf16 = has("amx-tile") && has("amx-bf16");
  target.hasAmxInt8 = has("amx-tile") && has("amx-int8");
  target.vectorBytes = target.hasAvx512 ? 64 : has("avx2") ? 32 : 16;
}

Target Target::host() {
  Target target;
  target.triple = llvm::sys::getProcessTriple();
  target.cpu = llvm::StringRef(target.triple).starts_with("x86_64") ? "x86-64" : "generic";
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (auto &feature : features)
    target.features += (target.features.empty() ? "" : ",") +
                       std::string(feature.second ? "+" : "-") + feature.first().str();
  describe(target, features);
  return target;
}
