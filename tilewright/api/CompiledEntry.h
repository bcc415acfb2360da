// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry compiled for this CPU and loaded into this process. `Kernel` and `tilewright run` share
// it.

#ifndef TILEWRIGHT_API_COMPILEDENTRY_H
#define TILEWRIGHT_API_COMPILEDENTRY_H

#include "tilewright/api/Array.h"
#include "tilewright/cpu/Compiler.h"
#include "tilewright/runtime/Launch.h"
#include "tilewright/runtime/Multicast.h"

namespace tilewright::api {

/// The target of this name. Fails if this machine cannot run its code.
support::Result<cpu::Target> targetForThisMachine(std::string_view name);

/// The slot of a parameter (runtime/Kernel.h) with this value, a scalar or an address.
uint64_t slotFor(numerics::Element scalar);
inline uint64_t slotFor(std::span<uint8_t> bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data());
}

/// One slot per parameter, and the multicast ranges that some slots point to.
struct Slots {
  llvm::SmallVector<uint64_t, 32> values;
  std::vector<runtime::Multicast> multicasts;

  static support::Result<Slots> of(std::span<const Argument> arguments);
};

/// Fails if compiled entries of this module cannot follow each other in dependent launches.
support::Result<void> verifyForDependents(tile::ModuleOp module);

class CompiledEntry {
public:
  /// Compiles the entry without the other entries of its module, or takes it from the cache, which
  /// may be null. The code is instrumented for the same sanitizer as this program (overwrites
  /// `options.sanitize`).
  static support::Result<CompiledEntry> compile(tile::EntryOp entry, cpu::CompileOptions options,
                                                const codegen::Cache *cache);

  /// Runs the entry with one slot per parameter. Fails if this machine does not have enough memory.
  support::Result<runtime::LaunchResult> launch(const runtime::Grid &grid,
                                                std::span<const uint64_t> slots,
                                                const runtime::LaunchOptions &options) const;

private:
  CompiledEntry(cpu::CompiledProgram program, const twKernel *kernel)
      : program(std::move(program)), kernel(kernel) {}

  cpu::CompiledProgram program;
  const twKernel *kernel;
  /// Set if this machine does not have enough memory for the entry: the reason.
  std::optional<support::Failure> lack;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_COMPILEDENTRY_H
