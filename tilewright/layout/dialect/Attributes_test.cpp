// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the interface of the layout attribute, and rules that text cannot violate (layouts, 1.3,
// 1.4, 1.9). The layout algebra itself is tested without IR.

#include "test/support/layout/LayoutTest.h"
#include "tilewright/layout/dialect/Ops.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tilewright::layout;

namespace {

class LayoutAttrTest : public testing::Test {
protected:
  LayoutAttrTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<VectorExtDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
  }

  NestedLayoutAttr attr(const Layout &layout) { return NestedLayoutAttr::get(&context, layout); }
  AffineExpr dim(unsigned position) { return getAffineDimExpr(position, &context); }
  AffineMap map(unsigned dims, ArrayRef<AffineExpr> results) {
    return AffineMap::get(dims, 0, results, &context);
  }

  MLIRContext context;
  std::string message;
};

} // namespace

// 1.3: layouts that differ only in the stride of a tile of 1 are equal.
TEST_F(LayoutAttrTest, StridesAreNormalized) {
  auto with = [&](ArrayRef<int64_t> subgroupStrides, ArrayRef<int64_t> threadStrides) {
    return NestedLayoutAttr::get(&context, {1, 2}, {1, 1}, {1, 1}, {4, 1}, {1, 1}, subgroupStrides,
                                 threadStrides);
  };
  EXPECT_EQ(with({7, 1}, {1, 5}), with({0, 1}, {1, 0}));
  EXPECT_NE(with({7, 1}, {1, 5}), with({0, 2}, {1, 0}));
  EXPECT_EQ(with({7, 1}, {1, 5}).getSubgroupStrides(), (ArrayRef<int64_t>{0, 1}));
  EXPECT_EQ(attr(with({7, 1}, {1, 5}).getLayout()), with({7, 1}, {1, 5}));
}

// 1.3: this holds for every way to construct a layout.
TEST_F(LayoutAttrTest, StridesAreNormalizedOnEveryPath) {
  auto emit = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  NestedLayoutAttr built =
      NestedLayoutAttr::get(&context, {1, 2}, {1, 1}, {1, 1}, {4, 1}, {1, 1}, {0, 1}, {1, 0});
  EXPECT_EQ(NestedLayoutAttr::getChecked(emit, &context, {1, 2}, {1, 1}, {1, 1}, {4, 1}, {1, 1},
                                         {7, 1}, {1, 5}),
            built);
  EXPECT_EQ(parseAttribute("#iree_vector_ext.nested_layout<subgroup_tile = [1, 2], "
                           "batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 1], "
                           "element_tile = [1, 1], subgroup_strides = [7, 1], "
                           "thread_strides = [1, 5]>",
                           &context),
            built);
  NestedLayoutAttr none = attr(Layout());
  EXPECT_EQ(NestedLayoutAttr::get(none, {1, 2}, {1, 1}, {1, 1}, {4, 1}, {1, 1}, {7, 1}, {1, 5}),
            built);
  // A nested attribute is unchanged when the attributes around it are rebuilt.
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](StringAttr) { return Builder(&context).getUnitAttr(); });
  EXPECT_EQ(replacer.replace(
                Builder(&context).getArrayAttr({Builder(&context).getStringAttr("x"), built})),
            Builder(&context).getArrayAttr({Builder(&context).getUnitAttr(), built}));
}

// 1.4: checked before strides are used.
TEST_F(LayoutAttrTest, ListsHaveOneLength) {
  auto emit = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  EXPECT_FALSE(NestedLayoutAttr::getChecked(emit, &context, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1},
                                            {1}, {1, 1}));
  EXPECT_EQ(message, "all lists of a nested layout must have the same length, but subgroup_tile "
                     "has 2 and subgroup_strides has 1");
}

TEST_F(LayoutAttrTest, AppendsDimensions) {
  NestedLayoutAttr rows = attr(Layout{{.subgroups = 2, .batches = 3, .subgroupStride = 1}});
  NestedLayoutAttr both = NestedLayoutAttr::get(rows, {1}, {1}, {1}, {4}, {8}, {9}, {2});
  EXPECT_EQ(both, attr(Layout{{.subgroups = 2, .batches = 3, .subgroupStride = 1},
                              {.threads = 4, .elements = 8, .threadStride = 2}}));
}

