// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transitive relation over 0..size-1, as a bit matrix with one row per number. `put` keeps it
// transitive; after `putOnly`, call `close`. It is a strict order as long as it is irreflexive.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_RELATION_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_RELATION_H

#include "llvm/ADT/BitVector.h"

#include <vector>

namespace tilewright::reference {

class Relation {
public:
  explicit Relation(size_t size) : rows(size, llvm::BitVector(size)) {}

  size_t size() const { return rows.size(); }
  bool operator()(size_t x, size_t y) const { return rows[x][y]; }
  /// Everything that x comes before.
  const llvm::BitVector &after(size_t x) const { return rows[x]; }

  /// Puts x before y and closes the relation transitively.
  void put(size_t x, size_t y) {
    if (rows[x][y])
      return;
    llvm::BitVector behind = rows[y];
    behind.set(y);
    for (size_t z = 0; z < rows.size(); ++z)
      if (z == x || rows[z][x])
        rows[z] |= behind;
  }

  /// Puts x before y without closing the relation: close() has to follow.
  void putOnly(size_t x, size_t y) { rows[x].set(y); }
  /// Makes the relation transitive.
  void close() {
    for (size_t z = 0; z < rows.size(); ++z)
      for (size_t x = 0; x < rows.size(); ++x)
        if (rows[x][z])
          rows[x] |= rows[z];
  }

  /// Puts x before all members of a set; the caller keeps the relation transitive.
  void putBeforeAll(size_t x, const llvm::BitVector &all) { rows[x] |= all; }

  bool isStrictOrder() const {
    for (size_t x = 0; x < rows.size(); ++x)
      if (rows[x][x])
        return false;
    return true;
  }

private:
  std::vector<llvm::BitVector> rows;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_RELATION_H
