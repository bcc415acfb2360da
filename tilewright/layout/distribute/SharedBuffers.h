// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory through which values move between the threads of a workgroup. A value is written
// and read as a whole vector; the layouts decide which thread writes and reads which part, and
// InsertBarriers.cpp where a barrier is needed.

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

  /// Writes a vector that is held in `from`, and reads it as a vector of the type `as`, which has
  /// the same elements in row-major order and will be held in `to`.
  mlir::Value pass(mlir::OpBuilder &builder, mlir::Value value, NestedLayoutAttr from,
                   mlir::VectorType as, NestedLayoutAttr to);
  /// The same for a scalar.
  mlir::Value pass(mlir::OpBuilder &builder, mlir::Value scalar);

  /// Reads the elements of a constant from memory that holds them from the start.
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, mlir::DenseElementsAttr elements);

private:
  /// A buffer that is free for the next value: two take turns, so that one can be written while
  /// others still read the last value from the other one. `padding` elements follow each row.
  mlir::Value next(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t padding);
  /// How many elements follow each row, so that fewer accesses hit the same bank.
  int64_t paddingFor(mlir::VectorType type, NestedLayoutAttr from, NestedLayoutAttr to);

  mlir::Value readWhole(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memory,
                        mlir::VectorType type);
  void writeWhole(mlir::OpBuilder &builder, mlir::Value value, mlir::Value memory);
  /// The index 0 along each dimension, and any constant: at the start of the function.
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
  std::optional<mlir::SymbolTable> symbols; ///< of the module, once it is needed
  llvm::DenseMap<mlir::Attribute, mlir::StringAttr> globals;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_SHAREDBUFFERS_H
