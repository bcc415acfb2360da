// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which vectors does a network compute from which? Operations are added one by one. What moves
// elements adds no step: it is only remembered in which lane of which vector each element is. Who
// computes with a tile gets its elements side by side, by a shuffle for each vector that is not
// there already.

#ifndef TILEWRIGHT_CPU_PLAN_NETWORKSTEPS_H
#define TILEWRIGHT_CPU_PLAN_NETWORKSTEPS_H

#include "tilewright/cpu/plan/Moves.h"

#include <map>

namespace tilewright::cpu {

/// Computes one vector from others, which are numbered as the steps that make them.
struct NetworkStep {
  enum class Kind : uint8_t {
    Load,    ///< Vector number `vector` of the piece of `value`.
    Splat,   ///< The only element of `value`, a scalar or a constant of equal elements.
    Shuffle, ///< Lanes of `operands[0]`, then of `operands[1]`, by `lanes`.
    Compute, ///< `op`, elementwise.
    Store,   ///< `operands[0]` to vector number `vector` of the piece of `value`.
  };
  Kind kind;
  mlir::Value value = {};
  mlir::Operation *op = nullptr;
  int64_t vector = 0;
  llvm::SmallVector<unsigned, 3> operands = {};
  llvm::SmallVector<int64_t, 16> lanes = {};
};

/// Whether it has elements of f32.
bool isSingle(mlir::Value tile);
/// Whether the operation keeps the larger or the smaller of two f32, subnormal ones as they are. Of
/// integers of the same order, that takes one instruction.
bool keepsExtremeOfSingles(mlir::Operation *op);
/// Whether a network with this operation may still compare such integers instead of f32: no f32 is
/// computed with, but for the larger and the smaller one, and choices.
bool leavesOrderOfSingles(mlir::Operation *op);

class NetworkSteps {
public:
  NetworkSteps(int64_t pieces, int64_t lanes) : pieces(pieces), lanes(lanes) {}

  /// False if elements come from more vectors than shuffles are worth while for.
  bool addMove(mlir::Operation *op, llvm::ArrayRef<MovedElement> moves);
  bool addCompute(mlir::Operation *op);
  /// About as many instructions as there are up to now.
  size_t cost() const { return goesByOrder ? work : work + moreWithoutOrder; }
  /// Steps of the network, with stores of these results; none if a result would need too many
  /// shuffles.
  std::optional<std::vector<NetworkStep>> take(llvm::ArrayRef<mlir::Value> results);

private:
  /// The lane of a vector that a step makes; -1: any, all are equal.
  struct Lane {
    unsigned step;
    int64_t lane;
  };
  using Elements = std::vector<Lane>;

  int64_t vectorsOfWaiting() const;
  const Elements &elementsOf(mlir::Value value);
  bool needsFewSources(llvm::ArrayRef<Lane> elements) const;
  bool needsFewShuffles(mlir::Value value);
  unsigned sideBySide(llvm::ArrayRef<Lane> elements);
  unsigned shuffle(unsigned first, unsigned second, llvm::SmallVector<int64_t, 16> pattern);
  unsigned add(NetworkStep step);
  unsigned operandOf(mlir::Value value, int64_t vector);
  void computeWaiting();

  int64_t pieces, lanes;
  /// Of f32, the larger and the smaller one are an instruction of integers, or of AVX-512; several,
  /// once an operation does not leave the order.
  size_t work = 0, moreWithoutOrder = 0;
  bool goesByOrder = true;
  std::vector<NetworkStep> steps;
  llvm::DenseMap<mlir::Value, Elements> tiles;
  /// Elementwise operations on as many vectors, which are computed vector by vector, so that few
  /// are alive; and the vectors of their results with the number at hand.
  llvm::SmallVector<mlir::Operation *> waiting;
  llvm::DenseMap<mlir::Value, unsigned> current;
  std::map<std::tuple<unsigned, unsigned, std::vector<int64_t>>, unsigned> shuffles;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_NETWORKSTEPS_H
