// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a memory operation, once its operands are known? A list of element accesses, all
// of one kind and one ordering, that wait for a token (memory model, 2). Making the list and
// performing it are two steps, so that a schedule can put other things between them, and
// between any two elements. Elements that are contiguous in the tile and in memory make a
// segment and are performed together, unless the schedule is random and cuts it.

#ifndef TILEWRIGHT_REFERENCE_MEMORY_MEMORYOPERATION_H
#define TILEWRIGHT_REFERENCE_MEMORY_MEMORYOPERATION_H

#include "tilewright/reference/machine/Register.h"
#include "tilewright/reference/memory/Races.h"
#include "llvm/ADT/BitVector.h"

namespace tilewright::reference {

/// `count` elements of a tile from number `element` on, which lie in memory from `place` on.
struct Segment {
  int64_t element;
  int64_t count;
  Place place;

  /// Where the i-th of them lies. Segments of f4E2M1FN have one element.
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
  /// What is stored, combined or swapped in.
  std::optional<Tile> operand = std::nullopt;
  std::optional<Tile> expected = std::nullopt;
  tile::AtomicRMWMode mode = {};
  /// A load that combines what it reads from all copies of multicast memory, as the mode says.
  bool reducesCopies = false;
  /// What is read; elements that no segment covers have their value from the start.
  std::optional<Tile> result = std::nullopt;

  /// The loops that it was issued in, where the schedule performs it later.
  std::vector<Iteration> iterations = {};

  // Progress.
  bool hasStarted = false;
  /// If it reduces copies: which elements have been read from a copy.
  llvm::BitVector isRead = {};
  size_t nextSegment = 0;
  /// What happens before it, itself included; in the end also what its accesses synchronize with.
  VectorClock clock = {};
  VectorClock acquired = {};
  uint32_t event = 0; ///< Number in the race detector.

  bool isDone() const { return hasStarted && nextSegment == segments.size(); }
  const Tile &shapedLikeElements() const { return operand ? *operand : *result; }
};

/// Joins the clocks of operations that are done and drops them, so that chains do not grow.
void forgetDone(Token &token);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_MEMORYOPERATION_H
