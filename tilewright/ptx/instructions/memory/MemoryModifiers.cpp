// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryModifiers.h.

#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

using namespace tilewright::ptx;

Space tilewright::ptx::takeSpace(Decoder &decoder) {
  static constexpr Space spaces[] = {Space::Global, Space::Const,   Space::Shared,
                                     Space::Shared, Space::Cluster, Space::Local,
                                     Space::Param,  Space::Param,   Space::Param};
  const auto found =
      decoder.takeOneOf({"global", "const", "shared", "shared::cta", "shared::cluster", "local",
                         "param", "param::entry", "param::func"});
  return found ? spaces[*found] : Space::Generic;
}

Scope tilewright::ptx::takeScope(Decoder &decoder, Scope otherwise) {
  static constexpr Scope scopes[] = {Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::System};
  const auto found = decoder.takeOneOf({"cta", "cluster", "gpu", "sys"});
  return found ? scopes[*found] : otherwise;
}

bool tilewright::ptx::takeOrder(Decoder &decoder, bool isLoad) {
  if (decoder.take("weak"))
    return false;
  uint32_t &mode = decoder.op.mode;
  if (decoder.take("volatile")) { // relaxed, at system scope
    mode |= uint32_t(Scope::System);
    return true;
  }
  decoder.take("mmio"); // device memory: as relaxed
  const bool isRelaxed = decoder.take("relaxed");
  if (!isRelaxed && !decoder.take(isLoad ? "acquire" : "release"))
    return false;
  const Scope scope = takeScope(decoder, Scope::Weak);
  if (scope == Scope::Weak)
    decoder.refuse("'" + decoder.name() + "' has no scope");
  mode |= uint32_t(scope) | (isRelaxed ? 0 : isLoad ? acquires : releases);
  return true;
}

void tilewright::ptx::takeEvictionPriorities(Decoder &decoder) {
  decoder.takeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                     "L1::no_allocate"});
  decoder.takeOneOf({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  decoder.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
}

void tilewright::ptx::takeCacheOperators(Decoder &decoder, bool isLoad) {
  if (isLoad)
    decoder.takeOneOf({"ca", "cg", "cs", "lu", "cv"});
  else
    decoder.takeOneOf({"wb", "cg", "cs", "wt"});
  if (isLoad)
    decoder.take("nc");
  takeEvictionPriorities(decoder);
}

bool tilewright::ptx::takeCachePolicy(Decoder &decoder, size_t operands) {
  if (!decoder.take("L2::cache_hint"))
    return decoder.expectOperands(operands);
  uint32_t unused = 0;
  return decoder.expectOperands(operands + 1) &&
         decoder.source(decoder.operand(operands), Type::B64, unused);
}
