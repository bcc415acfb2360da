// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the Tile IR that probes and one-operation kernels consist of: scalar i32 arithmetic, and
// contiguous loads and stores of whole tiles.

#ifndef TILEWRIGHT_API_DIFF_TILEBUILDER_H
#define TILEWRIGHT_API_DIFF_TILEBUILDER_H

#include "tilewright/numerics/Format.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/Builders.h"

namespace tilewright::api {

class TileBuilder : public mlir::OpBuilder {
public:
  explicit TileBuilder(mlir::Operation *op) : OpBuilder(op->getContext()), location(op->getLoc()) {}

  /// Of new operations.
  mlir::Location location;

  tile::TileType i32Type() { return tile::TileType::get({}, getI32Type()); }
  mlir::Value i32(int64_t value);
  /// The low bits of a scalar integer of any width.
  mlir::Value toI32(mlir::Value number);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// Unsigned comparison of an i32.
  mlir::Value isBelow(mlir::Value number, int64_t bound);
  /// A scalar, repeated; a scalar itself for rank 0.
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);

  /// Store or load a tile in row-major order from the scalar pointer on.
  mlir::Operation *store(mlir::Value pointer, mlir::Value value);
  mlir::Value load(mlir::Value pointer, tile::TileType type);

  /// Add a parameter at the end: of this type, or a pointer.
  mlir::Value addParameter(tile::EntryOp entry, tile::TileType type);
  mlir::Value addParameter(tile::EntryOp entry, numerics::Format format);

private:
  mlir::Value pointersFrom(mlir::Value pointer, llvm::ArrayRef<int64_t> shape);
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_TILEBUILDER_H
