// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a kernel's values that hold before it runs.

#ifndef TILEWRIGHT_LOWER_FACTS_H
#define TILEWRIGHT_LOWER_FACTS_H

#include "tilewright/lower/ConstantTile.h"

#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace tilewright::lower {

struct Limits {
  int64_t maxTileElements;  ///< Larger tiles are unknown unless they are splats.
  int64_t maxTotalElements; ///< The most elements that may be computed in all, which bounds the
                            ///< time.
};

/// The elements of values, read from constants or recorded by the pass that computed them. A
/// recorded value must stay in the IR for as long as its facts are queried.
class Facts {
public:
  explicit Facts(Limits limits) : limits(limits) {}

  /// Reserves this number of elements from the limits. False if they do not suffice.
  bool spend(int64_t elements);

  void record(mlir::Value value, ConstantTile tile);
  /// Null if the elements are not known.
  const ConstantTile *find(mlir::Value value);
  /// The one element of a tile whose elements are known to be equal.
  std::optional<numerics::Element> splatOf(mlir::Value value);
  /// A known integer scalar or splat with this (unsigned) value.
  bool isInteger(mlir::Value value, uint64_t bits);

  /// Whether all NaNs that the tile can contain are canonical. Arithmetic produces no other
  /// (arithmetic, 3.3); loads and operations that copy bits may.
  bool hasCanonicalNans(mlir::Value value);

private:
  Limits limits;
  int64_t spent = 0;
  llvm::DenseMap<mlir::Value, std::unique_ptr<ConstantTile>> tiles;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_FACTS_H
