// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does one tile block do if its reads return given values? The machine itself runs the block
// in program order. Before a segment of elements is accessed, the values chosen for its reads are
// put into memory, and what it reads and writes is recorded. A read for which no value is chosen
// returns a stand-in, until all that follows depends on it. In the end memory is restored.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_INTERPRETATION_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_INTERPRETATION_H

#include "tilewright/reference/exhaustive/Dependences.h"
#include "tilewright/reference/exhaustive/Exploration.h"
#include "tilewright/reference/memory/Access.h"

namespace tilewright::reference {

/// What is remembered of a behaviour.
struct BehaviourDetails {
  runtime::Block block;
  /// The operations of the trace.
  std::vector<mlir::Operation *> operations;
  std::vector<Finding> findings;
  /// A loop that the block would never leave, because every iteration would read the same.
  mlir::Operation *waitsIn = nullptr;
};

class Interpretation {
public:
  Interpretation(const Program &program, const runtime::Grid &grid, Memory &memory,
                 const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals,
                 llvm::ArrayRef<Element> parameters, const LaunchOptions &options,
                 uint64_t mostAccesses)
      : program(program), grid(grid), memory(memory), globals(globals), parameters(parameters),
        options(options), mostAccesses(mostAccesses) {}

  Behaviour run(int64_t block, ChooseValue choose);
  /// What memory held before: nothing, in an alloca or an array that nobody has filled.
  Value initialValue(Location location) const;

  /// Locations in allocas are numbered from here on.
  static constexpr uint64_t firstPrivate = uint64_t(1) << 63;

private:
  friend class Recorder;
  /// An operation, the iterations of the loops around it, the outermost first, and an element:
  /// what an access is known by, whatever the path there.
  using AccessName = std::tuple<mlir::Operation *, llvm::SmallVector<uint64_t, 2>, int64_t>;
  unsigned numberOf(AccessName name);
  /// Where an alloca begins among the block's, in half bytes.
  uint64_t privateBase(AccessName alloca, uint64_t size);

  /// A byte of an array or global, and of which halves it is known that they hold a value.
  struct Byte {
    uint8_t bits;
    bool hasValue[2];
  };
  static Byte byteOf(const Allocation &allocation, uint64_t address);
  void keepByte(Allocation &allocation, uint64_t address);
  void restore();

  const Program &program;
  const runtime::Grid &grid;
  Memory &memory;
  const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals;
  llvm::ArrayRef<Element> parameters;
  const LaunchOptions &options;
  uint64_t mostAccesses;
  /// Bytes that were changed, as they were before.
  std::map<uint64_t, Byte> kept;
  std::map<AccessName, unsigned> accessNumbers;
  std::map<AccessName, uint64_t> privateBases;
  uint64_t nextPrivate = 0;
};

/// An element as it lies in memory, and back.
Value valueOf(MarkedElement element);
MarkedElement elementOf(Value value, Format format);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_INTERPRETATION_H
