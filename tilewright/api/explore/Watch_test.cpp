// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the document says about arrays, accesses and executed operations.

#include "tilewright/api/explore/ElementRuns.h"
#include "tilewright/api/explore/Numbers.h"
#include "tilewright/api/explore/Testing.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
namespace json = llvm::json;

namespace {

std::vector<float> floatsIn(llvm::StringRef base64) {
  std::vector<char> bytes;
  llvm::cantFail(llvm::decodeBase64(base64, bytes));
  std::vector<float> floats;
  for (size_t at = 0; at < bytes.size(); at += 4)
    floats.push_back(llvm::bit_cast<float>(llvm::support::endian::read32le(&bytes[at])));
  return floats;
}

const json::Object &rowOf(const json::Object &document, llvm::StringRef list, size_t index) {
  return *(*document.getArray(list))[index].getAsObject();
}

//===-- Numbers and runs --------------------------------------------------------------------===//

TEST(Numbers, AreFloatsIfThatIsExact) {
  const PackedNumbers exact = pack({1.5, NAN, INFINITY, 16777216.0});
  EXPECT_EQ(exact.type, "f32");
  const std::vector<float> floats = floatsIn(exact.base64);
  EXPECT_EQ(floats[0], 1.5f);
  EXPECT_TRUE(std::isnan(floats[1]));
  EXPECT_EQ(floats[2], INFINITY);
  EXPECT_EQ(floats[3], 16777216.0f);
  const PackedNumbers wide = pack({16777217.0}); // 2^24 + 1
  EXPECT_EQ(wide.type, "f64");
  EXPECT_EQ(wide.base64, "AAAAEAAAcEE="); // 0x4170000010000000
}

TEST(Numbers, ReadBooleansAsZeroAndOne) {
  EXPECT_EQ(numberOf(Element::boolean(true)), 1);
  EXPECT_EQ(numberOf(Element::integer(Format::I8, -3)), -3);
}

using Runs = std::vector<ElementRun>;

Runs runsOf(std::vector<std::pair<int64_t, int64_t>> ranges) {
  ElementRuns runs;
  for (auto [first, count] : ranges)
    runs.add(first, count);
  return runs.runs();
}

TEST(ElementRuns, DescribeTilesByOneRun) {
  EXPECT_EQ(runsOf({{8, 2}, {12, 2}}), (Runs{{8, 2, 4, 2}}));
  EXPECT_EQ(runsOf({{0, 4}, {4, 4}}), (Runs{{0, 8}})) << "whole rows are contiguous";
  // A transposed tile: columns of a matrix with rows of 4 elements.
  EXPECT_EQ(runsOf({{0, 1}, {4, 1}, {1, 1}, {5, 1}}), (Runs{{0, 2, 4, 2}}));
}

TEST(ElementRuns, KeepIrregularElementsApart) {
  EXPECT_EQ(runsOf({{0, 1}, {3, 1}, {5, 1}, {20, 2}}), (Runs{{0, 1, 3, 2}, {5, 1}, {20, 2}}));
  EXPECT_EQ(runsOf({{7, 1}, {7, 1}, {6, 3}}), (Runs{{6, 3}})) << "elements are listed once";
  EXPECT_EQ(runsOf({}), Runs());
}

TEST(ElementRuns, ListAtMostThirtyTwo) {
  ElementRuns runs;
  for (int64_t i = 0; i < 40; ++i)
    runs.add(i * i * i, 1); // no three cubes have the same distance
  json::Object object;
  EXPECT_EQ(runs.addTo(object), 20u) << "pairs of neighbours are runs of two";
  for (int64_t i = 40; i < 80; ++i)
    runs.add(i * i * i, 1);
  EXPECT_EQ(runs.addTo(object), 32u);
  EXPECT_EQ(object.getArray("elements")->size(), 32u);
  EXPECT_EQ(object.getInteger("more_elements"), 80 - 64);
}

//===-- Arrays ------------------------------------------------------------------------------===//

TEST(Explore, ShowsArraysBeforeAndAfterTheLaunch) {
  Numbers x(5, 1);
  const json::Object document = explored(addition, 4, {arrayOf(x), number(41)});
  ASSERT_EQ(document.getArray("arrays")->size(), 1u);
  const json::Object &array = rowOf(document, "arrays", 0);
  EXPECT_EQ(array.getString("name"), "parameter 1 (5xi32)");
  EXPECT_EQ(array.getInteger("index"), 0);
  EXPECT_EQ(array.getString("type"), "i32");
  EXPECT_EQ(*array.getArray("shape"), json::Array{5});
  EXPECT_EQ(*array.getArray("strides"), json::Array{1});
  const auto valuesOf = [&](llvm::StringRef member) {
    const json::Object *content = array.getObject(member);
    EXPECT_EQ(content->getString("type"), "f32");
    EXPECT_TRUE(content->getArray("unwritten")->empty());
    return floatsIn(*content->getString("values"));
  };
  EXPECT_EQ(valuesOf("before"), std::vector<float>(5, 1));
  EXPECT_EQ(valuesOf("after"), (std::vector<float>{42, 42, 42, 42, 1}));
}

TEST(Explore, ShowsElementsInRowMajorOrder) {
  Numbers x = {0, 1, 2, 3, 4, 5}; // columns of two
  const int64_t shape[] = {2, 3}, strides[] = {1, 2};
  const Array array = *Array::create(x.data(), Format::I32, shape, strides);
  const json::Object document = explored(racing, 1, {array});
  const json::Object *content = rowOf(document, "arrays", 0).getObject("before");
  EXPECT_EQ(floatsIn(*content->getString("values")), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST(Explore, MarksElementsThatNobodyWrote) {
  Numbers x(8, 7);
  Array array = arrayOf(x);
  array.isInitialised = false;
  // Block b writes x[b + 1].
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<i32>>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %next = addi %b, %one : tile<i32>
      %at = offset %x, %next : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %u = store_ptr_tko weak %at, %next : tile<ptr<i32>>, tile<i32> -> token
    }
  })",
                                         3, {array});
  const json::Object &row = rowOf(document, "arrays", 0);
  EXPECT_EQ(*row.getObject("before")->getArray("unwritten"), json::Array{(json::Array{0, 7})});
  const json::Object *after = row.getObject("after");
  EXPECT_EQ(*after->getArray("unwritten"), (json::Array{json::Array{0, 0}, json::Array{4, 7}}));
  EXPECT_EQ(floatsIn(*after->getString("values")), (std::vector<float>{0, 1, 2, 3, 0, 0, 0, 0}));
}

