// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the document says about two versions of a kernel.

#include "tilewright/api/explore/Testing.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
namespace json = llvm::json;

namespace {

/// Block b writes b to x[b], where `racing` writes it to x[0].
constexpr char separate[] = R"(cuda_tile.module @m {
  entry @race(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %u = store_ptr_tko weak %at, %b : tile<ptr<i32>>, tile<i32> -> token
  }
})";

json::Object compared(const char *before, const char *after, int64_t blocks,
                      const std::vector<Argument> &arguments) {
  ExploreOptions options;
  options.compare = entryOf(before);
  auto result = exploreKernel(entryOf(after), *runtime::Grid::create(blocks), arguments, options);
  EXPECT_TRUE(result) << result.failure().message;
  json::Value document = llvm::cantFail(json::parse(result->json));
  return std::move(*document.getAsObject()->getObject("compare"));
}

json::Object totalIn(const json::Object &compare, llvm::StringRef name) {
  for (const json::Value &row : *compare.getArray("totals"))
    if (row.getAsObject()->getString("name") == name)
      return *row.getAsObject();
  return {};
}

/// The indices of findings that are new, and of those that are gone.
json::Object differences(const std::vector<int64_t> &added, const std::vector<int64_t> &gone) {
  return json::Object{
      {"new", json::Array(added)},
      {"gone", json::Array(gone)},
      {"unmatched", json::Object{{"before", json::Array{}}, {"after", json::Array{}}}}};
}

TEST(Compare, ListsElementsThatDiffer) {
  Numbers x(4, 7);
  const json::Object compare = compared(racing, separate, 3, {arrayOf(x)});
  EXPECT_EQ(x, Numbers(4, 7)) << "the arrays keep their values";
  // Of 3 blocks, the last one wins before: 2 7 7 7. After: 0 1 2 7.
  const auto element = [](int64_t number, const char *before, const char *after) {
    return json::Object{{"element", number}, {"before", before}, {"after", after}};
  };
  EXPECT_EQ(
      *compare.getArray("arrays"),
      (json::Array{json::Object{{"differing", 3},
                                {"largest_difference", 6},
                                {"bounds", json::Array{json::Array{0, 2}}},
                                {"elements", json::Array{element(0, "2", "0"), element(1, "7", "1"),
                                                         element(2, "7", "2")}}}}));
}

TEST(Compare, FindingsAreNewOrGone) {
  Numbers x(4);
  const json::Object fixed = compared(racing, separate, 2, {arrayOf(x)});
  EXPECT_EQ(*fixed.getObject("findings"), differences({}, {0, 1}));
  EXPECT_EQ(totalIn(fixed, "findings"),
            (json::Object{{"name", "findings"}, {"before", 2}, {"after", 0}, {"change", -2}}));
  const json::Object broken = compared(separate, racing, 2, {arrayOf(x)});
  EXPECT_EQ(*broken.getObject("findings"), differences({0, 1}, {}));
  const json::Object same = compared(racing, racing, 2, {arrayOf(x)});
  EXPECT_EQ(*same.getObject("findings"), differences({}, {}));
}

TEST(Compare, FindingsOfAMovedLineAreTheSame) {
  Numbers x(4);
  const std::string moved = "// A comment.\n" + std::string(racing);
  const json::Object compare = compared(racing, moved.c_str(), 2, {arrayOf(x)});
  EXPECT_EQ(*compare.getObject("findings"), differences({}, {}));
}

TEST(Compare, PairsLinesAndTheirFigures) {
  Numbers x(4);
  const json::Object compare = compared(racing, separate, 3, {arrayOf(x)});
  EXPECT_EQ(
      *compare.getArray("pairs"),
      (json::Array{json::Array{1, 1}, json::Array{2, 2}, json::Array{3, 3}, json::Array{nullptr, 4},
                   json::Array{4, 5}, json::Array{5, 6}, json::Array{6, 7}}));
  bool isFound = false;
  for (const json::Value &value : *compare.getArray("lines")) {
    const json::Object &row = *value.getAsObject();
    if (row.getInteger("before") != 4)
      continue;
    isFound = true;
    EXPECT_EQ(row.getInteger("after"), 5);
    EXPECT_EQ(row.getBoolean("equal"), false);
    EXPECT_EQ(*row.getArray("executions"), (json::Array{3, 3}));
    EXPECT_EQ(*row.getArray("sectors"), (json::Array{3, 3}));
  }
  EXPECT_TRUE(isFound);
  // Three blocks execute one operation more.
  EXPECT_EQ(totalIn(compare, "operations").getInteger("change"), 3);
}

