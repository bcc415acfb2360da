// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the cells of layout pictures against formulas, against a search for owners, and against
// layout/algebra/Movement.h.

#include "test/support/layout/LayoutTest.h"
#include "tilewright/draw/LayoutPicture.h"
#include "tilewright/layout/algebra/Movement.h"
#include "tilewright/layout/algebra/Owners.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::draw;
using layout::Distance;
using layout::fromLists;
using layout::Layout;
using layout::Workgroup;
using llvm::formatv;

// Layouts, 1.10: row = 32*vs + 16*b0 + vt0, column = 16*b1 + 4*vt1 + e, thread
// 64*vs + vt0 + 16*vt1, registers 2x4x1x1x1x4.
TEST(LayoutPicture, ExampleOf64) {
  Layout example = layout::exampleOf64();
  Result<Workgroup> workgroup = smallestWorkgroup({example}, 64);
  ASSERT_TRUE(workgroup);
  EXPECT_EQ(workgroup->threads, 128);
  Result<Picture> picture = drawLayout(example, *workgroup, {});
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->rows(), 64u);
  ASSERT_EQ(picture->columns(), 64u);
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 64; ++column) {
      const Part &part = picture->at(row, column)->parts.front();
      int subgroup = row / 32, lane = row % 16 + 16 * (column / 4 % 4);
      int reg = (row / 16 % 2 * 4 + column / 16) * 4 + column % 4;
      ASSERT_EQ(part.label, std::to_string(64 * subgroup + lane));
      ASSERT_EQ(part.detail, std::to_string(reg));
      ASSERT_EQ(part.color, subgroup);
    }
  // The corresponding row of the specification's table.
  EXPECT_EQ(picture->at(37, 59)->hover, "[37, 59]: thread 101 (subgroup 1, lane 37), register 15");
  ASSERT_EQ(picture->legend.size(), 2u);
  EXPECT_EQ(picture->legend[1].label, "subgroup 1: threads 64 to 127");
}

/// With a single subgroup, colours distinguish threads: here those of an mma.sync accumulator, in
/// which each pair of columns and each row belongs to another thread.
TEST(LayoutPicture, ThreadsOfOneSubgroupHaveColors) {
  layout::Layout accumulator = layout::Layout({{1, 1, 2, 8, 1, 0, 4}, {1, 1, 1, 4, 2, 0, 1}});
  Result<Picture> picture = drawLayout(accumulator, {32, 32}, {});
  ASSERT_TRUE(picture);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column)
      ASSERT_EQ(picture->at(row, column)->parts.front().color, (row % 8 * 4 + column / 2) % 12);
  EXPECT_TRUE(picture->legend.empty());
  EXPECT_NE(picture->notes[1].find("; colours are threads, 12 of them in turn"), std::string::npos);
}

TEST(LayoutPicture, ManyOwners) {
  Layout example = layout::exampleOf64();
  Result<Picture> picture = drawLayout(example, {256, 64}, {});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->at(0, 0)->hover,
            "[0, 0]: thread 0 (subgroup 0, lane 0), register 0, also held by 128");
  EXPECT_EQ(picture->at(0, 0)->parts.front().label, "0");
}

/// The owners found without a search equal those found by a search.
TEST(LayoutPicture, OwnersOfRandomLayouts) {
  layout::LayoutGenerator generator(6);
  for (int round = 0; round < 200; ++round) {
    auto [layout, workgroup] = generator.next();
    Section section(layout.rank());
    for (size_t dim = 2; dim < layout.rank(); ++dim)
      section[dim].first = layout[dim].extent() - 1;
    Result<Picture> picture = drawLayout(layout, workgroup, section);
    if (!picture) {
      EXPECT_GT(layout.elements(), Sheet::maxElements) << picture.failure().message;
      continue;
    }
    layout::Numbers last;
    for (int64_t extent : layout::undistributedShape(layout))
      last.push_back(extent - 1);
    layout::Numbers owners = layout::ownersOf(layout, workgroup, last);
    const Cell &cell = picture->cells.back();
    EXPECT_EQ(cell.parts.front().label, std::to_string(owners.front()));
    EXPECT_EQ(cell.parts.front().detail, std::to_string(layout::registerOf(layout, last)));
    if (owners.size() > 1 && owners.size() < 10)
      EXPECT_NE(cell.hover.find("also held by " + listText(llvm::ArrayRef(owners).drop_front())),
                std::string::npos)
          << cell.hover;
  }
}

TEST(LayoutPicture, RefusesWhatHasNoOwners) {
  Layout example = layout::exampleOf64();
  // Layouts, 1.10: with 32 lanes half of the elements have no owner.
  EXPECT_FALSE(drawLayout(example, {128, 32}, {}));
  EXPECT_FALSE(drawLayout(example, {64, 64}, {}));
  EXPECT_EQ(smallestWorkgroup({example}, 0).failure().message,
            "a subgroup has 1 to 65536 threads, not 0");
  Layout wide = fromLists({int64_t(1) << 40}, {1}, {1}, {1}, {1}, {1}, {0});
  EXPECT_EQ(smallestWorkgroup({wide}, 32).failure().message,
            "the subgroups have more than 65536 threads");
}

// --- Conversions ----------------------------------------------------------------------

