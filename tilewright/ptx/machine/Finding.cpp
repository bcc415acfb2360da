// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Finding.h.

#include "tilewright/ptx/machine/Finding.h"

#include <algorithm>

using namespace tilewright::ptx;

/// In the order of Check.
static constexpr Rule table[] = {
    {"race",
     "conflicting accesses by two threads are ordered by barriers or by release and acquire, or "
     "both are strong and in each other's scope",
     "PTX ISA, 8.7",
     "in one thread block, put a barrier between the two accesses; between blocks, use atomics, or "
     "a release and an acquire of a scope that includes both"},
    {"out-of-bounds", "accesses stay inside one variable or allocation", "PTX ISA, 6.4.1",
     "compare the index with the extent before the access; the launch sets the size of dynamic "
     "shared memory (--shared)"},
    {"misaligned", "an address is a multiple of the size of the access", "PTX ISA, 6.4.1",
     "align the variable, or access smaller pieces"},
    {"undefined-value",
     "uninitialised values decide no branch or address, and are not written to global memory", "",
     "write the register or memory first"},
    {"divergent-barrier",
     "all threads of a warp that reach an aligned barrier reach the same instruction",
     "PTX ISA, 9.7.13.1", "move the barrier out of the branch that only some threads take"},
    {"collective", "the mask of a warp instruction matches the lanes that execute it",
     "PTX ISA, 9.7.9", "compute the mask before the branch that the lanes take"},
    {"pending-copy", "bytes of an asynchronous copy are used only after a wait for the copy",
     "PTX ISA, 9.7.9.25", "wait for the group of the copy, with cp.async.wait_group"},
    {"read-only", "constant memory and parameters are not written", "PTX ISA, 5.1", ""},
    {"deadlock", "some thread can continue until all have ended", "",
     "see where the threads wait, and what each of them waits for"},
    {"trap", "the kernel does not execute 'trap'", "", ""},
    {"assertion", "the kernel's assertions hold", "", ""},
    {"proxy-fence",
     "writes are made visible to the async or tensormap proxy by a proxy fence before it uses them",
     "PTX ISA, 8.4",
     "put fence.proxy.async between the writes and the barrier before the asynchronous operation; "
     "for a tensor map, use fence.proxy.tensormap::generic in the threads that wrote it and in "
     "those that use it"},
    {"mbarrier",
     "an mbarrier is initialised once, gets the arrivals and bytes that it expects, and is "
     "accessed by mbarrier operations only",
     "PTX ISA, 9.7.13.15",
     "compare the arrivals and bytes of a phase with those of init and expect_tx"},
    {"tensor-map", "a tensor map describes boxes that the copy can move", "PTX ISA, 9.7.9.27",
     "compare the map with the rules of cuTensorMapEncodeTiled, and its box with the instruction"},
    {"wgmma",
     "registers of a wgmma are used only after a wait for its group, and changed only before a "
     "wgmma.fence",
     "PTX ISA, 9.7.15", "use wgmma.fence before the first, wgmma.wait_group after the last"},
    {"tensor-memory",
     "columns of tensor memory are allocated while they are accessed, and freed in the end; a warp "
     "reaches its quarter of the lanes; descriptors describe a valid product",
     "PTX ISA, 9.7.16", "see the allocation; compare the descriptor with the tables of the manual"},
    {"tcgen05",
     "tensor memory that a tcgen05 instruction accesses is used only after a wait for that "
     "instruction, and a tcgen05.wait::ld follows each tcgen05.ld",
     "PTX ISA, 9.7.16.6",
     "use tcgen05.wait::ld, tcgen05.wait::st, or tcgen05.commit and a wait for its mbarrier"},
    {"tcgen05-fence",
     "in kernels with tcgen05.fence, a synchronisation of threads orders their accesses to tensor "
     "memory only between "
     "tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync",
     "PTX ISA, 9.7.16.6.4",
     "put tcgen05.fence::before_thread_sync before the barrier or arrival, and "
     "tcgen05.fence::after_thread_sync after the barrier or wait"},
    {"step-limit", "the run ends within its step limit", "", ""},
};
static_assert(std::size(table) == checkCount);

std::span<const Rule> tilewright::ptx::rules() { return table; }

std::span<const Check> tilewright::ptx::optionalChecks() {
  static constexpr Check checks[] = {Check::Race,        Check::Undefined, Check::PendingCopy,
                                     Check::ProxyFence,  Check::Wgmma,     Check::Tcgen05,
                                     Check::Tcgen05Fence};
  return checks;
}

std::optional<Checks> Checks::parse(std::string_view text, std::string &unknown) {
  Checks checks;
  const auto setAll = [&](bool on) {
    for (Check check : optionalChecks())
      checks.set(check, on);
  };
  setAll(text.starts_with("no-"));
  for (bool isLast = false; !isLast;) {
    const size_t comma = text.find(',');
    isLast = comma == std::string_view::npos;
    const std::string_view word = text.substr(0, comma);
    text = isLast ? "" : text.substr(comma + 1);
    const bool on = !word.starts_with("no-");
    const std::string_view name = on ? word : word.substr(3);
    if (word == "all" || word == "none") {
      setAll(word == "all");
      continue;
    }
    const auto found = std::find_if(optionalChecks().begin(), optionalChecks().end(),
                                    [&](Check check) { return ruleOf(check).id == name; });
    if (found == optionalChecks().end()) {
      unknown = name;
      return std::nullopt;
    }
    checks.set(*found, on);
    checks.named |= on ? 1u << unsigned(*found) : 0;
  }
  return checks;
}
