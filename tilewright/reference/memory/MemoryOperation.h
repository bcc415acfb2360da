// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory operation with its operands evaluated: a list of element accesses of one kind and one
// ordering that wait for a token (memory model, 2). Creating the list and performing it are
// separate steps, so that a schedule can interleave other operations before it and between any two
// elements. Elements that are contiguous in the tile and in memory form a segment. A segment is
// performed as a whole, unless the random schedule cuts it.

#ifndef TILEWRIGHT_REFERENCE_MEMORY_MEMORYOPERATION_H
#define TILEWRIGHT_REFERENCE_MEMORY_MEMORYOPERATION_H

#include "tilewright/reference/machine/Register.h"
#include "tilewright/reference/memory/Races.h"
#include "llvm/ADT/BitVector.h"

namespace tilewright::reference {

/// `count` tile elements from number `element` on, which lie in memory from `place` on.
struct Segment {
  int64_t element;
  int64_t count;
  Place place;

  /// The place of element i. Segments of f4E2M1FN have one element.
  Place at(int64_t i) const {
    return {place.address + i * elementBytes(), place.format, place.isUpperHalf};
  }
  unsigned elementBytes() const { return bytesOf(place.format); }
};

enum class Effect : uint8_t {
  Load,
  Store,
  Update,     ///< Reads, combines with `operand`, writes.
  CompareSwap ///< Reads, and writes `operand` if what it read is `expected`.
};

struct MemoryOperation {
  mlir::Operation *op;
  Effect effect;
  Semantics semantics;
  Token before;
  std::vector<Segment> segments = {};
  /// The value to store, combine or swap in.
  std::optional<Tile> operand = std::nullopt;
  std::optional<Tile> expected = std::nullopt;
  tile::AtomicRMWMode mode = {};
  /// A load that combines the values of all copies of multicast memory according to the mode.
  bool reducesCopies = false;
  /// What is read; elements that no segment covers are set in advance.
  std::optional<Tile> result = std::nullopt;

  /// Number in the block, from 1 (machine/ReplayOrder.h).
  int64_t number = 0;
  /// The enclosing loops at the time of issue, for schedules that perform it later.
  std::vector<Iteration> iterations = {};

  // Progress.
  bool hasStarted = false;
  /// For a load that reduces copies: the elements for which a copy has been read.
  llvm::BitVector isRead = {};
  size_t nextSegment = 0;
  /// What happens before the operation, itself included; at the end also what its accesses
  /// synchronize with.
  VectorClock clock = {};
  VectorClock acquired = {};
  uint32_t event = 0; ///< Number in the race detector.

  bool isDone() const { return hasStarted && nextSegment == segments.size(); }
  const Tile &shapedLikeElements() const { return operand ? *operand : *result; }
};

/// Joins and drops the clocks of finished operations, so that chains do not grow.
void dropFinished(Token &token);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_MEMORYOPERATION_H