constexpr char nothing[] = R"(cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    return
  }
})";

TEST(Explore, ManyLargeArraysHaveFewerCells) {
  // 3 * 128 * 128 cells are more than 32,768, but 3 * 64 * 64 are not: 300 rows in cells of 5.
  std::vector<float> x(90000);
  const int64_t shape[] = {300, 300};
  const Array array = *Array::create(x.data(), Format::F32, shape);
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) { return }
  })",
                                         1, {array, array, array});
  for (size_t index : {0, 1, 2})
    EXPECT_EQ(
        *rowOf(document, "arrays", index).getObject("after")->getObject("cells")->getArray("shape"),
        (json::Array{60, 60}));
}

TEST(Explore, AggregatesLargeArrays) {
  // 300 rows and columns: a cell has 3 x 3 elements, so there are 100 x 100.
  std::vector<float> x(300 * 300, 1);
  x[0] = NAN;
  x[1] = -INFINITY;
  x[2] = 5;
  for (int64_t row : {297, 298, 299})
    for (int64_t column : {297, 298, 299})
      x[row * 300 + column] = NAN;
  const int64_t shape[] = {20, 15, 300};
  const json::Object document =
      explored(nothing, 1, {*Array::create(x.data(), Format::F32, shape)});
  const json::Object &cells = *rowOf(document, "arrays", 0).getObject("after")->getObject("cells");
  EXPECT_EQ(*cells.getArray("matrix"), (json::Array{300, 300}));
  EXPECT_EQ(*cells.getArray("shape"), (json::Array{100, 100}));
  EXPECT_EQ(*cells.getArray("extents"), (json::Array{3, 3}));
  const auto minimum = floatsIn(*cells.getString("minimum")),
             maximum = floatsIn(*cells.getString("maximum")),
             mean = floatsIn(*cells.getString("mean"));
  EXPECT_EQ(minimum[0], 1);
  EXPECT_EQ(maximum[0], 5);
  EXPECT_FLOAT_EQ(mean[0], 11.0f / 7); // 5 and six ones
  EXPECT_EQ(mean[1], 1);
  EXPECT_TRUE(std::isnan(minimum.back()) && std::isnan(maximum.back()) && std::isnan(mean.back()));
  const json::Array &nans = *cells.getArray("nans"), &infinities = *cells.getArray("infinities");
  EXPECT_EQ(nans[0], 1);
  EXPECT_EQ(nans[1], 0);
  EXPECT_EQ(nans.back(), 9);
  EXPECT_EQ(infinities[0], 1);
  EXPECT_TRUE(cells.get("unwritten")->getAsNull());
}

