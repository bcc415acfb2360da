// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of this room: a kernel, given the text of its body, and the values of
// scalars.

#ifndef TILEWRIGHT_TEST_SUPPORT_ANALYSIS_ANALYSISTEST_H
#define TILEWRIGHT_TEST_SUPPORT_ANALYSIS_ANALYSISTEST_H

#include "mlir/Parser/Parser.h"
#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Format.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/Ops.h"

#include <gtest/gtest.h>

#include <map>

namespace tilewright::analysis {

/// A kernel `@k(%x: tile<ptr<i32>>)`.
class ParsedKernel {
public:
  explicit ParsedKernel(const std::string &body) {
    context.loadDialect<tile::TileDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m { entry @k(%x: tile<ptr<i32>>) {\n" + body + "\n}}", &context);
    EXPECT_TRUE(module) << body;
  }
  tile::EntryOp entry() { return first<tile::EntryOp>(); }
  template <typename Op> Op first() {
    Op found;
    module->walk([&](Op op) { found = found ? found : op; });
    return found;
  }
  /// The operations of the entry's own block.
  std::vector<mlir::Operation *> operations() {
    std::vector<mlir::Operation *> found;
    for (mlir::Operation &op : entry().getBody().front())
      found.push_back(&op);
    return found;
  }

private:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The given values of a kernel.
using Given = std::map<void *, uint64_t>;

/// The bits of a scalar, or the address of a pointer, by evaluating its operations.
inline uint64_t valueOf(mlir::Value value, const Given &given) {
  if (auto found = given.find(value.getAsOpaquePointer()); found != given.end())
    return found->second;
  mlir::Operation *op = value.getDefiningOp();
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    return constant.getValue().getSplatValue<llvm::APInt>().getZExtValue();
  if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op))
    return valueOf(assume.getValue(), given);
  if (auto offset = llvm::dyn_cast<tile::OffsetOp>(op)) {
    auto pointer = llvm::cast<tile::PointerType>(offset.getType().getElementType());
    uint64_t bytes = numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits / 8;
    auto number = llvm::cast<tile::TileType>(offset.getOffset().getType()).getElementType();
    uint64_t moved = llvm::APInt(number.getIntOrFloatBitWidth(), valueOf(offset.getOffset(), given))
                         .getSExtValue();
    return valueOf(offset.getPtr(), given) + moved * bytes;
  }
  std::vector<numerics::Element> in;
  for (mlir::Value operand : op->getOperands()) {
    auto type = llvm::cast<tile::TileType>(operand.getType());
    in.push_back(numerics::Element::fromBits(*tile::formatOf(type.getElementType()),
                                             valueOf(operand, given)));
  }
  return llvm::cast<tile::ElementwiseOpInterface>(op).evalElement(in).bits;
}

} // namespace tilewright::analysis

#endif // TILEWRIGHT_TEST_SUPPORT_ANALYSIS_ANALYSISTEST_H