namespace {
/// The longest distance of any element.
Distance farthestIn(const Picture &picture) {
  auto distanceOf = [](const Cell &cell) {
    for (auto [distance, words] : {std::pair(Distance::Workgroup, "to another subgroup"),
                                   std::pair(Distance::Lanes, "to another lane"),
                                   std::pair(Distance::Registers, "to another register")})
      if (cell.hover.find(words) != std::string::npos)
        return distance;
    return Distance::None;
  };
  Distance farthest = Distance::None;
  for (const Cell &cell : picture.cells)
    farthest = std::max(farthest, distanceOf(cell));
  return farthest;
}
} // namespace

// Element i: thread i/4 and register i%4 before, thread i%32 and register i/32 after.
TEST(LayoutPicture, FromBlockedToCyclic) {
  Layout blocked = fromLists({1}, {1}, {1}, {32}, {4}, {0}, {1});
  Layout cyclic = fromLists({1}, {4}, {1}, {32}, {1}, {0}, {1});
  Result<Picture> picture = drawConversion(blocked, cyclic, {32, 32}, {});
  ASSERT_TRUE(picture);
  auto arrow = [](int from, int to) {
    return from == to ? std::to_string(from) : formatv("{0}→{1}", from, to).str();
  };
  for (int i = 0; i < 128; ++i) {
    EXPECT_EQ(picture->cells[i].parts[0].label, arrow(i / 4, i % 32)) << i;
    EXPECT_EQ(picture->cells[i].parts[0].detail, arrow(i % 4, i / 32)) << i;
  }
  // i/4 = i%32 for 0, 42, 85 and 127, and of these i%4 = i/32 for the first and the last.
  ASSERT_EQ(picture->legend.size(), 3u);
  EXPECT_EQ(picture->legend[0].label, "stays where it is (2)");
  EXPECT_EQ(picture->legend[1].label, "to another register (2)");
  EXPECT_EQ(picture->legend[2].label, "to another lane (124)");
}

TEST(LayoutPicture, AgreesWithTheDistanceOfTheWhole) {
  // All of 256 elements over 64 threads of two subgroups, one owner each.
  std::vector<Layout> layouts = {
      fromLists({2}, {1}, {1}, {32}, {4}, {1}, {1}), fromLists({2}, {4}, {1}, {32}, {1}, {1}, {1}),
      fromLists({2}, {2}, {2}, {32}, {1}, {1}, {1}), fromLists({2}, {1}, {4}, {32}, {1}, {1}, {1}),
      fromLists({2}, {2}, {1}, {32}, {2}, {1}, {1})};
  Workgroup workgroup{64, 32};
  for (const Layout &from : layouts)
    for (const Layout &to : layouts) {
      Result<Picture> picture = drawConversion(from, to, workgroup, {});
      ASSERT_TRUE(picture);
      Distance distance = layout::distanceBetween(from, to, workgroup);
      // Batches and outers are exchanged: the same registers with other numbers.
      if (distance == Distance::Registers)
        EXPECT_LE(farthestIn(*picture), distance);
      else
        EXPECT_EQ(farthestIn(*picture), distance) << toText(from) << "\n" << toText(to);
    }
}

TEST(LayoutPicture, AcrossSubgroups) {
  Layout rows = fromLists({2, 1}, {1, 1}, {1, 1}, {4, 8}, {1, 1}, {1, 0}, {8, 1});
  Layout columns = fromLists({1, 2}, {1, 1}, {1, 1}, {8, 4}, {1, 1}, {0, 1}, {4, 1});
  Result<Picture> picture = drawConversion(rows, columns, {64, 32}, {});
  ASSERT_TRUE(picture);
  // [1, 5]: subgroup 0, lane 13, becomes subgroup 1 (columns 4 to 7), lane 1*4 + 1.
  EXPECT_EQ(picture->at(1, 5)->parts[0].label, "13→37");
  EXPECT_EQ(farthestIn(*picture), Distance::Workgroup);
  EXPECT_EQ(layout::distanceBetween(rows, columns, {64, 32}), Distance::Workgroup);
  EXPECT_EQ(picture->at(0, 0)->parts[0].label, "0");
}

// Eight threads hold each element, among them the thread that needs it.
TEST(LayoutPicture, ManySources) {
  Layout everywhere = fromLists({1}, {1}, {1}, {4}, {1}, {0}, {1});
  Layout elsewhere = fromLists({1}, {1}, {1}, {4}, {1}, {0}, {8});
  Result<Picture> picture = drawConversion(everywhere, elsewhere, {32, 32}, {});
  ASSERT_TRUE(picture);
  // Lanes 0 to 7 need element 0, which lanes 0 and 4 have; lane 1 is the first without it.
  EXPECT_EQ(picture->cells[0].parts[0].label, "0→1");
  Layout all = fromLists({1}, {4}, {1}, {1}, {1}, {0}, {0});
  Result<Picture> narrowed = drawConversion(all, elsewhere, {32, 32}, {});
  ASSERT_TRUE(narrowed);
  EXPECT_EQ(farthestIn(*narrowed), Distance::Registers);
}

TEST(LayoutPicture, RefusesOtherTiles) {
  Layout four = fromLists({1}, {1}, {1}, {4}, {1}, {0}, {1});
  Layout eight = fromLists({1}, {1}, {1}, {8}, {1}, {0}, {1});
  EXPECT_EQ(drawConversion(four, eight, {32, 32}, {}).failure().message,
            "the layouts are not of one tile: 4 elements and 8 elements");
}
