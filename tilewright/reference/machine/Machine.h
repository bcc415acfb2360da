// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a kernel run without a GPU? A Machine loads a verified module once, which
// gives its globals their one instance, and binds arrays of the host, which gives them
// addresses. A launch then runs the tile blocks of a grid under a schedule (LaunchOptions.h).

#ifndef TILEWRIGHT_REFERENCE_MACHINE_MACHINE_H
#define TILEWRIGHT_REFERENCE_MACHINE_MACHINE_H

#include "tilewright/reference/machine/LaunchOptions.h"
#include "tilewright/reference/machine/Program.h"
#include "tilewright/reference/memory/Races.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::reference {

struct ExhaustiveResult;

/// Memory of the host that a kernel may access: an array, or arrays that overlap.
struct HostMemory {
  /// As messages call it.
  std::string name;
  /// Messages count elements of it.
  Format format;
  /// Outlive the machine.
  std::span<uint8_t> bytes;
  /// If not, its elements have no value before the kernel writes them.
  bool isInitialised = true;
  /// Arrays of several formats lie in it: messages count bytes.
  bool isMixed = false;
  /// How far its address is to lie behind a multiple of 256.
  unsigned misalignment = 0;
};

class Machine {
public:
  /// The module has been verified, and outlives the machine.
  /// The seed decides where globals and arrays lie.
  static support::Result<Machine> load(tile::ModuleOp module, uint64_t seed = 0);

  /// Makes memory of the host known. Returns the address to pass for a pointer parameter.
  uint64_t bind(HostMemory memory);
  /// The same for one array.
  uint64_t bindArray(std::string name, Format format, std::span<uint8_t> bytes,
                     bool isInitialised = true) {
    return bind({std::move(name), format, bytes, isInitialised});
  }

  /// Makes multicast memory known that stands for these addresses, at each of which there are so
  /// many bytes. Returns the address to pass.
  uint64_t bindMulticast(std::string name, Format format, uint64_t bytes,
                         std::vector<uint64_t> copies);

  /// Runs an entry of the module; one element per parameter, in its format. What the kernel prints
  /// goes to `output`, which is flushed in the end. Fails, before anything has run, for what this
  /// machine does not support.
  support::Result<LaunchResult> launch(tile::EntryOp entry, const runtime::Grid &grid,
                                       llvm::ArrayRef<Element> parameters,
                                       llvm::raw_ostream &output,
                                       const LaunchOptions &options = {});

  /// Walks all executions of the entry (Exhaustive.h). Memory is as before in the end.
  support::Result<ExhaustiveResult> explore(tile::EntryOp entry, const runtime::Grid &grid,
                                            llvm::ArrayRef<Element> parameters,
                                            const LaunchOptions &options = {});

private:
  explicit Machine(uint64_t seed) : memory(seed) {}

  Memory memory;
  llvm::DenseMap<mlir::StringAttr, uint64_t> globals;

  /// What a launch that depends on the last one has to know of it.
  struct LastLaunch {
    std::unique_ptr<RaceDetector> races = nullptr;
    TokenOrder tokenOrder = {};
    uint32_t number = 0;
  };
  LastLaunch last;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_MACHINE_H
