// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols of a proof. Parameters belong to the launch: scalar arguments, extents of the grid,
// lengths of arrays. All others stand for every value that the kernel may compute: tile block ids,
// iterations, positions in a tile, quotients. A symbol may have a definition, which holds wherever
// the symbol occurs.

#ifndef TILEWRIGHT_PROVE_SYMBOLS_H
#define TILEWRIGHT_PROVE_SYMBOLS_H

#include "tilewright/prove/Polynomial.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace tilewright::prove {

enum class SymbolKind {
  Scalar,   ///< A scalar argument.
  Grid,     ///< An extent of the grid.
  Length,   ///< The number of elements of an array.
  Address,  ///< The address of an array, in bytes.
  Computed, ///< Any value that the definition allows.
};

struct Symbol {
  SymbolKind kind;
  /// For parameters, in conditions.
  std::string name;
  Cases definition = {{}};
  /// The operation whose result is not analysed, if the symbol stands for it.
  mlir::Operation *unknown = nullptr;

  bool isParameter() const { return kind != SymbolKind::Computed; }
};

class Symbols {
public:
  /// `rank` is the largest rank of a tile.
  explicit Symbols(unsigned rank = 0);

  /// A parameter; its definition is true of every launch.
  Polynomial addParameter(SymbolKind kind, std::string name,
                          llvm::function_ref<Conjunction(const Polynomial &)> definition);
  /// `unknown` is the operation that computes the value, if it is not analysed; then `perElement`
  /// says whether it may differ between the elements of a tile.
  Polynomial addComputed(llvm::function_ref<Cases(const Polynomial &)> definition,
                         mlir::Operation *unknown = nullptr, bool perElement = false);
  const Symbol &operator[](SymbolId id) const { return symbols[id]; }
  size_t size() const { return symbols.size(); }

  /// The position of an element along a dimension of its tile.
  static Polynomial position(unsigned dim) { return Polynomial::symbol(dim); }
  /// Positions are inside of a tile of this shape.
  static Conjunction insideOf(llvm::ArrayRef<int64_t> shape);

  /// Whether this follows from the signs of all terms.
  bool isNonNegative(const Polynomial &value) const;
  bool isNonNegative(SymbolId id) const;

  /// Moves to other positions of the tile. Symbols that are computed from positions become new
  /// ones.
  Polynomial moved(const Polynomial &value, llvm::ArrayRef<Polynomial> positions);
  Cases moved(const Cases &cases, llvm::ArrayRef<Polynomial> positions);

private:
  Polynomial add(Symbol symbol, bool dependsOnPosition);
  bool dependsOnPosition(const Cases &cases) const;
  SymbolId copyAt(SymbolId id, llvm::ArrayRef<Polynomial> positions);

  unsigned rank;
  std::vector<Symbol> symbols;
  std::vector<bool> perElement;
  /// So that two uses of a symbol at the same positions stay the same value.
  std::map<std::pair<SymbolId, std::vector<Polynomial>>, SymbolId> copies;
};

/// What is known about a symbol of an integer type.
Conjunction rangeOf(const Polynomial &value, unsigned width);

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_SYMBOLS_H
