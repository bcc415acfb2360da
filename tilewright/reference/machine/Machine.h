// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference machine: runs a kernel without a GPU. A Machine loads a verified module once, which
// allocates its globals, and binds host arrays, which assigns addresses to them. A launch then runs
// the tile blocks of a grid under a schedule (LaunchOptions.h).

#ifndef TILEWRIGHT_REFERENCE_MACHINE_MACHINE_H
#define TILEWRIGHT_REFERENCE_MACHINE_MACHINE_H

#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/reference/machine/LaunchOptions.h"
#include "tilewright/reference/machine/Program.h"
#include "tilewright/reference/memory/Races.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::reference {

class MemoryContents;
class ExecutionTrace;

/// Host memory that a kernel may access: an array, or several that overlap.
struct HostMemory {
  /// The name used in messages.
  std::string name;
  /// Messages give positions in elements of this format.
  Format format;
  /// Must outlive the machine.
  std::span<uint8_t> bytes;
  /// If false, its elements have no value before the kernel writes them.
  bool isInitialised = true;
  /// It holds arrays of several formats, so messages give positions in bytes.
  bool isMixed = false;
  /// The offset of its address from a multiple of 256.
  unsigned misalignment = 0;
};

class Machine {
public:
  /// The module has been verified and outlives the machine. The seed decides the addresses of
  /// globals and arrays.
  static support::Result<Machine> load(tile::ModuleOp module, uint64_t seed = 0);

  /// Binds host memory. Returns the address to pass for a pointer parameter.
  uint64_t bind(HostMemory memory);
  /// The same for a single array.
  uint64_t bindArray(std::string name, Format format, std::span<uint8_t> bytes,
                     bool isInitialised = true) {
    return bind({std::move(name), format, bytes, isInitialised});
  }

  /// Binds multicast memory for arrays at the addresses `copies`, each of which has `bytes` bytes.
  /// Returns the address to pass.
  uint64_t bindMulticast(std::string name, Format format, uint64_t bytes,
                         std::vector<uint64_t> copies);

  /// Runs an entry of the module. `parameters` has one element per parameter of the entry, in the
  /// format of that parameter. The kernel prints to `output`, which is flushed at the end. Fails
  /// before anything has run if the kernel needs something unsupported.
  support::Result<LaunchResult> launch(tile::EntryOp entry, const runtime::Grid &grid,
                                       llvm::ArrayRef<Element> parameters,
                                       llvm::raw_ostream &output,
                                       const LaunchOptions &options = {});

  /// Explores all executions of the entry (Exhaustive.h). Memory is restored at the end.
  support::Result<ExhaustiveResult> explore(tile::EntryOp entry, const runtime::Grid &grid,
                                            llvm::ArrayRef<Element> parameters,
                                            const LaunchOptions &options = {},
                                            const ExhaustiveLimits &limits = {});

private:
  explicit Machine(uint64_t seed) : memory(seed) {}

  support::Result<LaunchResult> execute(const Program &program, const runtime::Grid &grid,
                                        llvm::ArrayRef<Element> parameters,
                                        llvm::raw_ostream &output, const LaunchOptions &options);
  void predict(LaunchResult &result, ExecutionTrace trace, const MemoryContents &initial,
               const Program &program, const runtime::Grid &grid,
               llvm::ArrayRef<Element> parameters, const LaunchOptions &options);

  Memory memory;
  llvm::DenseMap<mlir::StringAttr, uint64_t> globals;

  /// What a dependent launch needs from the launch before it (LaunchOptions::isDependent).
  struct LastLaunch {
    std::unique_ptr<RaceDetector> races = nullptr;
    TokenOrder tokenOrder = {};
    uint32_t number = 0;
  };
  LastLaunch last;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_MACHINE_H
