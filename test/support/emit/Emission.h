// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of this room: a kernel whose operations are emitted into a function, and the
// values of what is computed from constants.

#ifndef TILEWRIGHT_TEST_SUPPORT_EMIT_EMISSION_H
#define TILEWRIGHT_TEST_SUPPORT_EMIT_EMISSION_H

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/emit/ViewDescriptors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tilewright::emit {

/// The value of an integer that is computed from constants.
inline uint64_t folded(mlir::Value value) {
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return constant.getZExtValue();
  mlir::Operation *op = value.getDefiningOp();
  if (!op)
    return ADD_FAILURE() << "an argument is no constant", 0;
  llvm::SmallVector<mlir::Attribute> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(mlir::IntegerAttr::get(
        operand.getType(),
        llvm::APInt(operand.getType().getIntOrFloatBitWidth(), folded(operand))));
  llvm::SmallVector<mlir::OpFoldResult> results;
  if (llvm::failed(op->fold(operands, results)) || results.size() != 1)
    return ADD_FAILURE() << op->getName().getStringRef().str() << " does not fold", 0;
  if (auto same = llvm::dyn_cast<mlir::Value>(results[0]))
    return folded(same);
  return llvm::cast<mlir::IntegerAttr>(llvm::cast<mlir::Attribute>(results[0]))
      .getValue()
      .getZExtValue();
}

inline std::vector<uint64_t> folded(llvm::ArrayRef<mlir::Value> values) {
  std::vector<uint64_t> all;
  for (mlir::Value value : values)
    all.push_back(folded(value));
  return all;
}

/// A kernel, and a function in another module into which its operations are emitted.
struct Emission {
  explicit Emission(const std::string &body) : kernel(body) {
    mlir::MLIRContext *context = kernel.entry().getContext();
    context->loadDialect<mlir::arith::ArithDialect, mlir::LLVM::LLVMDialect>();
    into = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
    b.emplace(*into);
    b->setInsertionPointToEnd(into->getBody());
    auto type = mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(context),
                                                  {mlir::LLVM::LLVMPointerType::get(context)});
    auto function = mlir::LLVM::LLVMFuncOp::create(*b, "f", type);
    b->setInsertionPointToStart(function.addEntryBlock(*b));
    pointer = function.getArgument(0);
    scalars.define(kernel.entry().getBody().getArgument(0), pointer);
    views.emplace(*b, scalars);
  }
  /// Emits constants as scalars, and operations on views as such.
  void emitAll() {
    for (mlir::Operation *op : kernel.operations())
      if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
        define(constant);
      else if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op))
        views->emitAssume(assume);
      else if (!op->hasTrait<mlir::OpTrait::IsTerminator>())
        views->emit(op);
  }
  void define(tile::ConstantOp op) {
    auto type = llvm::cast<tile::TileType>(op.getResult().getType()).getElementType();
    uint64_t bits = op.getValue().getSplatValue<llvm::APInt>().getZExtValue();
    scalars.define(op.getResult(), b->constantElement(type, bits));
  }
  /// The results of the first operation of this kind, as constants.
  template <typename Op> std::vector<uint64_t> resultsOf() {
    std::vector<uint64_t> all;
    for (mlir::Value result : kernel.first<Op>()->getResults())
      all.push_back(folded(scalars.of(result)));
    return all;
  }

  analysis::ParsedKernel kernel;
  mlir::OwningOpRef<mlir::ModuleOp> into;
  std::optional<IrBuilder> b;
  mlir::Value pointer;
  Scalars scalars;
  std::optional<ViewDescriptors> views;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_TEST_SUPPORT_EMIT_EMISSION_H
