// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane-shuffle programs: sequences of operations that rearrange elements within rows and compute
// with them, all in registers. For example, each compare-exchange step of a bitonic sort splits a
// tile into pairs, compares them, and reassembles the tile; in memory, this would read neighbours
// one by one. A lane-shuffle program (`Network`) is a run of rearrangements that are known at
// compile time (reshape, permute, extract, cat, select with a constant condition) and of
// elementwise operations between them. Tiles are cut into pieces of consecutive elements that fit
// into registers. All pieces are rearranged alike, so one loop processes them, and rearrangements
// become vector shuffles:
//
//     pairs  = reshape x            vectors of x
//     a, b   = extract pairs        a: even lanes of two vectors, b: odd lanes (two shuffles)
//     c, d   = minf a b, maxf a b
//     y      = cat c, d; reshape    no code: readers of y shuffle c and d

#ifndef TILEWRIGHT_CPU_PLAN_NETWORKS_H
#define TILEWRIGHT_CPU_PLAN_NETWORKS_H

#include "tilewright/cpu/plan/NetworkSteps.h"
#include "tilewright/cpu/plan/OperationOrder.h"

namespace tilewright::cpu {

struct Target;

/// Operations that are computed together, piece by piece. Rearrangements of elements in memory that
/// have users outside are no members: users compute them as if there was no program.
struct Network {
  /// In program order. The program runs at the position of the last member.
  std::vector<mlir::Operation *> members;
  /// The number of pieces of each tile, and the number of elements of a vector.
  int64_t pieces = 1, lanes = 1;
  /// The steps for one piece.
  std::vector<NetworkStep> steps;
  /// Results that other operations read from their buffers.
  std::vector<mlir::Value> results;

  /// Tiles that are read from memory, as a whole.
  llvm::SmallVector<mlir::Value> inputs() const;
};

/// The lane-shuffle programs of an entry.
class NetworkPlan {
public:
  NetworkPlan(const OperationOrder &order, const Target &target);

  llvm::ArrayRef<Network> all() const { return networks; }
  /// The program that contains the operation; null if there is none.
  const Network *networkOf(mlir::Operation *op) const;
  /// Whether the value is the result of a member, and other operations read it.
  bool isResult(mlir::Value value) const;
  /// The position at which an operation runs: its own, or that of the last member of its program.
  mlir::Operation *placeOf(mlir::Operation *op) const;
  /// The last members of the programs that read the tile from memory.
  llvm::ArrayRef<mlir::Operation *> readersOf(mlir::Value value) const;

private:
  std::vector<Network> networks;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *, 1>> readers;
  llvm::DenseMap<mlir::Operation *, unsigned> networkOfMember;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_NETWORKS_H
