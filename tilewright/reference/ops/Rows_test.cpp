// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that row functions agree with single elements. For each operation of the dialect, with
// each of its modifiers and formats, the row function that is chosen for it is compared with its
// `evalElement` on all combinations of edge cases. (numerics/Rows_test.cpp tests the arithmetic
// itself on many more values.)

#include "test/support/numerics/EdgeValues.h"
#include "tilewright/reference/machine/Tile.h"
#include "tilewright/reference/ops/Rows.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/ElementwiseForms.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using reference::Tile;
using tile::ElementwiseOpInterface;

using numerics::Element;
using numerics::Format;

namespace {

//===-- Both ways -------------------------------------------------------------------------===//

/// Combination number i of the operands' edge cases.
std::vector<Element> combination(const std::vector<std::vector<Element>> &operands, size_t i) {
  std::vector<Element> in;
  for (const std::vector<Element> &operand : operands) {
    in.push_back(operand[i % operand.size()]);
    i /= operand.size();
  }
  return in;
}

void compare(mlir::Operation *op, numerics::RowFunction row) {
  std::vector<std::vector<Element>> operands;
  size_t combinations = 1;
  for (mlir::Value operand : op->getOperands())
    combinations *= operands.emplace_back(numerics::edgeValues(tile::formatOfTile(operand))).size();
  std::vector<std::vector<Element>> inputs;
  std::vector<Element> expected;
  for (size_t i = 0; i < combinations; ++i) {
    std::vector<Element> in = combination(operands, i);
    Element value = llvm::cast<ElementwiseOpInterface>(op).evalElement(in);
    if (value.poison)
      continue;
    inputs.push_back(in);
    expected.push_back(value);
  }

  std::vector<Tile> tiles;
  std::vector<const void *> words;
  int64_t count = expected.size();
  for (size_t k = 0; k < operands.size(); ++k) {
    tiles.emplace_back(operands[k].front().format, count);
    for (int64_t i = 0; i < count; ++i)
      tiles.back().set(i, inputs[i][k]);
    words.push_back(tiles.back().words());
  }
  Tile result(tile::formatOfTile(op->getResult(0)), count);
  ASSERT_TRUE(row(words.data(), result.words(), count));
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(result[i], expected[i])
        << "combination " << i << ": " << result[i].bits << " rather than " << expected[i].bits;
}

TEST(Rows, EqualElementwiseResults) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(tile::ElementwiseForms().module(), &context);
  ASSERT_TRUE(module);

  std::set<std::string> seen, inRows;
  int compared = 0;
  module->walk([&](ElementwiseOpInterface op) {
    seen.insert(op->getName().getStringRef().str());
    numerics::RowFunction row = reference::rowFunctionOf(op);
    if (!row)
      return;
    inRows.insert(op->getName().getStringRef().str());
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    SCOPED_TRACE(text);
    compare(op, row);
    ++compared;
  });
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ElementwiseOpInterface>()) {
      std::string text = name.getStringRef().str();
      EXPECT_TRUE(seen.count(text)) << text << " is not tested";
      EXPECT_TRUE(inRows.count(text)) << text << " never runs in rows";
    }
  EXPECT_GT(compared, 300);
}

} // namespace
