// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one tile block with given values for its reads. The reference machine executes the block in
// program order. Before a segment of elements is accessed, the values chosen for its reads are put
// into memory, and its reads and writes are recorded. An open read, one without a chosen value,
// returns a stand-in value. The run stops as soon as every later operation depends on an open read.
// At the end memory is restored.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_INTERPRETATION_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_INTERPRETATION_H

#include "tilewright/reference/exhaustive/Dependences.h"
#include "tilewright/reference/exhaustive/Exploration.h"
#include "tilewright/reference/memory/Access.h"

namespace tilewright::reference {

/// The details of a behaviour that are kept for findings.
struct BehaviourDetails {
  runtime::Block block;
  /// The operations of the trace.
  std::vector<mlir::Operation *> operations;
  std::vector<Finding> findings;
  /// A loop that the block would never leave, because every iteration would read the same values.
  mlir::Operation *waitingLoop = nullptr;
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
  /// The initial value of a location: unspecified in an alloca or in an uninitialised array.
  Value initialValue(Location location) const;

  /// Locations in allocas are numbered from this value on.
  static constexpr uint64_t firstPrivate = uint64_t(1) << 63;

private:
  friend class Recorder;
  /// Identifies an access independently of the path taken: the operation, the iterations of the
  /// enclosing loops (outermost first), and the element.
  using AccessName = std::tuple<mlir::Operation *, llvm::SmallVector<uint64_t, 2>, int64_t>;
  unsigned numberOf(AccessName name);
  /// Where an alloca begins in the block's private memory, in half bytes.
  uint64_t privateBase(AccessName alloca, uint64_t size);

  /// A byte of an array or global. `hasValue`: whether the low and the high half are initialised.
  struct Byte {
    uint8_t bits;
    bool hasValue[2];
  };
  static Byte byteOf(const Allocation &allocation, uint64_t address);
  void saveByte(Allocation &allocation, uint64_t address);
  void restore();

  const Program &program;
  const runtime::Grid &grid;
  Memory &memory;
  const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals;
  llvm::ArrayRef<Element> parameters;
  const LaunchOptions &options;
  uint64_t mostAccesses;
  /// The original contents of the bytes that were changed.
  std::map<uint64_t, Byte> saved;
  std::map<AccessName, unsigned> accessNumbers;
  std::map<AccessName, uint64_t> privateBases;
  uint64_t nextPrivate = 0;
};

/// Converts between an element and its representation in memory.
Value valueOf(MarkedElement element);
MarkedElement elementOf(Value value, Format format);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_INTERPRETATION_H
