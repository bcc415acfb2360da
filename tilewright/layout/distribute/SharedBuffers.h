// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory buffers through which values move between the threads of a workgroup. A value is
// written and read as a whole vector; layouts decide which thread writes and reads which part, and
// InsertBarriers.cpp inserts the barriers.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_SHAREDBUFFERS_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_SHAREDBUFFERS_H

#include "tilewright/layout/dialect/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace tilewright::layout {

class SharedBuffers {
public:
  SharedBuffers(mlir::func::FuncOp function, Workgroup workgroup)
      : function(function), workgroup(workgroup) {}

  /// Writes a vector with the layout `from`, and reads it as a vector of type `as` with the layout
  /// `to`; `as` has the same elements in row-major order.
  mlir::Value pass(mlir::OpBuilder &builder, mlir::Value value, NestedLayoutAttr from,
                   mlir::VectorType as, NestedLayoutAttr to);
  /// The same for a scalar.
  mlir::Value pass(mlir::OpBuilder &builder, mlir::Value scalar);

  /// Reads the elements of a constant from a global that contains them.
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, mlir::DenseElementsAttr elements);

private:
  /// A buffer for the next value. Two buffers alternate, so that one can be written while the last
  /// value is still being read from the other. `padding` elements follow each row.
  mlir::Value next(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t padding);
  /// The number of padding elements per row that minimises bank conflicts.
  int64_t paddingFor(mlir::VectorType type, NestedLayoutAttr from, NestedLayoutAttr to);

  mlir::Value readWhole(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memory,
                        mlir::VectorType type);
  void writeWhole(mlir::OpBuilder &builder, mlir::Value value, mlir::Value memory);
  /// Index 0 along each dimension, and arbitrary constants, at the start of the function.
  mlir::SmallVector<mlir::Value> origin(int64_t rank);
  mlir::Value atEntry(mlir::TypedAttr constant);

  mlir::func::FuncOp function;
  Workgroup workgroup;
  struct Pair {
    mlir::Value buffers[2];
    bool second = false;
  };
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, Pair> pairs;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseMap<std::tuple<mlir::Type, mlir::Attribute, mlir::Attribute>, int64_t> paddings;
  std::optional<mlir::SymbolTable> symbols; ///< of the module; created on first use
  llvm::DenseMap<mlir::Attribute, mlir::StringAttr> globals;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_SHAREDBUFFERS_H
