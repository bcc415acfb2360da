// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares index spaces and coordinates with the examples in the specification (types, 5.2 and
// 5.4), and every element of every tile of some small views with its formulas, which are
// implemented again here.

#include "tilewright/support/Shape.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

using Numbers = std::vector<int64_t>;
using Ints = std::vector<int32_t>;

namespace {

constexpr int64_t dynamic = ShapedType::kDynamic;

class ViewGeometryTest : public testing::Test {
protected:
  ViewGeometryTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<TileDialect>();
  }

  TensorViewType tensor(const Numbers &shape, const Numbers &strides) {
    return TensorViewType::get(&context, Float32Type::get(&context), shape, strides);
  }
  /// Rows without gaps.
  TensorViewType dense(const Numbers &shape) {
    return tensor(shape, support::rowMajorStrides(shape));
  }
  TileView partition(TensorViewType tensor, const Ints &tile, const Ints &dimMap) {
    return cast<TileView>(PartitionViewType::get(&context, tile, tensor, dimMap, {}));
  }
  TileView strided(TensorViewType tensor, const Ints &tile, const Ints &steps, const Ints &dimMap) {
    return cast<TileView>(StridedViewType::get(&context, tile, steps, tensor, dimMap, {}));
  }
  TileView gather(TensorViewType tensor, const Ints &tile, uint32_t sparseDim) {
    return cast<TileView>(GatherScatterViewType::get(&context, tile, tensor, sparseDim, {}));
  }

  MLIRContext context;
};

} // namespace

static Numbers indexSpace(TileView view, const Numbers &extents) {
  Numbers space;
  for (const DimensionRule &rule : rulesOf(view))
    space.push_back(rule.indexCount(extents[rule.tensorDim]));
  return space;
}
static Numbers indexSpace(TileView view) {
  return indexSpace(view, view.getTensorView().getShape().vec());
}

/// The coordinates of an element of a tile by the rules. An index is a list: of one number, or of
/// the coordinates along a sparse dimension.
static Numbers coordinatesByRules(TileView view, ArrayRef<Numbers> index, const Numbers &element) {
  Numbers coordinates(element.size(), -1);
  for (auto [dim, rule] : llvm::enumerate(rulesOf(view)))
    coordinates[rule.tensorDim] =
        rule.isSparse ? index[dim][element[dim]] : index[dim].front() * rule.step + element[dim];
  return coordinates;
}

static int64_t offsetOf(TileView view, const Numbers &coordinates) {
  int64_t offset = 0;
  for (auto [at, stride] : llvm::zip_equal(coordinates, view.getTensorView().getStrides()))
    offset += at * stride;
  return offset;
}

/// Calls visit(coordinates) for all elements of a shape.
template <typename Visit> static void forEach(const Numbers &shape, Visit visit) {
  for (int64_t number = 0, count = *support::elementCount(shape); number < count; ++number)
    visit(support::coordinatesOf(shape, number));
}

//===-- From the specification
//-----------------------------------------------------------------===//

/// A 100x30 array with rows padded to 32 (types, 5.4).
TEST_F(ViewGeometryTest, WorkedExamples) {
  TensorViewType a = tensor({100, 30}, {32, 1});
  auto first = [](TileView view, ArrayRef<Numbers> index) {
    return offsetOf(view, coordinatesByRules(view, index, {0, 0}));
  };

  TileView tiles = partition(a, {16, 8}, {0, 1});
  EXPECT_EQ(indexSpace(tiles), Numbers({7, 4}));
  EXPECT_EQ(coordinatesByRules(tiles, {{6}, {3}}, {15, 7}), Numbers({111, 31}));
  EXPECT_EQ(first(tiles, {{6}, {3}}), 3096);

  TileView turned = partition(a, {16, 8}, {1, 0});
  EXPECT_EQ(indexSpace(turned), Numbers({2, 13}));
  EXPECT_EQ(coordinatesByRules(turned, {{1}, {4}}, {15, 7}), Numbers({39, 31}));
  EXPECT_EQ(first(turned, {{1}, {4}}), 1040);
  // The text below the table.
  EXPECT_EQ(coordinatesByRules(turned, {{1}, {4}}, {2, 3}), Numbers({35, 18}));
  EXPECT_EQ(offsetOf(turned, {35, 18}), 1138);

  TileView overlapping = strided(a, {16, 8}, {10, 5}, {0, 1});
  EXPECT_EQ(indexSpace(overlapping), Numbers({10, 6}));
  EXPECT_EQ(coordinatesByRules(overlapping, {{9}, {5}}, {15, 7}), Numbers({105, 32}));
  EXPECT_EQ(first(overlapping, {{9}, {5}}), 2905);

  TileView both = strided(a, {16, 8}, {10, 5}, {1, 0});
  EXPECT_EQ(indexSpace(both), Numbers({3, 20}));
  EXPECT_EQ(coordinatesByRules(both, {{2}, {7}}, {15, 7}), Numbers({42, 35}));
  EXPECT_EQ(first(both, {{2}, {7}}), 1140);

  TileView rows = gather(a, {4, 8}, 0);
  EXPECT_EQ(indexSpace(rows), Numbers({100, 30}));
  EXPECT_EQ(coordinatesByRules(rows, {{7, 7, 100, 3}, {26}}, {2, 7}), Numbers({100, 33}));
  EXPECT_EQ(first(rows, {{7, 7, 100, 3}, {26}}), 250);

  TileView columns = gather(a, {4, 8}, 1);
  EXPECT_EQ(indexSpace(columns), Numbers({100, 30}));
  const Numbers listed = {0, 29, 1, 1, 2, 5, 30, 4};
  EXPECT_EQ(coordinatesByRules(columns, {{98}, listed}, {3, 6}), Numbers({101, 30}));
  EXPECT_EQ(first(columns, {{98}, listed}), 3136);
}