TEST(Explore, FoldsLargeArraysOfOneDimension) {
  // 128 rows of 547 elements, the last of which has 531 = 70,000 - 127 * 547.
  std::vector<float> x(70'000, 1);
  x.back() = 3;
  const int64_t shape[] = {70'000};
  const json::Object document =
      explored(nothing, 1, {*Array::create(x.data(), Format::F32, shape)});
  const json::Object &cells = *rowOf(document, "arrays", 0).getObject("after")->getObject("cells");
  EXPECT_EQ(*cells.getArray("matrix"), (json::Array{128, 547}));
  EXPECT_EQ(*cells.getArray("shape"), (json::Array{128, 110}));
  EXPECT_EQ(*cells.getArray("extents"), (json::Array{1, 5}));
  const auto maximum = floatsIn(*cells.getString("maximum"));
  EXPECT_EQ(maximum[127 * 110 + 530 / 5], 3);
  EXPECT_TRUE(std::isnan(maximum.back())) << "nothing is there";
}

//===-- Views -------------------------------------------------------------------------------===//

TEST(Explore, ShowsWhichTilesBlocksAccess) {
  // Tiles of 1 x 2 elements of a 2 x 4 matrix; the second view is of its transpose.
  Numbers x(8), y(8);
  const int64_t shape[] = {2, 4};
  const Array in = *Array::create(x.data(), Format::I32, shape),
              out = *Array::create(y.data(), Format::I32, shape);
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %zero = constant <i32: 0> : tile<i32>
      %xs = make_tensor_view %x, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4,1]>
      %ys = make_tensor_view %y, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4,1]>
      %xv = make_partition_view %xs : partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>>
      %yv = make_partition_view %ys : partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>, dim_map=[1, 0]>
      %t, %k = load_view_tko weak %xv[%b, %zero] : partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>>, tile<i32> -> tile<1x2xi32>, token
      %u = store_view_tko weak %t, %yv[%b, %zero] : tile<1x2xi32>, partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>, dim_map=[1, 0]>, tile<i32> -> token
    }
  })",
                                         2, {in, out});
  ASSERT_EQ(document.getArray("views")->size(), 2u);
  const json::Object &load = rowOf(document, "views", 0), &store = rowOf(document, "views", 1);
  EXPECT_EQ(load.getString("operation"), "load_view_tko");
  EXPECT_EQ(load.getString("kind"), "load");
  EXPECT_EQ(load.getInteger("array"), 0);
  EXPECT_EQ(load.getObject("location")->getInteger("line"), 9);
  EXPECT_EQ(load.getString("view"),
            "partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>>");
  EXPECT_EQ(*load.getArray("tile"), (json::Array{1, 2}));
  EXPECT_EQ(*load.getArray("dim_map"), (json::Array{0, 1}));
  EXPECT_EQ(load.getInteger("unlisted"), 0);
  const auto access = [](int64_t block, std::array<int64_t, 4> run) {
    return json::Object{{"block", json::Array{block, 0, 0}},
                        {"index", json::Array{block, 0}},
                        {"elements", json::Array{json::Array(run)}}};
  };
  EXPECT_EQ(*load.getArray("accesses"),
            (json::Array{access(0, {0, 2, 0, 1}), access(1, {4, 2, 0, 1})}));
  EXPECT_EQ(store.getString("kind"), "store");
  EXPECT_EQ(store.getInteger("array"), 1);
  EXPECT_EQ(*store.getArray("dim_map"), (json::Array{1, 0}));
  EXPECT_EQ(*store.getArray("accesses"),
            (json::Array{access(0, {0, 1, 4, 2}), access(1, {1, 1, 4, 2})}));
}

