// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the steps of a lane-shuffle program (`Network`). Operations are added one by one.
// Rearrangements add no step: they only update the record of which vector lane holds each element.
// An elementwise operation needs its operands' elements in lane order, which takes a shuffle for
// each vector that does not exist yet.

#ifndef TILEWRIGHT_CPU_PLAN_NETWORKSTEPS_H
#define TILEWRIGHT_CPU_PLAN_NETWORKSTEPS_H

#include "tilewright/cpu/Tuning.h"
#include "tilewright/cpu/plan/Moves.h"

#include <map>

namespace tilewright::cpu {

/// Computes one vector from others, which are numbered by the steps that define them.
struct NetworkStep {
  enum class Kind : uint8_t {
    Load,    ///< Loads vector number `vector` of this piece of `value`.
    Splat,   ///< The single element of `value`: a scalar or a splat constant.
    Shuffle, ///< Selects lanes of `operands[0]` and `operands[1]`, concatenated, by `lanes`.
    Compute, ///< The elementwise operation `op`.
    Store,   ///< Stores `operands[0]` to vector number `vector` of this piece of `value`.
  };
  Kind kind;
  mlir::Value value = {};
  mlir::Operation *op = nullptr;
  int64_t vector = 0;
  llvm::SmallVector<unsigned, 3> operands = {};
  llvm::SmallVector<int64_t, 16> lanes = {};
};

/// Whether the tile has f32 elements.
bool isSingle(mlir::Value tile);
/// Whether the operation is a minimum or maximum of f32 that keeps subnormals. On integers that
/// order like these floats, it takes one instruction.
bool keepsExtremeOfSingles(mlir::Operation *op);
/// Whether a program that contains this operation may compare such integers instead of f32: the
/// only operations on f32 are minima, maxima and selects.
bool leavesOrderOfSingles(mlir::Operation *op);

class NetworkSteps {
public:
  NetworkSteps(int64_t pieces, int64_t lanes, const Tuning &tuning)
      : pieces(pieces), lanes(lanes), costPerInstruction(tuning.costPerInstruction) {}

  /// False if a vector needs elements of too many others for shuffles to pay off.
  bool addMove(mlir::Operation *op, llvm::ArrayRef<MovedElement> moves);
  bool addCompute(mlir::Operation *op);
  /// The approximate number of instructions so far.
  int64_t cost() const { return goesByOrder ? work : work + moreWithoutOrder; }
  /// The steps of the program, including stores of these results; none if a result would need too
  /// many shuffles.
  std::optional<std::vector<NetworkStep>> take(llvm::ArrayRef<mlir::Value> results);

private:
  /// The lane of a vector that a step defines; -1: any lane, as all are equal.
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

  int64_t pieces, lanes, costPerInstruction;
  /// A minimum or maximum of f32 is a single instruction on integers or with AVX-512. It takes
  /// `moreWithoutOrder` more once an operation needs the f32 values themselves.
  int64_t work = 0, moreWithoutOrder = 0;
  bool goesByOrder = true;
  std::vector<NetworkStep> steps;
  llvm::DenseMap<mlir::Value, Elements> tiles;
  /// Elementwise operations on the same number of vectors. They are computed vector by vector,
  /// which keeps few vectors live. `current` maps their results to steps for the current vector.
  llvm::SmallVector<mlir::Operation *> waiting;
  llvm::DenseMap<mlir::Value, unsigned> current;
  std::map<std::tuple<unsigned, unsigned, std::vector<int64_t>>, unsigned> shuffles;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_NETWORKSTEPS_H
