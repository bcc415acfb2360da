// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of this room: a kernel, given the text of its body.

#ifndef TILEWRIGHT_TEST_SUPPORT_ANALYSIS_ANALYSISTEST_H
#define TILEWRIGHT_TEST_SUPPORT_ANALYSIS_ANALYSISTEST_H

#include "mlir/Parser/Parser.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/Ops.h"

#include <gtest/gtest.h>

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

} // namespace tilewright::analysis

#endif // TILEWRIGHT_TEST_SUPPORT_ANALYSIS_ANALYSISTEST_H
