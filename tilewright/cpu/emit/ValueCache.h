// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of tiles are in registers already? An entry holds until the end of the region in
// which its value was computed, since only operations in there can use the value.

#ifndef TILEWRIGHT_CPU_EMIT_VALUECACHE_H
#define TILEWRIGHT_CPU_EMIT_VALUECACHE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::cpu {

/// Elements of a tile: those from `at` on along dimension `lanes`, as many as `width`. With
/// a width of 1 values are scalars, and `lanes` means nothing.
struct Position {
  llvm::SmallVector<mlir::Value, 4> at; ///< An i64 per dimension.
  int64_t lanes = -1;
  int64_t width = 1;
};

/// Equal constants are the same coordinate.
bool isSame(const Position &a, const Position &b);

class ValueCache {
public:
  struct Entry {
    mlir::Value tile;
    Position position;
    mlir::Value value;
  };

  /// Null if there is none.
  mlir::Value lookup(mlir::Value tile, const Position &position) const;
  void insert(mlir::Value tile, const Position &position, mlir::Value value) {
    entries.push_back({tile, position, value});
  }
  size_t size() const { return entries.size(); }
  const Entry &operator[](size_t number) const { return entries[number]; }
  /// Buffers may change from here on.
  void clear() { entries.clear(); }

  /// Entries of the enclosing region are visible in a scope; those that are made in the scope are
  /// dropped at its end.
  class Scope {
  public:
    explicit Scope(ValueCache &cache) : cache(cache), outer(cache.size()) {}
    ~Scope() { cache.entries.truncate(std::min(outer, cache.size())); }
    Scope(const Scope &) = delete;

  private:
    ValueCache &cache;
    size_t outer;
  };

private:
  llvm::SmallVector<Entry> entries;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_VALUECACHE_H
