// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observes a launch on the reference machine: which execution wrote each element of memory last,
// where elements that were read come from, which written elements have no specified value, and how
// often loops ran.

#ifndef TILEWRIGHT_API_DIFF_HISTORY_H
#define TILEWRIGHT_API_DIFF_HISTORY_H

#include "tilewright/api/diff/Probes.h"
#include "tilewright/reference/memory/MemoryOperation.h"
#include "tilewright/reference/watch/Observer.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

namespace tilewright::api {

/// The write of an element: number `element` of the tile that an operation stores.
struct Write {
  uint32_t execution;
  uint32_t element;
};

class MemoryHistory : public reference::Observer {
public:
  struct Run {
    mlir::Operation *op;
    Execution execution;
    bool isAtomic;
  };
  /// The byte of host memory at which an element begins. The two f4E2M1FN elements of a byte count
  /// as one.
  using HostByte = const uint8_t *;

  void beforeOperation(reference::TileBlock &block, mlir::Operation *op) override;
  void onAccess(reference::TileBlock &block, const reference::MemoryOperation &operation,
                const reference::Segment &segment) override;

  /// Null if the launch did not write the element.
  const Write *lastWrite(HostByte byte) const;
  /// Whether its value is specified.
  bool isSpecified(HostByte byte) const { return !unspecified.contains(byte); }
  const Run &run(const Write &write) const { return runs[write.execution]; }

  /// The writes that elements of a loaded tile come from, by the number of the element, for one
  /// execution of a load. Elements that the launch did not write before are missing.
  using Sources = std::map<int64_t, Write>;
  const Sources *sourcesOf(mlir::Operation *load, const Execution &execution) const;

  /// Of an element that atomics combine with floats: how many, and the sum of their magnitudes.
  struct Sum {
    int64_t count = 0;
    double magnitudes = 0;
    bool hasInfinity = false;
    /// Nothing else than additions wrote the element.
    bool addsOnly = true;
  };
  Sum sumAt(HostByte byte) const { return sums.lookup(byte); }

  const TripCounts &trips() const { return tripCounts; }

private:
  uint32_t numberOf(reference::TileBlock &block, mlir::Operation *op, bool isAtomic);
  void write(HostByte byte, const Write &write, bool isSpecified);
  void combine(HostByte byte, numerics::Element operand, bool adds);
  void replace(HostByte byte);

  std::vector<Run> runs;
  TripCounts tripCounts;
  llvm::DenseMap<HostByte, Write> writes;
  llvm::DenseSet<HostByte> unspecified;
  llvm::DenseMap<HostByte, Sum> sums;
  std::map<std::pair<mlir::Operation *, std::vector<int64_t>>, Sources> loads;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_HISTORY_H
