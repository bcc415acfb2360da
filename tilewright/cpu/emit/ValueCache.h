// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value cache: elements of tiles that are in registers. An entry is valid until the end of the
// region in which its value was computed, since only operations in that region can use the value.

#ifndef TILEWRIGHT_CPU_EMIT_VALUECACHE_H
#define TILEWRIGHT_CPU_EMIT_VALUECACHE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::cpu {

/// The position of `width` elements of a tile: those from `at` on along dimension `lanes`. If the
/// width is 1, values are scalars, and `lanes` is irrelevant.
struct Position {
  llvm::SmallVector<mlir::Value, 4> at; ///< An i64 per dimension.
  int64_t lanes = -1;
  int64_t width = 1;
};

/// Constants with equal values count as the same coordinate.
bool isSame(const Position &a, const Position &b);

class ValueCache {
public:
  struct Entry {
    mlir::Value tile;
    Position position;
    mlir::Value value;
  };

  /// Null if there is no entry.
  mlir::Value lookup(mlir::Value tile, const Position &position) const;
  void insert(mlir::Value tile, const Position &position, mlir::Value value) {
    entries.push_back({tile, position, value});
  }
  size_t size() const { return entries.size(); }
  const Entry &operator[](size_t number) const { return entries[number]; }
  /// Drops all entries: buffers may change from here on.
  void clear() { entries.clear(); }

  /// A scope sees the entries of enclosing regions; entries made in it are dropped at its end.
  class Scope {
  public:
    explicit Scope(ValueCache &cache) : cache(cache), outer(cache.size()) {}
    ~Scope() { cache.entries.truncate(std::min(outer, cache.size())); }
    Scope(const Scope &) = delete;

  private:
    ValueCache &cache;
    size_t outer;
  };

  /// A scope that begins and ends without any entries: buffers change before and in it.
  class FreshScope {
  public:
    explicit FreshScope(ValueCache &cache) : cache(cache) { cache.clear(); }
    ~FreshScope() { cache.clear(); }
    FreshScope(const FreshScope &) = delete;

  private:
    ValueCache &cache;
  };

private:
  llvm::SmallVector<Entry> entries;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_VALUECACHE_H