TEST(Compare, ComparesTwoKernelsOfOneText) {
  constexpr char both[] = R"(cuda_tile.module @m {
  entry @first(%x: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %u = store_ptr_tko weak %x, %1 : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @second(%x: tile<ptr<i32>>) {
    %2 = constant <i32: 2> : tile<i32>
    %u = store_ptr_tko weak %x, %2 : tile<ptr<i32>>, tile<i32> -> token
  }
})";
  const auto module = Module::read({}, both, "k.mlir");
  ExploreOptions options;
  options.compare = *module->entry("first");
  Numbers x(1);
  const auto result =
      exploreKernel(*module->entry("second"), *runtime::Grid::create(1), {arrayOf(x)}, options);
  ASSERT_TRUE(result) << result.failure().message;
  const json::Value document = llvm::cantFail(json::parse(result->json));
  const json::Object &compare = *document.getAsObject()->getObject("compare");
  // From the first to the last line of each that an instruction belongs to.
  const json::Array &pairs = *compare.getArray("pairs");
  EXPECT_TRUE(llvm::is_contained(pairs, json::Value(json::Array{3, 7})));
  EXPECT_TRUE(llvm::is_contained(pairs, json::Value(json::Array{4, 8})));
  EXPECT_EQ(compare.getObject("other")->getString("kernel"), "first");
}

using Differing = std::pair<int64_t, std::optional<double>>;

TEST(Compare, NaNsAreEqualAndSoAreZeros) {
  constexpr char storing[] = R"(cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    %v = constant <f32: VALUE> : tile<f32>
    %u = store_ptr_tko weak %x, %v : tile<ptr<f32>>, tile<f32> -> token
  }
})";
  const auto differing = [&](const char *before, const char *after) {
    const auto with = [&](const char *value) {
      std::string text = storing;
      return text.replace(text.find("VALUE"), 5, value);
    };
    float x = 0;
    const int64_t shape[] = {1};
    const Array array = *Array::create(&x, Format::F32, shape);
    const json::Object compare = compared(with(before).c_str(), with(after).c_str(), 1, {array});
    const json::Object &row = *(*compare.getArray("arrays"))[0].getAsObject();
    return Differing(*row.getInteger("differing"), row.getNumber("largest_difference"));
  };
  EXPECT_EQ(differing("0x7FC00000", "0x7FC00001"), Differing(0, std::nullopt));
  EXPECT_EQ(differing("0.0", "-0.0"), Differing(0, std::nullopt));
  EXPECT_EQ(differing("1.0", "3.5"), Differing(1, 2.5));
  EXPECT_EQ(differing("1.0", "0x7FC00000"), Differing(1, std::nullopt));
}

TEST(Compare, RefusesOtherParameters) {
  Numbers x(1);
  ExploreOptions options;
  options.compare = entryOf(addition);
  const auto result =
      exploreKernel(entryOf(racing), *runtime::Grid::create(1), {arrayOf(x)}, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().message,
            "@add in k.mlir, to compare with: kernel @add: expected 2 arguments, but got 1");
}

TEST(Compare, CanBeCancelled) {
  const std::atomic<bool> cancelled = true;
  Numbers x(1);
  ExploreOptions options;
  options.cancelled = &cancelled;
  const auto result =
      exploreKernel(entryOf(racing), *runtime::Grid::create(1), {arrayOf(x)}, options);
  ASSERT_TRUE(result) << result.failure().message;
  EXPECT_EQ(result->outcome, Outcome::Cancelled);
  EXPECT_TRUE(result->json.empty());
}

TEST(Compare, EndsAtTheStepLimit) {
  ExploreOptions options;
  options.maxSteps = 100;
  const auto result = exploreKernel(entryOf(endless), *runtime::Grid::create(1), {}, options);
  ASSERT_TRUE(result) << result.failure().message;
  EXPECT_EQ(result->outcome, Outcome::Failed);
}

} // namespace
