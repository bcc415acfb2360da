// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does every elementwise operation mean the same in rows as element by element? For each
// operation of the dialect, with each of its modifiers and on each of its formats, the
// row function that is picked for it meets its `evalElement` on all combinations of edge
// values. (numerics/Rows_test.cpp has the arithmetic itself, on many more values.)

#include "tilewright/reference/Rows.h"
#include "tilewright/reference/Tile.h"
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

std::vector<Element> edges(Format format) {
  const numerics::FormatInfo &f = numerics::info(format);
  std::vector<uint64_t> patterns = {0,
                                    1,
                                    2,
                                    5,
                                    31,
                                    64,
                                    f.signBit() - 1,
                                    f.signBit(),
                                    f.signBit() + 1,
                                    f.signBit() / 2,
                                    f.mask(),
                                    f.mask() - 1};
  if (f.isFloat()) {
    uint64_t one = uint64_t(f.bias) << f.mantissaBits, unit = uint64_t(1) << f.mantissaBits;
    for (uint64_t pattern :
         {unit - 1, unit, one - unit, one, one + 1, one + unit / 2, one + unit, one + 5 * unit - 1,
          f.largest - unit, f.largest, f.largest + 1, f.canonicalNan, f.canonicalNan - 1})
      for (uint64_t sign : {uint64_t(0), f.signBit()})
        patterns.push_back(pattern | sign);
  }
  std::vector<Element> elements;
  for (uint64_t pattern : patterns)
    elements.push_back(Element::fromBits(format, pattern & f.mask()));
  return elements;
}

/// All combinations of the operands' edges; number i counts through them.
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
    combinations *= operands.emplace_back(edges(tile::formatOfTile(operand))).size();
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

TEST(Rows, MeanWhatElementsMean) {
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
