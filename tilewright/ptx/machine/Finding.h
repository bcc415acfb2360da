// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: the rules that GPU code may break, and at which instruction and in which thread a rule
// was broken. The `tilewright` command converts them to those of report/, so that this room needs
// no MLIR.

#ifndef TILEWRIGHT_PTX_MACHINE_FINDING_H
#define TILEWRIGHT_PTX_MACHINE_FINDING_H

#include "tilewright/ptx/text/Module.h"

#include <array>
#include <set>
#include <span>

namespace tilewright::ptx {

enum class Check : uint8_t {
  Race,             ///< Two unordered accesses of threads to the same memory, one of them a write.
  OutOfBounds,      ///< An access outside of every allocation.
  Misaligned,       ///< An address that is not a multiple of the access size.
  Undefined,        ///< A value that was never written controls execution or leaves the kernel.
  DivergentBarrier, ///< Threads of a warp arrive at a barrier through different instructions.
  Collective,       ///< A mask or lane of a warp instruction does not fit.
  PendingCopy,      ///< Bytes of an asynchronous copy are used before the copy was waited for.
  ReadOnly,         ///< A write to constant memory, or to memory that `ld.global.nc` has read.
  Deadlock,         ///< All threads wait.
  Trap,             ///< `trap` was executed.
  Assertion,        ///< `__assertfail` was called.
  ProxyFence,       ///< An access of the async proxy to a write that no proxy fence made visible.
  Mbarrier,         ///< An unexpected arrival at an mbarrier, or an object that is not one.
  TensorMap,        ///< A tensor map that no copy, or not this copy, can use.
  Wgmma,            ///< Registers of a wgmma are used without the necessary fence or wait.
  TensorMemory,     ///< An allocation, access or descriptor that breaks a rule of tensor memory.
  Tcgen05,          ///< What a tcgen05 instruction accesses is used without a wait.
  Tcgen05Fence,     ///< Tensor memory is used by another warp without the tcgen05 fences.
  // Without a rule of its own.
  StepLimit,
};
inline constexpr unsigned checkCount = unsigned(Check::StepLimit) + 1;

struct Rule {
  std::string_view id, summary, section, help;
};

/// In the order of Check.
std::span<const Rule> rules();
inline const Rule &ruleOf(Check check) { return rules()[size_t(check)]; }

/// The checks that can be switched off.
std::span<const Check> optionalChecks();

/// The optional checks that are switched on.
class Checks {
public:
  /// Parses `all`, `none`, or a comma-separated list of names, each of which adds a check, or
  /// removes it with the prefix `no-`. A list that starts with a removal starts from all checks.
  /// None for an unknown name.
  static std::optional<Checks> parse(std::string_view text, std::string &unknown);

  bool has(Check check) const { return bits >> unsigned(check) & 1; }
  /// Whether the list has the name of the check.
  bool isNamed(Check check) const { return named >> unsigned(check) & 1; }
  void set(Check check, bool on) {
    bits = on ? bits | 1u << unsigned(check) : bits & ~(1u << unsigned(check));
  }

private:
  uint32_t bits = UINT32_MAX, named = 0;
};

/// An instruction: a function of the module, and the index in its body.
struct Site {
  uint32_t function = 0, instruction = 0;

  auto operator<=>(const Site &) const = default;
};

struct RelatedSite {
  Site site;
  std::string message;
};

struct Finding {
  Check check;
  Site site;
  std::string message;
  std::array<uint32_t, 3> cta = {}; ///< Coordinates of the tile block that the CTA runs.
  uint32_t thread = 0;              ///< Number in its CTA, x fastest.
  std::string memory = {};          ///< `shared variable 'tile'`; empty if no memory is involved.
  std::vector<RelatedSite> related = {};
  uint64_t count = 1; ///< How often it happened at these source lines.
  /// The instructions where it happened, with that of the related access.
  std::set<std::array<Site, 2>> instructions = {};
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_FINDING_H
