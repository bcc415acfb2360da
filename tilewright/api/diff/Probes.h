// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probes: a copy of a program that also stores the values of some of its operations to extra
// arrays, one place for each execution. Running it on two devices shows what each of them computes,
// whatever their compilers do. Loop iterations and tile blocks beyond the layout's bounds share one
// spare place, so that a probe needs no branch.

#ifndef TILEWRIGHT_API_DIFF_PROBES_H
#define TILEWRIGHT_API_DIFF_PROBES_H

#include "tilewright/numerics/Format.h"
#include "tilewright/runtime/Grid.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseMap.h"

namespace tilewright::api {

/// One execution of an operation.
struct Execution {
  int64_t block;
  /// Of the loops around it, outermost first; they count from 0.
  llvm::SmallVector<int64_t, 2> iterations = {};
};

/// How often the body of a loop ran at most.
using TripCounts = llvm::DenseMap<mlir::Operation *, int64_t>;

/// The loops around an operation or a value, outermost first. They include the loop whose body a
/// block argument belongs to.
llvm::SmallVector<mlir::Operation *, 2> loopsAround(mlir::Operation *op);
llvm::SmallVector<mlir::Operation *, 2> loopsAround(mlir::Value value);

struct Probe {
  mlir::Value value;
  /// Pointers are stored as their distance in bytes from `root`, a parameter.
  numerics::Format format;
  mlir::Value root = {};
  /// Of the tile.
  llvm::SmallVector<int64_t, 4> shape = {};
  int64_t size = 1;
  /// Of the loops around it.
  llvm::SmallVector<int64_t, 2> trips = {};
  /// Where the first execution is stored: the index of an array, and an element.
  size_t array = 0;
  int64_t first = 0;
};

/// The values that a probe can store, in the order of the program: numbers of at least a byte, and
/// pointers that are computed from a parameter. Constants are known.
std::vector<mlir::Value> observableValues(tile::EntryOp entry);

class ProbeLayout {
public:
  /// Observes at most `blocks` tile blocks from `firstBlock` on; fewer if the arrays would be too
  /// large.
  ProbeLayout(llvm::ArrayRef<mlir::Value> values, const TripCounts &trips, int64_t firstBlock,
              int64_t blocks);

  llvm::ArrayRef<Probe> probes() const { return all; }
  /// Null if the value is not observed.
  const Probe *find(mlir::Value value) const;
  /// The number of places without the spare one.
  int64_t placesOf(const Probe &probe) const;
  /// None if it shares the spare place. Iterations of loops that are not around the value are
  /// ignored.
  std::optional<int64_t> placeOf(const Probe &probe, const Execution &execution) const;
  Execution executionAt(const Probe &probe, int64_t place) const;

  int64_t firstBlock() const { return first; }
  int64_t blocks() const { return count; }

  struct ProbeArray {
    numerics::Format format;
    int64_t size;
  };
  llvm::ArrayRef<ProbeArray> arrays() const { return memory; }

private:
  void allocate();

  std::vector<Probe> all;
  llvm::DenseMap<mlir::Value, size_t> indices;
  std::vector<ProbeArray> memory;
  int64_t first, count;
};

/// The changed copy of a program.
struct ProbedProgram {
  mlir::OwningOpRef<tile::ModuleOp> module;
  tile::EntryOp entry;
  /// The operation of the program that each operation of the copy stems from.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals;
  /// The stores of probes, with the index of the probe.
  llvm::DenseMap<mlir::Operation *, size_t> stores;
};

/// The entry of the copy takes a pointer for each array of the layout, behind its own parameters.
ProbedProgram insertProbes(tile::EntryOp entry, const ProbeLayout &layout,
                           const runtime::Grid &grid);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_PROBES_H
