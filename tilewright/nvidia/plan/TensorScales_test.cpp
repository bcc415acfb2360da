// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests block-scaled products by tcgen05.mma: their kinds, the places of scales, and the tensor
// maps of packed operands.

#include "tilewright/nvidia/plan/RolesTesting.h"
#include "tilewright/nvidia/plan/TensorScales.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::nvidia::testing;

namespace {

class NvidiaTensorScales : public RolesTest {};

/// A word of 128 rows takes four columns (PTX ISA, 9.7.16.10.7), and 512 bytes for a copy. Eight
/// blocks along k are two words. Scales of rhs follow those of lhs.
TEST(TensorScales, FollowAccumulatorsInTensorMemory) {
  MatrixProduct product{
      {"", 128, 32, 86, MatrixForm::Tensor}, 1, 128, 256, /*k=*/256, /*elementBytes=*/1, 1, 1};
  EXPECT_EQ(TensorScales(product).columns(), 0);
  product.scaledBlock = 32;
  const TensorScales scales(product);
  EXPECT_EQ(scales.words(), 2);
  EXPECT_EQ(scales.columnOf(true, 0, 0), 256);
  EXPECT_EQ(scales.columnOf(true, 1, 96), 256 + 4 + 3);
  EXPECT_EQ(scales.columnOf(false, 0, 0), 256 + 8);
  EXPECT_EQ(scales.columnOf(false, 1, 128), 256 + 8 + 8 + 4);
  EXPECT_EQ(scales.columns(), 8 + 16);
  EXPECT_EQ(scales.bytesOf(true), 2 * 512);
  EXPECT_EQ(scales.bytesOf(false), 4 * 512);
}

/// Each CTA of a pair has the scales of its 128 rows of lhs, and of all columns of rhs. In the
/// array of both, those of the second CTA follow.
TEST(TensorScales, CtasDivideThoseOfLhs) {
  MatrixProduct product{
      {"", 128, 32, 86, MatrixForm::Tensor}, 1, 256, 256, /*k=*/256, /*elementBytes=*/1, 1, 1};
  product.scaledBlock = 32;
  product.ctas = 2;
  const TensorScales scales(product);
  EXPECT_EQ(scales.bytesOf(true), 2 * 512);
  EXPECT_EQ(scales.bytesOf(false), 4 * 512);
  EXPECT_EQ(scales.columnOf(true, 0, 0), 256);
  EXPECT_EQ(scales.columnOf(false, 0, 0), 256 + 8);
  EXPECT_EQ(scales.placeOf(/*line=*/33, /*block=*/5), 512 + 16 + 4 + 1);
  EXPECT_EQ(scales.placeOf(128, 0), scales.bytesOf(true));
}

/// A loop over block-scaled products of tiles of m x 128 and 128 x n.
struct Scaled {
  std::string element = "f8E4M3FN", scale = "f8E8M0FNU";
  int block = 32;
  bool isByColumns = true; ///< Whether the columns of rhs are contiguous.
  int64_t k = 512;         ///< The extent of the arrays.
  int64_t m = 128, n = 64;

  std::string rows() const { return std::to_string(m) + "x"; }
  std::string columns() const { return "x" + std::to_string(n); }
  std::string sum() const { return "tile<" + std::to_string(m) + columns() + "xf32>"; }

  struct Operand {
    std::string name, element, shape, strides, tile, index;

