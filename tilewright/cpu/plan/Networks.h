// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations that move elements within rows are computed in registers? A compare-exchange
// step of a sorting network takes a tile apart into pairs, compares them, and puts them together
// again; element by element in memory, neighbours would be read one by one. A network is a run of
// such operations: those that move elements in a way that is known when the kernel is compiled
// (reshape, permute, extract, cat, select with a constant condition), and elementwise ones between
// them. Tiles are cut into pieces of consecutive elements that fit into registers. As all pieces
// are moved alike, one loop goes over them, and what moves elements becomes shuffles of vectors:
//
//     pairs  = reshape x            vectors of x
//     a, b   = extract pairs        a: even lanes of two vectors, b: odd lanes (two shuffles)
//     c, d   = minf a b, maxf a b
//     y      = cat c, d; reshape    nothing: who reads y shuffles c and d

#ifndef TILEWRIGHT_CPU_PLAN_NETWORKS_H
#define TILEWRIGHT_CPU_PLAN_NETWORKS_H

#include "tilewright/cpu/plan/NetworkSteps.h"
#include "tilewright/cpu/plan/OperationOrder.h"

namespace tilewright::cpu {

struct Target;

/// Operations that are computed together, piece by piece. What moves elements that are in memory,
/// and has readers outside, is no member: they read it as if there was no network.
struct Network {
  /// In the order of the text. The network runs where the last one stands.
  std::vector<mlir::Operation *> members;
  /// The pieces of every tile, and the elements of a vector.
  int64_t pieces = 1, lanes = 1;
  /// What is done for a piece.
  std::vector<NetworkStep> steps;
  /// Results that other operations read, from their buffers.
  std::vector<mlir::Value> results;

  /// Tiles that are read from memory, whole.
  llvm::SmallVector<mlir::Value> inputs() const;
};

/// The networks of an entry.
class NetworkPlan {
public:
  NetworkPlan(const OperationOrder &order, const Target &target);

  llvm::ArrayRef<Network> all() const { return networks; }
  /// The network that the operation is a member of; null if there is none.
  const Network *networkOf(mlir::Operation *op) const;
  /// Whether other operations read the result of a member.
  bool isResult(mlir::Value value) const;
  /// Where an operation runs: where the last member of its network stands, or where it stands.
  mlir::Operation *placeOf(mlir::Operation *op) const;
  /// The last operations of the networks that read the tile from memory.
  llvm::ArrayRef<mlir::Operation *> readersOf(mlir::Value value) const;

private:
  std::vector<Network> networks;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *, 1>> readers;
  llvm::DenseMap<mlir::Operation *, unsigned> networkOfMember;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_NETWORKS_H