TEST(Explore, ShowsAccessesThroughPointers) {
  Numbers x(5);
  const json::Object document = explored(addition, 2, {arrayOf(x), number(1)});
  const json::Object &load = rowOf(document, "views", 0);
  EXPECT_EQ(load.getString("operation"), "load_ptr_tko");
  EXPECT_TRUE(load.get("view")->getAsNull() && load.get("dim_map")->getAsNull());
  EXPECT_TRUE(load.getArray("tile")->empty());
  const json::Object &second = *load.getArray("accesses")->back().getAsObject();
  EXPECT_TRUE(second.get("index")->getAsNull());
  EXPECT_EQ(*second.getArray("elements"), json::Array{(json::Array{1, 1, 0, 1})});
}

TEST(Explore, ListsNoMoreThan4096AccessesOfAnOperation) {
  Numbers x(5000);
  const json::Object document = explored(addition, 5000, {arrayOf(x), number(1)});
  const json::Object &store = rowOf(document, "views", 1);
  EXPECT_EQ(store.getArray("accesses")->size(), 4096u);
  EXPECT_EQ(store.getInteger("unlisted"), 5000 - 4096);
  // For each block: block id, offset, load, addition, store, return.
  const int64_t listed = document.getArray("trace")->size();
  EXPECT_EQ(*document.getInteger("trace_unlisted"), 6 * 5000 - listed);
  EXPECT_LE(listed, 20'000);
}

//===-- Trace -------------------------------------------------------------------------------===//

/// The events of the operations with this name.
std::vector<const json::Object *> eventsOf(const json::Object &document,
                                           llvm::StringRef operation) {
  std::vector<const json::Object *> events;
  for (const json::Value &event : *document.getArray("trace"))
    if (event.getAsObject()->getString("operation") == operation)
      events.push_back(event.getAsObject());
  return events;
}

TEST(Explore, TracesOperationsInOrder) {
  Numbers x(5, 1);
  const json::Object document = explored(addition, 2, {arrayOf(x), number(41)});
  const json::Array &trace = *document.getArray("trace");
  ASSERT_EQ(trace.size(), 12u);
  EXPECT_EQ(document.getInteger("trace_unlisted"), 0);
  for (auto [step, event] : llvm::enumerate(trace))
    EXPECT_EQ(event.getAsObject()->getInteger("step"), int64_t(step));
  const json::Object &addi = *eventsOf(document, "addi")[1];
  EXPECT_EQ(*addi.getArray("block"), (json::Array{1, 0, 0}));
  EXPECT_EQ(addi.getObject("location")->getInteger("line"), 6);
  const json::Object &result = *addi.getArray("results")->front().getAsObject();
  EXPECT_EQ(result.getString("type"), "tile<i32>");
  EXPECT_EQ(result.getString("text"), "i32 42");
  EXPECT_FALSE(result.get("values")) << "a scalar";
  const json::Object &store = *eventsOf(document, "store_ptr_tko")[1];
  EXPECT_EQ(
      *store.getArray("memory"),
      (json::Array{json::Object{
          {"array", 0}, {"kind", "store"}, {"elements", json::Array{json::Array{1, 1, 0, 1}}}}}));
  EXPECT_FALSE(store.get("ordering") || store.get("scope")) << "weak";
}

TEST(Explore, TracesElementsOfTiles) {
  // 1 / 0 is undefined as an integer.
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k() {
      %i = iota : tile<4xi32>
      %q = divi %i, %i signed : tile<4xi32>
    }
  })",
                                         1, {});
  const json::Object &divi = *eventsOf(document, "divi")[0];
  const json::Object &operand = *divi.getArray("operands")->front().getAsObject();
  EXPECT_EQ(operand.getString("type"), "tile<4xi32>");
  EXPECT_EQ(operand.getString("value_type"), "f32");
  EXPECT_EQ(floatsIn(*operand.getString("values")), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_TRUE(operand.getArray("undefined")->empty());
  const json::Object &result = *divi.getArray("results")->front().getAsObject();
  EXPECT_EQ(*result.getArray("undefined"), json::Array{0});
  EXPECT_EQ(floatsIn(*result.getString("values"))[3], 1);
}

