// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry as code in this process.

#ifndef TILEWRIGHT_API_COMPILEDENTRY_H
#define TILEWRIGHT_API_COMPILEDENTRY_H

#include "tilewright/cpu/Compiler.h"
#include "tilewright/runtime/Launch.h"

namespace tilewright::api {

/// The target of this name, if this machine runs its code.
support::Result<cpu::Target> targetForThisMachine(std::string_view name);

/// What a parameter with this value, a scalar or an address, has in its slot (runtime/Kernel.h).
uint64_t slotFor(numerics::Element scalar);
inline uint64_t slotFor(std::span<uint8_t> bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data());
}

class CompiledEntry {
public:
  /// Compiles the entry, or takes it from the cache, which may be null. Other entries of its module
  /// are left out. The code is checked for what this program is checked for (`sanitize` is set).
  static support::Result<CompiledEntry> compile(tile::EntryOp entry, cpu::CompileOptions options,
                                                const codegen::Cache *cache);

  /// A slot per parameter. Fails if this machine has no memory for it.
  support::Result<runtime::LaunchResult> launch(const runtime::Grid &grid,
                                                std::span<const uint64_t> slots,
                                                const runtime::LaunchOptions &options) const;

private:
  CompiledEntry(cpu::CompiledProgram program, const twKernel *kernel)
      : program(std::move(program)), kernel(kernel) {}

  cpu::CompiledProgram program;
  const twKernel *kernel;
  /// Why there is no memory for it, if so.
  std::optional<support::Failure> lack;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_COMPILEDENTRY_H