/// The published index spaces (types, 5.4): the last one of the first tensor is 4x22, not 22x4.
TEST_F(ViewGeometryTest, PublishedIndexSpaces) {
  TensorViewType tall = dense({64, 16});
  EXPECT_EQ(indexSpace(partition(tall, {4, 2}, {0, 1})), Numbers({16, 8}));
  EXPECT_EQ(indexSpace(partition(tall, {4, 2}, {1, 0})), Numbers({4, 32}));
  EXPECT_EQ(indexSpace(strided(tall, {4, 2}, {4, 3}, {0, 1})), Numbers({16, 6}));
  EXPECT_EQ(indexSpace(strided(tall, {4, 2}, {4, 3}, {1, 0})), Numbers({4, 22}));
  EXPECT_EQ(indexSpace(strided(dense({16}), {4}, {3}, {0})), Numbers({6}));
  EXPECT_EQ(indexSpace(strided(dense({8}), {4}, {1}, {0})), Numbers({8}));
  EXPECT_EQ(indexSpace(partition(dense({64, 256}), {128, 128}, {0, 1})), Numbers({1, 2}));
}

/// Tile (4, 2) of 128x4 tiles begins at (512, 8): the factor is the tile extent, not the number of
/// tiles (the warning in types, 5.2).
TEST_F(ViewGeometryTest, TheFactorIsTheTileExtent) {
  TileView view = partition(dense({8192, 128}), {128, 4}, {0, 1});
  EXPECT_EQ(coordinatesByRules(view, {{4}, {2}}, {0, 0}), Numbers({512, 8}));
}

/// A dynamic extent may be 0, and close to 2^64 (types, 5.4).
TEST_F(ViewGeometryTest, ExtentsAtRunTime) {
  DimensionRule rule = ruleOf(partition(tensor({dynamic}, {1}), {16}, {0}), 0);
  EXPECT_EQ(rule.indexCount(0), 0u);
  EXPECT_EQ(rule.indexCount(1), 1u);
  EXPECT_EQ(rule.indexCount(16), 1u);
  EXPECT_EQ(rule.indexCount(17), 2u);
  EXPECT_EQ(rule.indexCount(~uint64_t(0)), uint64_t(1) << 60);
  EXPECT_EQ(ruleOf(gather(tensor({dynamic}, {1}), {16}, 0), 0).indexCount(~uint64_t(0)),
            ~uint64_t(0));
}

//===-- By enumeration
//-------------------------------------------------------------------------===//

/// The formulas of types, 5.2, for all tiles of a view with a grid: the coordinates of element `j`
/// of tile `I`. They use the parameters of the view; `step` is T or TS.
using Placement = std::map<std::pair<Numbers, Numbers>, Numbers>;

static Placement placementByFormula(const Numbers &extents, const Ints &tile, const Ints &step,
                                    const Ints &dimMap) {
  // A tile has an index if its first element is inside of the tensor.
  Numbers space(tile.size(), 0), tileShape(tile.begin(), tile.end());
  for (size_t k = 0; k < tile.size(); ++k)
    while (space[k] * step[k] < extents[dimMap[k]])
      ++space[k];
  Placement placement;
  forEach(space, [&](const Numbers &index) {
    forEach(tileShape, [&](const Numbers &element) {
      Numbers &coordinates = placement[{index, element}];
      coordinates.resize(tile.size());
      for (size_t k = 0; k < tile.size(); ++k)
        coordinates[dimMap[k]] = index[k] * step[k] + element[k];
    });
  });
  return placement;
}