TEST(Explore, TracesTheArgumentsOfIterations) {
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k() {
      %0 = constant <i32: 0> : tile<i32>
      %1 = constant <i32: 1> : tile<i32>
      %2 = constant <i32: 2> : tile<i32>
      %r = for %i in (%0 to %2, step %1) : tile<i32> iter_values(%s = %0) -> (tile<i32>) {
        %n = addi %s, %2 : tile<i32>
        continue %n : tile<i32>
      }
    }
  })",
                                         1, {});
  const auto texts = [](const json::Object &event) {
    std::vector<std::string> texts;
    for (const json::Value &value : *event.getArray("results"))
      texts.push_back(value.getAsObject()->getString("text")->str());
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(*eventsOf(document, "for")[0]), (Texts{"i32 0", "i32 0"}));
  ASSERT_EQ(eventsOf(document, "continue").size(), 2u);
  EXPECT_EQ(texts(*eventsOf(document, "continue")[0]), (Texts{"i32 1", "i32 2"}));
  EXPECT_EQ(texts(*eventsOf(document, "continue")[1]), Texts());
}

// Values of entries, loops and operations with several results have the names of the text.
TEST(Explore, NamesValuesAsTheTextDoes) {
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k(%limit: tile<i32>) {
      %block:3 = get_tile_block_id : tile<i32>
      %first = constant <i32: 0> : tile<i32>
      %step = constant <i32: 1> : tile<i32>
      %last = for %i in (%first to %limit, step %step) : tile<i32> iter_values(%sum = %block#1) -> (tile<i32>) {
        %next = addi %sum, %i : tile<i32>
        continue %next : tile<i32>
      }
    }
  })",
                                         1, {number(1)});
  const auto namesOf = [&](llvm::StringRef operation, llvm::StringRef member) {
    std::vector<std::string> names;
    for (const json::Value &value : *eventsOf(document, operation)[0]->getArray(member))
      names.push_back(value.getAsObject()->getString("name")->str());
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(namesOf("get_tile_block_id", "results"), (Names{"%block#0", "%block#1", "%block#2"}));
  EXPECT_EQ(namesOf("for", "operands"), (Names{"%first", "%limit", "%step", "%block#1"}));
  EXPECT_EQ(namesOf("for", "results"), (Names{"%i", "%sum"}));
  EXPECT_EQ(namesOf("addi", "operands"), (Names{"%sum", "%i"}));
}

TEST(Explore, TracesTheOrderOfTokens) {
  // The third load is after both others; the first one happens before the second.
  Numbers x(1);
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<i32>>) {
      %a, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
      %b, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
      %d, %v = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
      %all = join_tokens %t, %u, %v : token
      %c, %w = load_ptr_tko weak %x token=%all : tile<ptr<i32>> -> tile<i32>, token
    }
  })",
                                         1, {arrayOf(x)});
  const auto loads = eventsOf(document, "load_ptr_tko");
  ASSERT_EQ(loads.size(), 4u);
  const auto step = [&](size_t load) { return *loads[load]->getInteger("step"); };
  EXPECT_TRUE(loads[0]->getArray("after")->empty());
  EXPECT_EQ(*loads[1]->getArray("after"), json::Array{step(0)});
  EXPECT_TRUE(loads[2]->getArray("after")->empty());
  EXPECT_EQ(*loads[3]->getArray("after"), (json::Array{step(1), step(2)}));
}

TEST(Explore, TracesSynchronization) {
  // The second block's atomic acquires what the first one's releases.
  Numbers x(1);
  const json::Object document = explored(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<i32>>) {
      %1 = constant <i32: 1> : tile<i32>
      %r, %t = atomic_rmw_tko acq_rel device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    }
  })",
                                         2, {arrayOf(x)});
  const auto atomics = eventsOf(document, "atomic_rmw_tko");
  ASSERT_EQ(atomics.size(), 2u);
  EXPECT_TRUE(atomics[0]->getArray("after")->empty());
  EXPECT_EQ(*atomics[1]->getArray("after"), json::Array{*atomics[0]->getInteger("step")});
  EXPECT_EQ(atomics[0]->getString("ordering"), "acq_rel");
  EXPECT_EQ(atomics[0]->getString("scope"), "device");
  EXPECT_EQ(rowOf(document, "views", 0).getString("kind"), "update");
}

} // namespace
