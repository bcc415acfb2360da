// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that text cannot violate, because its parser fails earlier, but programs that build types
// and attributes can (types, 4.4 and 8.1).

#include "tilewright/tile/Ops.h"

#include "mlir/IR/Diagnostics.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {

class TypesTest : public testing::Test {
protected:
  TypesTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<TileDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
  }

  function_ref<InFlightDiagnostic()> emitter() { return emit; }
  TensorViewType tensor(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
    return TensorViewType::getChecked(emitter(), &context, Type(Float32Type::get(&context)), shape,
                                      strides);
  }

  MLIRContext context;
  std::string message;
  std::function<InFlightDiagnostic()> emit = [this] {
    return mlir::emitError(UnknownLoc::get(&context));
  };
};

} // namespace

TEST_F(TypesTest, TileExtentsOfViewsArePositive) {
  TensorViewType view = tensor({8, 8}, {8, 1});
  EXPECT_FALSE(PartitionViewType::getChecked(emitter(), &context, ArrayRef<int32_t>{0, 8}, view,
                                             ArrayRef<int32_t>{0, 1}, PaddingValueAttr()));
  EXPECT_EQ(message, "tile shape dimensions must have positive length but got [0, 8]");
}

TEST_F(TypesTest, TensorViewSizesArePositiveOrDynamic) {
  EXPECT_FALSE(tensor({0}, {1}));
  EXPECT_EQ(message, "dimensions must have strictly positive constant sizes but got [0]");
  EXPECT_FALSE(tensor({4}, {0}));
  EXPECT_EQ(message, "dimensions must have strictly positive constant strides but got [0]");
  EXPECT_TRUE(tensor({ShapedType::kDynamic}, {ShapedType::kDynamic}));
}

/// The types agree with LLVM's float semantics, by which other rooms find a format.
TEST_F(TypesTest, FormatsAndTypesAreInverse) {
  for (const numerics::FormatInfo &format : numerics::allFormats()) {
    if (format.isPointer())
      continue;
    Type type = typeOf(format.format, &context);
    EXPECT_EQ(formatOf(type), format.format) << format.spelling;
    if (auto floatType = dyn_cast<FloatType>(type)) {
      EXPECT_EQ(floatType.getWidth(), format.bits) << format.spelling;
      if (!format.isInLLVM())
        continue;
      EXPECT_EQ(numerics::floatFormat(floatType.getFloatSemantics()), format.format)
          << format.spelling;
    }
  }
  EXPECT_EQ(formatOf(PointerType::get(IntegerType::get(&context, 8))), numerics::Format::Pointer);
  EXPECT_EQ(formatOf(IntegerType::get(&context, 2)), std::nullopt);
  EXPECT_EQ(formatOf(IntegerType::get(&context, 8, IntegerType::Signed)), std::nullopt);
  EXPECT_EQ(formatOf(Float8E4M3Type::get(&context)), std::nullopt);
  EXPECT_EQ(formatOf(IndexType::get(&context)), std::nullopt);
}

TEST_F(TypesTest, DivByNeedsBothEveryAndAlong) {
  Type tile = TileType::get({16}, IntegerType::get(&context, 32));
  auto half = DivByAttr::get(&context, 4, 2, std::nullopt);
  EXPECT_TRUE(failed(half.verifyFor(tile, emitter())));
  EXPECT_EQ(message, "'cuda_tile.div_by' 'every'/'along' must be used in combination");
  EXPECT_TRUE(succeeded(DivByAttr::get(&context, 4, 2, 0).verifyFor(tile, emitter())));
}

// Both spellings of the same view are one type (types, 4.10).
TEST_F(TypesTest, TypesAreStructural) {
  TensorViewType view = tensor({8, 8}, {8, 1});
  auto partition = [&](ArrayRef<int32_t> dimMap) {
    return PartitionViewType::get(&context, ArrayRef<int32_t>{4, 4}, view, dimMap,
                                  PaddingValueAttr());
  };
  EXPECT_EQ(partition({0, 1}), partition({0, 1}));
  EXPECT_NE(partition({0, 1}), partition({1, 0}));
}
