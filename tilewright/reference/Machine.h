// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a kernel run without a GPU? A Machine loads a verified module once, which
// gives its globals their one instance, and binds arrays of the host, which gives them
// addresses. A launch then runs the tile blocks of a grid one after the other, in
// ascending order of their numbers, and each block's operations in program order with
// immediate effect. That is one of the executions that the memory model allows, and
// the one from which nothing is left to chance (memory model, 11).

#ifndef TILEWRIGHT_REFERENCE_MACHINE_H
#define TILEWRIGHT_REFERENCE_MACHINE_H

#include "tilewright/reference/Finding.h"
#include "tilewright/reference/Memory.h"
#include "tilewright/reference/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::reference {

struct LaunchOptions {
  /// Operations that all blocks together may execute before the launch is given up.
  int64_t maxSteps = 1'000'000'000;
  /// Where `print_tko` prints.
  llvm::raw_ostream *output = &llvm::outs();
};

struct LaunchResult {
  /// In the order in which they happened; the launch succeeded if there are none.
  std::vector<Finding> findings;
  /// Findings beyond the first thousand are counted only.
  int64_t unlistedFindings = 0;

  bool succeeded() const { return findings.empty(); }
  bool has(FindingKind kind) const;
};

class Machine {
public:
  /// The module has been verified, and outlives the machine.
  static support::Result<Machine> load(tile::ModuleOp module);

  /// Makes an array of the host known. Its bytes outlive the machine. Returns the
  /// address to pass for a pointer parameter; messages call the array by this name.
  uint64_t bindArray(std::string name, Format format, std::span<uint8_t> bytes);

  /// Runs an entry of the module; one element per parameter, in its format. Fails, before
  /// anything has run, for what this machine does not support.
  support::Result<LaunchResult> launch(tile::EntryOp entry, const runtime::Grid &grid,
                                       llvm::ArrayRef<Element> parameters,
                                       const LaunchOptions &options = {});

private:
  Machine() = default;

  Memory memory;
  llvm::DenseMap<mlir::StringAttr, uint64_t> globals;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_H
