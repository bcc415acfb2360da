// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's scalars (tiles of rank 0) in generated code: each is an SSA value in register form.
// Control flow passes them as block arguments.

#ifndef TILEWRIGHT_EMIT_SCALARS_H
#define TILEWRIGHT_EMIT_SCALARS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::emit {

class IrBuilder;

class Scalars {
public:
  /// `slice`: the builder, if the function computes only some of the program's scalars; null if it
  /// computes all of them.
  explicit Scalars(IrBuilder *slice = nullptr) : slice(slice) {}

  /// The register form; null if the function has not computed the scalar.
  mlir::Value of(mlir::Value scalar) const { return registers.lookup(scalar); }
  void define(mlir::Value scalar, mlir::Value value) { registers[scalar] = value; }
  void clear() { registers.clear(); }

  // The functions below skip tiles and tokens among the values.

  /// The register forms of the scalars among the values; a slice passes zeros for those that it
  /// does not compute.
  llvm::SmallVector<mlir::Value> among(mlir::ValueRange values) const;
  /// The types of these register forms.
  static llvm::SmallVector<mlir::Type> typesAmong(mlir::ValueRange values);
  /// Defines the scalars among the values as arguments of the block, from argument `first` on.
  void bind(mlir::ValueRange values, mlir::Block *block, unsigned first = 0);

private:
  IrBuilder *slice;
  llvm::DenseMap<mlir::Value, mlir::Value> registers;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_SCALARS_H
