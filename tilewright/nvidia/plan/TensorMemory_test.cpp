// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which products have their accumulators in tensor memory, where, and the reasons against it.

#include "tilewright/nvidia/plan/RolesTesting.h"

#include <map>

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::nvidia::testing;

namespace {

class NvidiaTensorMemory : public RolesTest {
protected:
  /// Whether the view %c permits tensor maps, is not even known at the beginning of the kernel.
  Plan planFor(const std::string &body, const std::string &target = "sm_100a") {
    return planAfter(makeView("a", "p") + makeView("b", "p") + makeLateView(), body, target);
  }
  /// Why the product of this name is not computed by tcgen05.mma.
  std::string reasonAgainst(const std::string &body, const std::string &name = "ds") {
    Plan plan = planFor(body);
    for (const auto &[op, reason] : plan.tensor.reasons)
      if (nameOf(op) == name) {
        EXPECT_EQ(plan.matrices.find(op)->second.form.kind, MatrixForm::Sync);
        return reason;
      }
    return "";
  }
  /// That of the only product in the body.
  std::string reasonOfAll(const std::string &body) {
    Plan plan = planFor(body);
    EXPECT_FALSE(plan.tensor.isUsed());
    EXPECT_FALSE(plan.roles.areSpecialised());
    EXPECT_EQ(plan.launchedThreads(), plan.threads);
    return plan.tensor.reasons.empty() ? "" : plan.tensor.reasons.front().second;
  }
  /// A loop whose product has these types.
  static std::string typed(const std::string &lhs, const std::string &rhs, const std::string &sum,
                           const std::string &zero = "0.0") {
    return "%l = constant <" + lhs.substr(lhs.rfind('x') + 1) + ": 0.0> : tile<" + lhs +
           ">\n%r = constant <" + rhs.substr(rhs.rfind('x') + 1) + ": 0.0> : tile<" + rhs +
           ">\n%start = constant <" + sum.substr(sum.rfind('x') + 1) + ": " + zero + "> : tile<" +
           sum +
           ">\n%all = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %start) -> "
           "(tile<" +
           sum + ">) {\n%d = mmaf %l, %r, %acc : tile<" + lhs + ">, tile<" + rhs + ">, tile<" +
           sum + ">\ncontinue %d : tile<" + sum + ">\n}\n";
  }
};

TEST_F(NvidiaTensorMemory, AMultiplierFollowsTheProducer) {
  for (const char *target : {"sm_100a", "sm_103a", "sm_110a"}) {
    Plan plan = planFor(loop("s"), target);
    ASSERT_EQ(plan.tensor.products.size(), 1u) << target;
    EXPECT_EQ(plan.threads, 128);
    EXPECT_EQ(plan.launchedThreads(), 128 + 32 + 32);
    EXPECT_EQ(sliceOf(plan), "p zero one av a bv b s ds");
    EXPECT_TRUE(plan.tensor.reasons.empty());
  }
  for (const char *target : {"sm_90a", "sm_120a", "sm_121a"}) {
    Plan plan = planFor(loop("s"), target);
    EXPECT_FALSE(plan.tensor.isUsed()) << target;
    EXPECT_TRUE(plan.tensor.reasons.empty()) << target;
  }
}

/// Two mbarriers and the address of the allocation are behind the operands, not in each other's
/// bytes.
TEST_F(NvidiaTensorMemory, PlacesInSharedMemory) {
  Plan plan = planFor(loop("s"));
  const TensorAccumulators &sums = plan.tensor.products.front().second;
  const Ring &ring = plan.roles.rings.front().second;
  const int64_t endOfRing = ring.barriers + 2 * ring.stages * Ring::barrierBytes;
  EXPECT_GE(sums.ready, endOfRing);
  EXPECT_GE(sums.done, sums.ready + 8);
  EXPECT_GE(plan.tensor.address, sums.done + 8);
  EXPECT_LE(plan.tensor.address + 4, plan.shared.bytes);
  EXPECT_EQ(sums.ready % 8, 0);
  EXPECT_EQ(sums.done % 8, 0);
}

/// Allocations have a power of two columns (PTX ISA, 9.7.16.7.1).
TEST_F(NvidiaTensorMemory, ProductsHaveColumnsOfTheirOwn) {
  stages = 2;
  Plan plan = planFor(loop("s") + loop("t") + loop("u"));
  ASSERT_EQ(plan.tensor.products.size(), 3u);
  int64_t next = 0;
  for (const auto &[op, sums] : plan.tensor.products) {
    EXPECT_EQ(sums.column, next);
    next += 64;
  }
  EXPECT_EQ(plan.tensor.columns, 256);
}

TEST_F(NvidiaTensorMemory, LoopsThatBeginWithZerosStoreNothing) {
  EXPECT_TRUE(planFor(loop("s")).tensor.products.front().second.beginWithZeros());
  const std::string first = loop("s");
  std::string second = loop("t");
  second.replace(second.find("%none"), 5, "%s");
  Plan plan = planFor(first + second);
  ASSERT_EQ(plan.tensor.products.size(), 2u);
  EXPECT_FALSE(plan.tensor.products.back().second.beginWithZeros());
  for (const char *other : {"-0.0", "1.0"}) {
    std::string body =
        std::string("%init = constant <f32: ") + other + "> : " + tile32 + "\n" + first;
    body.replace(body.find("%none"), 5, "%init");
    Plan plan = planFor(body);
    ASSERT_TRUE(plan.tensor.isUsed());
    EXPECT_FALSE(plan.tensor.products.front().second.beginWithZeros()) << other;
  }
}

TEST_F(NvidiaTensorMemory, ReasonsOfTypesAndTiles) {
  EXPECT_EQ(reasonOfAll(typed("64x64xf32", "64x64xf32", "64x64xf32")),
            "it does not multiply f32 on sm_100a");
  EXPECT_EQ(reasonOfAll(typed("64x64xf16", "64x64xf16", "64x64xf16")),
            "the accumulators are rounded to f16 in each iteration");
  EXPECT_EQ(reasonOfAll(typed("32x64xf16", "64x64xf16", "32x64xf32")),
            "the tile has fewer than 64 rows");
  EXPECT_EQ(reasonOfAll(typed("64x64xf16", "64x8xf16", "64x8xf32")),
            "the rows of the tile of rhs have fewer than 32 bytes");
  EXPECT_EQ(reasonOfAll(typed("64x8xf16", "8x64xf16", "64x64xf32")),
            "the rows of the tile of lhs have fewer than 32 bytes");
  EXPECT_EQ(reasonOfAll(typed("2x64x64xf16", "2x64x64xf16", "2x64x64xf32")),
            "the operands are batches of matrices");
}

/// The types in an instruction descriptor (PTX ISA, 9.7.16.4.2): D at bit 4, A at 7, B at 10.
TEST_F(NvidiaTensorMemory, TypesHaveTheNumbersOfTheManual) {
  auto bitsOf = [&](const std::string &name, const std::string &element, const std::string &sums,
                    const std::string &signs, const std::string &target) -> std::string {
    const std::string operand = "tile<64x64x" + element + ">", sum = "tile<64x64x" + sums + ">";
    const std::string zero = sums == "i32" ? "0" : "0.0";
    planAfter("",
              "%x = constant <" + element + ": " + zero + "> : " + operand + "\n%c = constant <" +
                  sums + ": " + zero + "> : " + sum + "\n%d = " + name + " %x, %x, %c" + signs +
                  " : " + operand + ", " + operand + ", " + sum + "\n",
              target);
    std::string text;
    module->walk([&](tile::MatmulOpInterface op) {
      ProductOrReason found = tensorProductOf(op, targetOf, 128);
      const auto *product = std::get_if<MatrixProduct>(&found);
      text = product ? product->form.name + " " + std::to_string(product->form.typeBits)
                     : std::get<std::string>(found);
    });
    return text;
  };
  EXPECT_EQ(bitsOf("mmaf", "f16", "f32", "", "sm_100a"), "f16 16");
  EXPECT_EQ(bitsOf("mmaf", "bf16", "f32", "", "sm_100a"), "f16 1168");
  EXPECT_EQ(bitsOf("mmaf", "tf32", "f32", "", "sm_100a"), "tf32 2320");
  EXPECT_EQ(bitsOf("mmaf", "f8E4M3FN", "f32", "", "sm_103a"), "f8f6f4 16");
  EXPECT_EQ(bitsOf("mmaf", "f8E5M2", "f32", "", "sm_100a"), "f8f6f4 1168");
  EXPECT_EQ(bitsOf("mmaf", "f32", "f32", "", "sm_100a"), "it does not multiply f32 on sm_100a");
  EXPECT_EQ(bitsOf("mmai", "i8", "i32", " signed signed", "sm_100a"), "i8 1184");
  EXPECT_EQ(bitsOf("mmai", "i8", "i32", " unsigned signed", "sm_110a"), "i8 1056");
  EXPECT_EQ(bitsOf("mmai", "i8", "i32", " signed unsigned", "sm_100a"), "i8 160");
  EXPECT_EQ(bitsOf("mmai", "i8", "i32", " signed signed", "sm_103a"),
            "it does not multiply i8 on sm_103a");
  EXPECT_EQ(bitsOf("mmaf", "f16", "f32", "", "sm_90a"), "");
}

TEST_F(NvidiaTensorMemory, ProductsAreInLoops) {
  EXPECT_EQ(reasonOfAll("%acc = constant <f32: 1.0> : " + tile32 + "\n" +
                        load("x", "a", "%zero, %zero") + load("y", "b", "%zero, %zero") +
                        product("ds", "x", "y")),
            "the product is not immediately in a `for` loop");
}

/// Accumulators are held during the loop if it only carries them from product to product; otherwise
/// they are handed over for each product.
TEST_F(NvidiaTensorMemory, LoopsHoldWhatTheyOnlyCarry) {
  auto isHeld = [&](const std::string &body) -> std::optional<bool> {
    Plan plan = planFor(body);
    if (!plan.tensor.isUsed())
      return std::nullopt;
    return plan.tensor.products.front().second.isHeld;
  };
  EXPECT_EQ(isHeld(loop("s")), true);
  std::string fixed = loop("s");
  fixed.replace(fixed.find("%acc :"), 4, "%none");
  EXPECT_EQ(isHeld(fixed), false);
  EXPECT_EQ(isHeld(loop("s", "a", "b", "", "%zero to %n, step %one",
                        "%twice = addf %acc, %acc : " + tile32 + "\n")),
            false);
  std::string changed = loop("s");
  changed.replace(changed.find("continue %ds"), 12,
                  "%more = addf %ds, %ds : " + tile32 + "\ncontinue %more");
  EXPECT_EQ(isHeld(changed), false);
  std::string written = loop("s");
  written.replace(written.find("%ds = mmaf %xs"), 14,
                  "%w = addf %xs, %xs : " + tile16 + "\n%ds = mmaf %w");
  EXPECT_EQ(isHeld(written), false);
}

/// What keeps a producer away keeps tensor memory away; the plan is then that of `mma.sync`.
TEST_F(NvidiaTensorMemory, ReasonsOfOperands) {
  EXPECT_EQ(reasonOfAll(loop("s", "c", "b")),
            "lhs: the address is not known to be a multiple of 16 bytes");
  EXPECT_EQ(reasonOfAll("%u = make_token : token\n%f = memory_fence_alias_tko %u\n" + loop("s")),
            "the entry has a fence");
  EXPECT_EQ(
      reasonOfAll(typed("64x64xf16", "64x64xf16", "64x64xf32")),
      "neither operand is copied ahead: its load is not weak, not through a view, or its indices "
      "do not follow from the loop variable; or shared memory does not suffice for two stages");
}

/// 64 x 512 accumulators take all columns.
TEST_F(NvidiaTensorMemory, ColumnsMayNotSuffice) {
  const std::string rows = "partition_view<tile=(64x16), padding_value = zero, " + array + ">",
                    wide = "partition_view<tile=(16x512), padding_value = zero, " + array + ">";
  const std::string views =
      "%av = make_tensor_view %p, shape = [512, 512], strides = [512, 1] : " + array +
      "\n%a = make_partition_view %av : " + rows + "\n%b = make_partition_view %av : " + wide +
      "\n%start = constant <f32: 0.0> : tile<64x512xf32>\n";
  auto wideLoop = [&](const std::string &name) {
    return "%" + name +
           " = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %start) -> "
           "(tile<64x512xf32>) {\n%x, %xt = load_view_tko weak %a[%zero, %i] : " +
           rows + ", tile<i32> -> tile<64x16xf16>, token\n%y, %yt = load_view_tko weak %b[%i, " +
           "%zero] : " + wide +
           ", tile<i32> -> tile<16x512xf16>, token\n%d = mmaf %x, %y, %acc : " +
           "tile<64x16xf16>, tile<16x512xf16>, tile<64x512xf32>" + at("d" + name) +
           "continue %d : tile<64x512xf32>\n}\n";
  };
  stages = 2;
  Plan plan = planAfter(views, wideLoop("s") + wideLoop("t"), "sm_100a");
  ASSERT_EQ(plan.tensor.products.size(), 1u);
  EXPECT_EQ(nameOf(plan.tensor.products.front().first), "ds");
  EXPECT_EQ(plan.tensor.columns, 512);
  ASSERT_EQ(plan.tensor.reasons.size(), 1u);
  EXPECT_EQ(plan.tensor.reasons.front().second,
            "it needs 512 columns of tensor memory, but 0 of 512 are left");
}

/// A product outside of a loop takes accumulators in the layout of fragments, so those of the loop
/// have it, too.
TEST_F(NvidiaTensorMemory, AllProductsOfAClassHaveOneLayout) {
  std::string behind =
      load("x", "a", "%zero, %zero") + load("y", "b", "%zero, %zero") + product("behind", "x", "y");
  behind.replace(behind.find("%acc"), 4, "%s");
  EXPECT_EQ(reasonAgainst(loop("s") + behind),
            "another product with its accumulators needs mma.sync");
  EXPECT_EQ(reasonAgainst(loop("s") + behind, "behind"),
            "the product is not immediately in a `for` loop");
}

/// If the answer is no, the threads that hold tiles multiply by mma.sync.
TEST_F(NvidiaTensorMemory, TheKernelAsksWhatIsNotKnown) {
  const Plan plan = planOf(loop("s", "c", "b"), "sm_100a");
  EXPECT_EQ(plan.tensor.products.size(), 1u);
  EXPECT_EQ(plan.roles.questions.size(), 1u);
  ASSERT_TRUE(plan.otherwise);
  EXPECT_FALSE(plan.otherwise->tensor.isUsed());
  EXPECT_FALSE(plan.otherwise->roles.areSpecialised());
  EXPECT_EQ(plan.otherwise->threads, plan.threads);
  EXPECT_EQ(plan.otherwise->matrices.front().second.form.kind, MatrixForm::Sync);
}

TEST_F(NvidiaTensorMemory, ALoopWithoutProducerLeavesOthersAlone) {
  Plan plan = planFor(loop("s", "c", "b") + loop("t"));
  ASSERT_EQ(plan.tensor.products.size(), 1u);
  EXPECT_EQ(nameOf(plan.tensor.products.front().first), "dt");
  EXPECT_EQ(plan.tensor.products.front().second.column, 0);
  EXPECT_EQ(plan.roles.rings.size(), 1u);
  EXPECT_EQ(plan.tensor.reasons.size(), 1u);
}

/// The reason of the last product is not hidden by what follows from it for the others.
TEST_F(NvidiaTensorMemory, NinthTileOf64ColumnsHasNoPlace) {
  std::string carried, types, products, results;
  for (int number = 0; number < 9; ++number) {
    const std::string n = std::to_string(number), comma = number ? ", " : "";
    carried += comma + "%c" + n + " = %none";
    types += comma + tile32;
    results += comma + "%d" + n;
    products += "%d" + n + " = mmaf %x, %y, %c" + n + " : " + tile16 + ", " + tile16 + ", " +
                tile32 + at("d" + n);
  }
  const Plan plan = planOf("%r:9 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(" +
                               carried + ") -> (" + types + ") {\n" + load("x", "a", "%zero, %i") +
                               load("y", "b", "%i, %zero") + products + "continue " + results +
                               " : " + types + "\n}\n",
                           "sm_100a");
  std::map<std::string, std::string> reasons;
  for (const auto &[product, reason] : plan.tensor.reasons)
    reasons[nameOf(product)] = reason;
  EXPECT_EQ(reasons["d8"], "it needs 64 columns of tensor memory, but 0 of 512 are left");
}

} // namespace
