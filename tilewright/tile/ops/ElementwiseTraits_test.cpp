// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the traits of elementwise operations. Each operation of the dialect, with each of its
// modifiers and on each of its formats, is evaluated on all combinations of edge values. The
// results are compared with what its record claims about NaNs, about absorbing elements, and about
// the order in which elements may be combined.

#include "test/support/numerics/EdgeValues.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/ElementwiseForms.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;
using numerics::Format;

namespace {

/// All values of formats of up to 8 bits, if at most two operands are combined; else edge values.
std::vector<Element> valuesOf(Format format, size_t count) {
  if (count > 2 || numerics::info(format).bits > 8)
    return numerics::edgeValues(format);
  std::vector<Element> all;
  for (uint64_t bits = 0; bits <= numerics::info(format).mask(); ++bits)
    all.push_back(Element::fromBits(format, bits));
  return all;
}

/// Calls `visit` for all combinations of operand elements.
void forEachCombination(ElementwiseOpInterface op,
                        llvm::function_ref<void(llvm::ArrayRef<Element>)> visit) {
  std::vector<std::vector<Element>> operands;
  size_t combinations = 1;
  for (mlir::Value operand : op->getOperands())
    combinations *=
        operands.emplace_back(valuesOf(formatOfTile(operand), op->getNumOperands())).size();
  for (size_t i = 0; i < combinations; ++i) {
    std::vector<Element> in;
    size_t rest = i;
    for (const std::vector<Element> &operand : operands) {
      in.push_back(operand[rest % operand.size()]);
      rest /= operand.size();
    }
    visit(in);
  }
}

class ElementwiseTraits : public testing::Test {
protected:
  /// Calls `check` for every form, and expects that each operation has at least one.
  void forEachForm(llvm::function_ref<void(ElementwiseOpInterface)> check) {
    context.loadDialect<TileDialect>();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(ElementwiseForms().module(), &context);
    ASSERT_TRUE(module);
    std::set<std::string> seen;
    module->walk([&](ElementwiseOpInterface op) {
      std::string text;
      llvm::raw_string_ostream(text) << *op;
      SCOPED_TRACE(text);
      seen.insert(op->getName().getStringRef().str());
      check(op);
    });
    for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
      if (name.hasInterface<ElementwiseOpInterface>()) {
        EXPECT_TRUE(seen.count(name.getStringRef().str())) << name.getStringRef().str();
      }
  }

  /// The operations of the dialect that have the trait.
  template <template <typename> class Trait> std::set<std::string> operationsWith() {
    std::set<std::string> names;
    for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
      if (name.hasInterface<ElementwiseOpInterface>() && name.hasTrait<Trait>())
        names.insert(name.getStringRef().str());
    return names;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

uint64_t withoutSign(Element element) {
  return element.bits & ~numerics::info(element.format).signBit();
}

/// Where the trait is set, a NaN keeps its payload; its sign may change, as in `negf`. All other
/// NaNs are canonical.
TEST_F(ElementwiseTraits, KeepsNanBits) {
  std::set<std::string> keeping;
  forEachForm([&](ElementwiseOpInterface op) {
    if (!numerics::info(formatOfTile(op->getResult(0))).isFloat())
      return;
    const bool keeps = op->hasTrait<KeepsNanBits>();
    forEachCombination(op, [&](llvm::ArrayRef<Element> in) {
      Element result = op.evalElement(in);
      if (result.poison || !result.isNan())
        return;
      const bool isCanonical = result == Element::canonicalNan(result.format);
      if (!keeps) {
        ASSERT_TRUE(isCanonical) << result.bits;
        return;
      }
      ASSERT_TRUE(llvm::any_of(in, [&](Element operand) {
        return numerics::info(operand.format).bits == numerics::info(result.format).bits &&
               (operand.bits == result.bits || withoutSign(operand) == withoutSign(result));
      })) << result.bits;
      if (!isCanonical)
        keeping.insert(op->getName().getStringRef().str());
    });
  });
  EXPECT_EQ(keeping, operationsWith<KeepsNanBits>()) << "the others make canonical NaNs only";
}

/// With the absorbing element as either operand, the result is the same for every other operand.
TEST_F(ElementwiseTraits, AbsorbingElementsDecideAlone) {
  std::set<std::string> absorbing;
  forEachForm([&](ElementwiseOpInterface op) {
    std::optional<Element> element = op.getAbsorbing();
    if (!element)
      return;
    absorbing.insert(op->getName().getStringRef().str());
    ASSERT_EQ(op->getNumOperands(), 2u);
    std::optional<Element> decided;
    for (unsigned operand : {0, 1}) {
      ASSERT_EQ(element->format, formatOfTile(op->getOperand(operand)));
      ASSERT_FALSE(element->poison);
    }
    forEachCombination(op, [&](llvm::ArrayRef<Element> in) {
      if (in[0] != *element && in[1] != *element)
        return;
      Element result = op.evalElement(in);
      ASSERT_FALSE(result.poison);
      if (!decided)
        decided = result;
      ASSERT_EQ(result, *decided) << in[0].bits << ", " << in[1].bits;
    });
    EXPECT_TRUE(decided) << "the element is among the values";
  });
  // Operations by which kernels mask elements whose values are unspecified.
  for (const char *name : {"cuda_tile.andi", "cuda_tile.muli", "cuda_tile.ori"})
    EXPECT_TRUE(absorbing.count(name)) << name;
}

/// Commutative and associative, where the result is defined: an assumption may be violated in only
/// one of the orders.
TEST_F(ElementwiseTraits, CombinesInAnyOrder) {
  std::set<std::string> seen;
  forEachForm([&](ElementwiseOpInterface op) {
    if (!op->hasTrait<CombinesInAnyOrder>())
      return;
    ASSERT_EQ(op->getNumOperands(), 2u);
    seen.insert(op->getName().getStringRef().str());
    auto combine = [&](Element a, Element b) { return op.evalElement({a, b}); };
    const std::vector<Element> values = numerics::edgeValues(formatOfTile(op->getResult(0)));
    for (Element a : values)
      for (Element b : values) {
        ASSERT_EQ(combine(a, b), combine(b, a)) << a.bits << ", " << b.bits;
        for (Element c : values) {
          Element left = combine(combine(a, b), c), right = combine(a, combine(b, c));
          if (!left.poison && !right.poison) {
            ASSERT_EQ(left, right) << a.bits << ", " << b.bits << ", " << c.bits;
          }
        }
      }
  });
  EXPECT_EQ(seen, operationsWith<CombinesInAnyOrder>());
}

} // namespace
