// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of one operation of a program, whose operands are loaded from arrays. The reference
// machine runs it on the operands that another device had: that is what the specification requires
// of the device.

#ifndef TILEWRIGHT_API_DIFF_UNIT_H
#define TILEWRIGHT_API_DIFF_UNIT_H

#include "tilewright/numerics/Element.h"
#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::api {

class Unit {
public:
  /// None if the operation does more than to compute numbers from numbers that memory can hold.
  static std::optional<Unit> of(mlir::Operation *op);

  /// The values that it reads, without constants.
  llvm::ArrayRef<mlir::Value> operands() const { return inputs; }

  /// The elements of all operands or results, each tile in row-major order, for several executions
  /// one after the other.
  using Tiles = std::vector<std::vector<numerics::Element>>;
  /// The results. Elements that nothing specifies are poison.
  support::Result<Tiles> evaluate(const Tiles &operands, int64_t executions) const;

private:
  explicit Unit(mlir::Operation *op) : op(op) {}

  mlir::Operation *op;
  std::vector<mlir::Value> inputs;
  /// All of a program: a tile module with an entry.
  mlir::OwningOpRef<tile::ModuleOp> module;
  tile::EntryOp entry;
};

/// A module without the entries of the given one.
mlir::OwningOpRef<tile::ModuleOp> withoutEntries(tile::ModuleOp module);

/// The values from outside of an operation that it reads, without constants.
std::vector<mlir::Value> valuesReadBy(mlir::Operation *op);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_UNIT_H