static Placement placementByRules(TileView view) {
  Numbers tileShape(view.getTileShape().begin(), view.getTileShape().end());
  Placement placement;
  forEach(indexSpace(view), [&](const Numbers &index) {
    SmallVector<Numbers> lists;
    for (int64_t number : index)
      lists.push_back({number});
    forEach(tileShape, [&](const Numbers &element) {
      placement[{index, element}] = coordinatesByRules(view, lists, element);
    });
  });
  return placement;
}

TEST_F(ViewGeometryTest, AllElementsOfPartitions) {
  for (const Numbers &extents : {Numbers{5, 9, 4}, Numbers{8, 1, 3}})
    for (const Ints &tile : {Ints{2, 4, 1}, Ints{8, 2, 2}})
      for (const Ints &dimMap : {Ints{0, 1, 2}, Ints{2, 0, 1}, Ints{1, 0, 2}}) {
        TileView view = partition(dense(extents), tile, dimMap);
        Placement placement = placementByRules(view);
        EXPECT_EQ(placement, placementByFormula(extents, tile, tile, dimMap));

        // The tiles are disjoint and cover the tensor (types, 4.5).
        std::map<Numbers, int> covers;
        for (const auto &[where, coordinates] : placement)
          ++covers[coordinates];
        forEach(extents, [&](const Numbers &element) { EXPECT_EQ(covers[element], 1); });
      }
}

TEST_F(ViewGeometryTest, AllElementsOfStridedViews) {
  for (const Ints &step : {Ints{1, 3, 2}, Ints{4, 2, 5}})
    for (const Ints &dimMap : {Ints{0, 1, 2}, Ints{2, 0, 1}, Ints{1, 2, 0}}) {
      const Numbers extents = {5, 7, 4};
      const Ints tile = {2, 4, 1};
      EXPECT_EQ(placementByRules(strided(dense(extents), tile, step, dimMap)),
                placementByFormula(extents, tile, step, dimMap));
    }
}

/// Along every dimension but the sparse one the index counts elements.
TEST_F(ViewGeometryTest, AllElementsOfGatherScatterViews) {
  const Numbers extents = {3, 5}, listed = {4, 0, 0, 9};
  for (uint32_t sparse : {0, 1}) {
    TileView view = gather(dense(extents), sparse == 0 ? Ints{4, 2} : Ints{2, 4}, sparse);
    EXPECT_EQ(indexSpace(view), extents);
    for (int64_t other = 0; other < extents[1 - sparse]; ++other)
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 2; ++j) {
          const Numbers expected =
              sparse == 0 ? Numbers{listed[i], other + j} : Numbers{other + j, listed[i]};
          SmallVector<Numbers> index = {listed, {other}};
          Numbers element = {i, j};
          if (sparse == 1) {
            std::swap(index[0], index[1]);
            std::swap(element[0], element[1]);
          }
          EXPECT_EQ(coordinatesByRules(view, index, element), expected);
        }
  }
}

//===-- Neighbours in memory
//-------------------------------------------------------------------===//

TEST_F(ViewGeometryTest, NeighboursFollowTheStrideOfTheTensorDimension) {
  TensorViewType rows = tensor({64, 64}, {64, 1});
  EXPECT_FALSE(mayBeContiguous(partition(rows, {4, 8}, {0, 1}), 0));
  EXPECT_TRUE(mayBeContiguous(partition(rows, {4, 8}, {0, 1}), 1));
  EXPECT_TRUE(mayBeContiguous(partition(rows, {4, 8}, {1, 0}), 0));
  EXPECT_FALSE(mayBeContiguous(partition(rows, {4, 8}, {1, 0}), 1));
  // A traversal stride affects tiles, not elements.
  EXPECT_TRUE(mayBeContiguous(strided(rows, {4, 8}, {3, 3}, {0, 1}), 1));
  EXPECT_FALSE(mayBeContiguous(strided(rows, {4, 8}, {1, 1}, {1, 0}), 1));
}

TEST_F(ViewGeometryTest, ListedCoordinatesAreNoNeighbours) {
  TensorViewType rows = tensor({64, 64}, {64, 1});
  EXPECT_TRUE(mayBeContiguous(gather(rows, {4, 8}, 0), 1));
  EXPECT_FALSE(mayBeContiguous(gather(rows, {4, 8}, 0), 0));
  EXPECT_FALSE(mayBeContiguous(gather(rows, {4, 8}, 1), 1));
}

TEST_F(ViewGeometryTest, AnUnknownStrideMayBeOne) {
  TensorViewType open = tensor({64, 64}, {dynamic, 2});
  EXPECT_TRUE(mayBeContiguous(partition(open, {4, 8}, {0, 1}), 0));
  EXPECT_FALSE(mayBeContiguous(partition(open, {4, 8}, {0, 1}), 1));
  EXPECT_FALSE(mayBeContiguous(gather(open, {4, 8}, 0), 0));
}
