// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base class of all compilers' builders. It creates upstream operations at the current source
// location, and has functions for what all generated code contains: index arithmetic in i64,
// constants, conditions, and jumps between blocks of the current function.

#ifndef TILEWRIGHT_EMIT_IRBUILDER_H
#define TILEWRIGHT_EMIT_IRBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilewright::emit {

class IrBuilder : public mlir::ImplicitLocOpBuilder {
public:
  explicit IrBuilder(mlir::ModuleOp into)
      : ImplicitLocOpBuilder(into.getLoc(), into.getBodyRegion()) {}
  IrBuilder(const IrBuilder &) = delete;
  virtual ~IrBuilder() = default;

  /// Sets the source location of the operations that follow. Keeps only a file, line and column,
  /// because debuggers and `.loc` support nothing else.
  void setPlace(mlir::Location place);

  //===-- Values ---------------------------------------------------------------------------===//
  virtual mlir::Value i64(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Zero-extends an integer of any width to i64.
  mlir::Value zeroExtended(mlir::Value value);
  /// A constant of this type, a scalar or a splat. Floats take their bits from `bits`.
  mlir::Value constantBits(mlir::Type type, uint64_t bits);
  /// The register form of the element with these bits.
  mlir::Value constantElement(mlir::Type elementType, uint64_t bits);
  /// The conjunction of two conditions, or of masks with equal numbers of lanes; null means true.
  mlir::Value conjunction(mlir::Value a, mlir::Value b);

  //===-- Blocks of the function -----------------------------------------------------------===//
  /// The function that is being emitted.
  mlir::LLVM::LLVMFuncOp function();
  /// Appends a block to the function.
  mlir::Block *newBlock(llvm::ArrayRef<mlir::Type> arguments = {});
  void jump(mlir::Block *to, mlir::ValueRange values = {});
  void jumpIf(mlir::Value condition, mlir::Block *then, mlir::ValueRange thenValues,
              mlir::Block *otherwise, mlir::ValueRange otherwiseValues);
  void jumpIf(mlir::Value condition, mlir::Block *then, mlir::Block *otherwise);
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_IRBUILDER_H
