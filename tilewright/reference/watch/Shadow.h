// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second execution in f64 beside the launch, for the check `precision`. Every float has a shadow:
// the value that it would have if all operations since the elements were loaded had computed in
// f64. Control flow, masks, indices and integers are those of the launch.
//
// A shadow also has the significant bits of the narrowest format that the value has passed on its
// way: a value that was an f8 need not be as close to its shadow as one that was not.
//
// An operation without a counterpart in f64 begins anew with its result: conversions from
// integers, `bitcast`, and `floor`, `ceil` and `remf`, which may jump by 1 for a small difference.

#ifndef TILEWRIGHT_REFERENCE_WATCH_SHADOW_H
#define TILEWRIGHT_REFERENCE_WATCH_SHADOW_H

#include "tilewright/reference/memory/MemoryOperation.h"
#include "tilewright/reference/watch/Sources.h"

namespace tilewright::reference {

/// The shadow of an element.
struct ShadowOf {
  double value;
  int digits = exactDigits; ///< Of the narrowest format in which an operation has rounded it.

  static constexpr int exactDigits = 53;
};

class Shadow {
public:
  /// The shadow of the element; its own value if it has none.
  ShadowOf at(const TileBlock &block, Source source) const;
  /// Whether the element differs from its shadow by more than half of its digits, or is infinite
  /// although its shadow is not.
  bool isFar(const TileBlock &block, Source source) const;
  /// The difference of a stored element that counts: more than half of its digits, by the largest
  /// shadow in the tile, and more than the rounding of the largest number that the
  /// block has loaded. Other differences, such as those of numbers near zero in a row that is
  /// constant, are usual.
  bool isFarInTile(const TileBlock &block, Source source) const;

  /// The operation begins.
  void begin(const TileBlock &block, mlir::Operation *op);
  /// The operation has computed its result. For a load, `onLoad` has been called for its elements.
  void define(const TileBlock &block, mlir::OpResult result);
  void passOn(const TileBlock &block, mlir::ValueRange from, llvm::ArrayRef<mlir::ValueRange> to);
  void onLoad(const TileBlock &block, mlir::Value result, int64_t element, Place place,
              Element value);
  /// Memory will hold `value`, whose shadow is `shadow`.
  void onStore(Place place, Element value, ShadowOf shadow);
  /// The shadow of what memory holds.
  ShadowOf inMemory(Place place, Element value) const;
  void onEnd(const TileBlock &block) {
    registers.erase(&block);
    largest.erase(&block);
  }

private:
  using Values = std::vector<ShadowOf>;

  Values compute(const TileBlock &block, mlir::OpResult result) const;

  /// The shadows of the tiles that have any.
  llvm::DenseMap<const TileBlock *, llvm::DenseMap<mlir::Value, Values>> registers;
  /// The shadows in memory that differ from their values, or are not exact, by address.
  llvm::DenseMap<uint64_t, ShadowOf> memory;
  llvm::DenseMap<const TileBlock *, double> largest; ///< The largest finite number loaded.
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_SHADOW_H