TEST_F(LayoutAttrTest, Interface) {
  VectorLayoutInterface x = attr(exampleOf64());
  EXPECT_EQ(x.getRank(), 2);
  EXPECT_EQ(x.getUndistributedShape(), (SmallVector<int64_t>{64, 64}));
  EXPECT_EQ(x.getDistributedShape(), (SmallVector<int64_t>{2, 4, 1, 1, 1, 4}));
  EXPECT_EQ(x.permute({1, 0}).permute({1, 0}), x);
  EXPECT_EQ(x.permute({1, 0}), x.apply(map(2, {dim(1), dim(0)})));
  EXPECT_EQ(x.project({false, true}), x.apply(map(2, {dim(0)})));
  EXPECT_EQ(
      x.apply(map(2, {dim(1), getAffineConstantExpr(0, &context), dim(0)})).getUndistributedShape(),
      (SmallVector<int64_t>{64, 1, 64}));
  EXPECT_EQ(x.reshape({64, 16, 4}).getUndistributedShape(), (SmallVector<int64_t>{64, 16, 4}));
  EXPECT_FALSE(x.reshape({64 * 64}));
}

TEST_F(LayoutAttrTest, ConversionsWithoutSharedMemory) {
  Layout a{{.batches = 2, .outers = 1, .threads = 4, .elements = 2, .threadStride = 1}};
  Layout b{{.batches = 1, .outers = 2, .threads = 4, .elements = 2, .threadStride = 1}};
  Layout c{{.batches = 4, .outers = 1, .threads = 4, .elements = 1, .threadStride = 1}};
  EXPECT_FALSE(attr(a).needsSharedMemoryForConversion(attr(b)));
  EXPECT_TRUE(attr(a).needsSharedMemoryForConversion(attr(c)));
}

TEST_F(LayoutAttrTest, Recombination) {
  VectorLayoutInterface matrix =
      attr(fromLists({1, 1}, {4, 2}, {1, 1}, {8, 4}, {1, 8}, {0, 0}, {4, 1}));
  VectorLayoutInterface vector = attr(fromLists({1}, {2}, {1}, {4}, {8}, {0}, {1}));
  AffineMap both = map(2, {dim(0), dim(1)}), k = map(2, {dim(1)}), m = map(2, {dim(0)});
  EXPECT_EQ(NestedLayoutAttr::getRecombinedLayout({matrix, vector}, {both, k}, m),
            attr(fromLists({1}, {4}, {1}, {8}, {1}, {0}, {4})));
  EXPECT_FALSE(NestedLayoutAttr::getRecombinedLayout({vector}, {k}, m));
  EXPECT_FALSE(NestedLayoutAttr::getRecombinedLayout({matrix, nullptr}, {both, k}, m));
}

TEST_F(LayoutAttrTest, BuildersOfToLayout) {
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
  builder.setInsertionPointToStart(module->getBody());
  Block block;
  auto type = RankedTensorType::get({8}, builder.getF32Type());
  Value input = block.addArgument(type, UnknownLoc::get(&context));
  VectorLayoutInterface layout = attr(Layout{{.elements = 8}});
  auto plain = ToLayoutOp::create(builder, UnknownLoc::get(&context), input, layout);
  EXPECT_EQ(plain.getOutput().getType(), type);
  EXPECT_TRUE(plain.hasTensorSemantics());
  EXPECT_FALSE(plain.getSharedMemoryConversion());
  EXPECT_FALSE(plain.getMmaKindAttr());
  auto full = ToLayoutOp::create(builder, UnknownLoc::get(&context), input, layout,
                                 builder.getStringAttr("m16n8k16"), /*sharedMemory=*/true);
  EXPECT_TRUE(full.getSharedMemoryConversion());
  EXPECT_EQ(full.getMmaKindAttr(), builder.getStringAttr("m16n8k16"));
  module->getBody()->clear();
}
