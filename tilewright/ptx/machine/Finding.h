// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a run look out for? The rules that GPU code may break. A finding says which one, at
// which instruction, and what the thread was doing. report/ knows how findings are written; the
// command turns these into its own, so that this room needs no MLIR.

#ifndef TILEWRIGHT_PTX_MACHINE_FINDING_H
#define TILEWRIGHT_PTX_MACHINE_FINDING_H

#include "tilewright/ptx/text/Module.h"

#include <array>
#include <set>
#include <span>

namespace tilewright::ptx {

enum class Check : uint8_t {
  Race,             ///< Two threads meet in memory, one writes, and nothing orders them.
  OutOfBounds,      ///< An access outside of every allocation.
  Misaligned,       ///< An address that is no multiple of the size of the access.
  Undefined,        ///< A value that nobody wrote decides something or leaves the kernel.
  DivergentBarrier, ///< Threads of a warp meet at a barrier in different instructions.
  Collective,       ///< A mask or a lane of a warp instruction that does not fit.
  PendingCopy,      ///< Bytes of an asynchronous copy are used before they were waited for.
  ReadOnly,         ///< A write to constant memory, or to what `ld.global.nc` has read.
  Deadlock,         ///< All threads wait.
  Trap,             ///< `trap` was executed.
  Assertion,        ///< `__assertfail` was called.
  ProxyFence,       ///< The async proxy uses what no proxy fence has shown it.
  Mbarrier,         ///< An mbarrier that counts what it does not expect, or is none.
  Wgmma,            ///< Registers that a wgmma uses, without the fence or the wait between.
  // These have no rule of their own.
  StepLimit,
};
inline constexpr unsigned checkCount = 15;

struct Rule {
  std::string_view id, summary, section, help;
};

/// In the order of Check.
std::span<const Rule> rules();
inline const Rule &ruleOf(Check check) { return rules()[size_t(check)]; }

/// The checks that a run can do without.
std::span<const Check> optionalChecks();

/// Which of the optional checks are on.
class Checks {
public:
  /// `all`, `none`, or names separated by commas, each added, or with `no-` in front removed; a
  /// list that starts with a removal starts from all. None for an unknown name.
  static std::optional<Checks> parse(std::string_view text, std::string &unknown);

  bool has(Check check) const { return bits >> unsigned(check) & 1; }
  void set(Check check, bool on) {
    bits = on ? bits | 1u << unsigned(check) : bits & ~(1u << unsigned(check));
  }

private:
  uint32_t bits = UINT32_MAX;
};

/// An instruction: a function of the module, and the number in its body.
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
  std::array<uint32_t, 3> cta = {}; ///< Its coordinates.
  uint32_t thread = 0;              ///< In its CTA, x fastest.
  std::string memory = {};          ///< `shared variable 'tile'`; empty if there is none.
  std::vector<RelatedSite> related = {};
  uint64_t count = 1; ///< How often it happened at these lines of the source.
  /// At which instructions, those of a related access included.
  std::set<std::array<Site, 2>> instructions = {};
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_FINDING_H