    std::string view() const {
      std::string extents = shape;
      extents.replace(extents.find(", "), 2, "x");
      return "partition_view<tile=(" + tile + "), padding_value = zero, " + array(extents) + ">";
    }
    std::string array(const std::string &extents) const {
      return "tensor_view<" + extents + "x" + element + ", strides=[" + strides + "]>";
    }
    std::string type() const { return "tile<" + tile + "x" + element + ">"; }
    /// Makes a view of %p.
    std::string make() const {
      const std::string pointer = "tile<ptr<" + element + ">>", is = "%" + name;
      std::string extents = shape;
      extents.replace(extents.find(", "), 2, "x");
      return is + "q = ptr_to_ptr %p : tile<ptr<f16>> -> " + pointer + "\n" + is +
             "p = assume div_by<16>, " + is + "q : " + pointer + "\n" + is +
             "v = make_tensor_view " + is + "p, shape = [" + shape + "], strides = [" + strides +
             "] : " + array(extents) + "\n" + is + " = make_partition_view " + is +
             "v : " + view() + "\n";
    }
    std::string load() const {
      return "%" + name + "t, %" + name + "k = load_view_tko weak %" + name + "[" + index +
             "] : " + view() + ", tile<i32> -> " + type() + ", token\n";
    }
  };
  std::vector<Operand> operands() const {
    const std::string along = std::to_string(k), blocks = std::to_string(512 / block),
                      ofTile = std::to_string(128 / block);
    return {{"l", element, "512, " + along, along + ", 1", rows() + "128", "%zero, %i"},
            {"r", element, along + ", 512", isByColumns ? "1, " + along : "512, 1",
             "128" + columns(), "%i, %zero"},
            {"s", scale, "512, " + blocks, blocks + ", 1", rows() + ofTile, "%zero, %i"},
            {"t", scale, blocks + ", 512", "512, 1", ofTile + columns(), "%i, %zero"}};
  }
  std::string views() const {
    std::string text = "%start = constant <f32: 0.0> : " + sum() + "\n";
    for (const Operand &operand : operands())
      text += operand.make();
    return text;
  }
  std::string loop() const {
    const std::vector<Operand> all = operands();
    std::string text = "%all = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = "
                       "%start) -> (" +
                       sum() + ") {\n";
    for (const Operand &operand : all)
      text += operand.load();
    return text + "%d = mmaf_scaled %lt, %rt, %acc, %st, %tt : " + all[0].type() + ", " +
           all[1].type() + ", " + sum() + ", " + all[2].type() + ", " + all[3].type() +
           "\ncontinue %d : " + sum() + "\n}\n";
  }
};

TEST_F(NvidiaTensorScales, ConsumersWriteScalesAheadOfTheMultiplier) {
  const Scaled scaled;
  const Plan plan = planAfter(scaled.views(), scaled.loop(), "sm_100a");
  ASSERT_TRUE(plan.tensor.isUsed()) << plan.tensor.reasons.front().second;
  EXPECT_TRUE(plan.tensor.products.front().second.isHeld);
  EXPECT_EQ(plan.tensor.columns, 128); // 64 of accumulators, and four each of scales
  const Staging &staging = plan.staged.front().second;
  for (bool isLhs : {true, false}) {
    EXPECT_EQ(staging.scales(isLhs).way, StagedOperand::WrittenAhead);
    EXPECT_EQ(staging.scales(isLhs).bytes, 512);
  }
  EXPECT_FALSE(plan.exchanges.contains(plan.tensor.products.front().first));
  EXPECT_EQ(plan.roles.maps.size(), 2u);
}

/// A pair of CTAs: 256 rows of four scales each are divided, one row to a thread; both CTAs have
/// the four scales of all 64 columns.
TEST_F(NvidiaTensorScales, EachCtaOfAPairHoldsItsScales) {
  const Scaled scaled{.m = 256};
  const Plan plan = planAfter(scaled.views(), scaled.loop(), "sm_100a");
  ASSERT_TRUE(plan.isPair());
  EXPECT_EQ(plan.threadsOfCta(), 128);
  auto op = llvm::cast<tile::MmaFScaledOp>(plan.tensor.products.front().first);
  const TileLayout ofLhs = layoutOfWritten(plan, op.getLhsScale(), true);
  const TileLayout ofRhs = layoutOfWritten(plan, op.getRhsScale(), false);
  for (int64_t thread : {0, 77, 127}) {
    EXPECT_EQ(ofLhs.indexOf(thread, 0), thread * 4);
    EXPECT_EQ(ofLhs.indexOf(128 + thread, 0), (128 + thread) * 4);
    EXPECT_EQ(ofRhs.indexOf(128 + thread, 0), ofRhs.indexOf(thread, 0));
  }
  EXPECT_EQ(ofLhs.slots(), 4);
  EXPECT_EQ(ofRhs.slots(), 2);
  EXPECT_FALSE(ofRhs.unusedThreadBits() & 127);
}

/// The same tile cannot be divided as scales of lhs, and whole as scales of rhs.
TEST_F(NvidiaTensorScales, SharedScalesForbidAPair) {
  const Scaled scaled{.m = 256, .n = 256};
  std::string loop = scaled.loop();
  loop.insert(loop.find("%d = "), "%both = permute %st [1, 0] : tile<256x4xf8E8M0FNU> -> "
                                  "tile<4x256xf8E8M0FNU>\n");
  loop.replace(loop.find("%st, %tt"), 8, "%st, %both");
  Plan plan = planAfter(scaled.views(), loop, "sm_100a");
  EXPECT_FALSE(plan.isPair());
  const std::string &reason = plan.refusedHints["num_cta_in_cga"];
  EXPECT_NE(reason.find("scales of rhs"), std::string::npos) << reason;
}

/// A view of scales in the order of a stage: its last two dimensions are one row of 16 bytes. If
/// the producer cannot copy them, because it begins before their view is made, consumers write
/// them.
TEST_F(NvidiaTensorScales, TheProducerCopiesScalesInTheOrderOfAStage) {
  const Scaled scaled;
  const std::string array = "tensor_view<4x4x32x4x4xf8E8M0FNU, strides=[2048,512,16,4,1]>",
                    view = "partition_view<tile=(1x1x32x4x4), padding_value = zero, " + array + ">",
                    tile = "tile<1x1x32x4x4xf8E8M0FNU>";
  const std::string made = "%o = make_tensor_view %sp, shape = [4, 4, 32, 4, 4], strides = [2048, "
                           "512, 16, 4, 1] : " +
                           array + "\n%ordered = make_partition_view %o : " + view + "\n";
  std::string loop = scaled.loop();
  const std::string load = scaled.operands()[2].load();
  loop.replace(loop.find(load), load.size(),
               "%w, %wk = load_view_tko weak %ordered[%zero, %i, %zero, %zero, %zero] : " + view +
                   ", tile<i32> -> " + tile + ", token\n%v = permute %w [0, 3, 2, 1, 4] : " + tile +
                   " -> tile<1x4x32x1x4xf8E8M0FNU>\n%st = reshape %v : "
                   "tile<1x4x32x1x4xf8E8M0FNU> -> tile<128x4xf8E8M0FNU>\n");
  const Plan plan = planAfter(scaled.views() + made, loop, "sm_100a");
  ASSERT_TRUE(plan.tensor.isUsed()) << plan.tensor.reasons.front().second;
  const Staging &staging = plan.staged.front().second;
  EXPECT_EQ(staging.lhsScales.way, StagedOperand::CopiedAhead);
  EXPECT_EQ(staging.rhsScales.way, StagedOperand::WrittenAhead);
  ASSERT_EQ(plan.roles.maps.size(), 3u);
  const TensorMap &map = plan.roles.maps.back();
  EXPECT_EQ(map.dims, (llvm::SmallVector<unsigned, 5>{4, 2, 1, 0}));
  EXPECT_EQ(map.merged, (llvm::SmallVector<unsigned, 2>{3}));
  EXPECT_EQ(map.box, (llvm::SmallVector<int64_t, 5>{16, 32, 1, 1}));
  std::string within = loop;
  within.insert(within.find("%lt, "), made);
  const Plan other = planAfter(scaled.views(), within, "sm_100a");
  ASSERT_TRUE(other.tensor.isUsed()) << other.tensor.reasons.front().second;
  EXPECT_EQ(other.staged.front().second.lhsScales.way, StagedOperand::WrittenAhead);
  EXPECT_TRUE(other.tensor.reasons.empty());
}

/// The number of a type is at bits 7 and 10; bit 23 says that scales are powers of two.
TEST_F(NvidiaTensorScales, KindsOfBlockScaledProducts) {
  auto formOf = [&](const Scaled &scaled) -> std::string {
    const Plan plan = planAfter(scaled.views(), scaled.loop(), "sm_100a");
    if (!plan.tensor.isUsed())
      return plan.tensor.reasons.front().second;
    const MatrixForm &form = plan.matrices.front().second.form;
    return form.name.substr(0, form.name.find('.')) + " " + std::to_string(form.typeBits);
  };
  const std::string f4 = "f4E2M1FN", powers = "f8E8M0FNU";
  EXPECT_EQ(formOf({}), "mxf8f6f4 8388608");
  EXPECT_EQ(formOf({"f8E5M2"}), "mxf8f6f4 8389760");
  EXPECT_EQ(formOf({f4, powers, 32}), "mxf4 8389760");
  EXPECT_EQ(formOf({f4, powers, 16}), "mxf4nvf4 8389760");
  EXPECT_EQ(formOf({f4, "f8E4M3FN", 16}), "mxf4nvf4 1152");
  EXPECT_EQ(formOf({f4, "f8E5M3FNU", 16}), "it takes no scales of f8E5M3FNU");
  EXPECT_EQ(formOf({f4, powers, 32, /*isByColumns=*/false}),
            "it takes two elements from a byte, but threads would write one: an operand is not "
            "copied ahead, or not contiguous along k");
}

/// Elements of four bits are copied in pairs. Their strides have 32 elements or a multiple, and
/// their rows have whole bytes.
TEST_F(NvidiaTensorScales, MapsCopyPairsOfPackedElements) {
  const Scaled scaled{"f4E2M1FN"};
  const Plan plan = planAfter(scaled.views(), scaled.loop(), "sm_100a");
  ASSERT_EQ(plan.roles.maps.size(), 2u);
  EXPECT_EQ(plan.roles.maps[0].box, (llvm::SmallVector<int64_t, 5>{64, 128}));
  EXPECT_EQ(plan.roles.maps[1].box, (llvm::SmallVector<int64_t, 5>{64, 64}));
  EXPECT_EQ(plan.roles.maps[1].dims, (llvm::SmallVector<unsigned, 5>{0, 1}));
  EXPECT_EQ(plan.roles.maps[0].elementsOfUnit, 2);
  EXPECT_EQ(plan.staged.front().second.lhs.bytes, 128 * 64);
  auto reasonAt = [&](int64_t k) {
    const Scaled other{"f4E2M1FN", "f8E8M0FNU", 32, true, k};
    const Plan plan = planAfter(other.views(), other.loop(), "sm_100a");
    EXPECT_FALSE(plan.tensor.isUsed());
    return plan.tensor.reasons.front().second;
  };
  EXPECT_EQ(reasonAt(496), "lhs: a stride is not known to be a multiple of 16 bytes");
  EXPECT_EQ(reasonAt(511), "lhs: the rows are not known to have whole bytes");
}

} // namespace
