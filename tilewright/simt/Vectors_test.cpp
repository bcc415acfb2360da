// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of operations on whole vectors in one thread, small enough to verify by eye.

#include "test/support/simt/SimtTest.h"

using namespace tilewright::simt;

using Values = std::vector<double>;

static const std::string abcdef =
    "%a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>\n";
static const std::string row = "%v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>\n";

//===-- Moves ----------------------------------------------------------------------------===//

TEST(Moves, Broadcast) {
  EXPECT_EQ(compute("%v = arith.constant dense<[1, 2]> : vector<2xi32>\n"
                    "%r = vector.broadcast %v : vector<2xi32> to vector<2x2xi32>",
                    "2x2xi32"),
            (Values{1, 2, 1, 2}));
  EXPECT_EQ(compute("%v = arith.constant dense<[[1], [2]]> : vector<2x1xi32>\n"
                    "%r = vector.broadcast %v : vector<2x1xi32> to vector<2x2xi32>",
                    "2x2xi32"),
            (Values{1, 1, 2, 2}));
  EXPECT_EQ(compute("%v = arith.constant 7 : i32\n"
                    "%r = vector.broadcast %v : i32 to vector<2xi32>",
                    "2xi32"),
            (Values{7, 7}));
}

TEST(Moves, TransposeAndShapeCast) {
  EXPECT_EQ(
      compute(abcdef + "%r = vector.transpose %a, [1, 0] : vector<2x3xi32> to vector<3x2xi32>",
              "3x2xi32"),
      (Values{1, 4, 2, 5, 3, 6}));
  // Not its own inverse: result [k, i, j] is source [i, j, k].
  EXPECT_EQ(compute("%a = arith.constant dense<[[[1, 2], [3, 4], [5, 6]]]> : vector<1x3x2xi32>\n"
                    "%r = vector.transpose %a, [2, 0, 1] : vector<1x3x2xi32> to vector<2x1x3xi32>",
                    "2x1x3xi32"),
            (Values{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(
      compute(abcdef + "%r = vector.shape_cast %a : vector<2x3xi32> to vector<3x2xi32>", "3x2xi32"),
      (Values{1, 2, 3, 4, 5, 6}));
}

TEST(Moves, ExtractAndInsert) {
  EXPECT_EQ(
      compute(abcdef + "%r = vector.extract %a[1] : vector<3xi32> from vector<2x3xi32>", "3xi32"),
      (Values{4, 5, 6}));
  EXPECT_EQ(compute(abcdef + "%i = arith.constant 2 : index\n"
                             "%r = vector.extract %a[1, %i] : i32 from vector<2x3xi32>",
                    "i32"),
            Values{6});
  EXPECT_EQ(compute(abcdef + "%x = arith.constant 9 : i32\n"
                             "%r = vector.insert %x, %a[0, 1] : i32 into vector<2x3xi32>",
                    "2x3xi32"),
            (Values{1, 9, 3, 4, 5, 6}));
  EXPECT_EQ(compute("%x = arith.constant dense<5> : vector<i32>\n"
                    "%r = vector.extract %x[] : i32 from vector<i32>",
                    "i32"),
            Values{5});
}

TEST(Moves, PositionsOutsideAreFound) {
  compute(abcdef + "%i = arith.constant 3 : index\n"
                   "%r = vector.extract %a[1, %i] : i32 from vector<2x3xi32>",
          "i32", {"out-of-bounds"});
}

TEST(Moves, Slices) {
  EXPECT_EQ(compute(abcdef +
                        "%r = vector.extract_strided_slice %a {offsets = [0, 1], sizes = [2, 2], "
                        "strides = [1, 1]} : vector<2x3xi32> to vector<2x2xi32>",
                    "2x2xi32"),
            (Values{2, 3, 5, 6}));
  EXPECT_EQ(compute(abcdef +
                        "%p = arith.constant dense<[7, 8]> : vector<2xi32>\n"
                        "%r = vector.insert_strided_slice %p, %a {offsets = [1, 0], strides = [1]} "
                        ": vector<2xi32> into vector<2x3xi32>",
                    "2x3xi32"),
            (Values{1, 2, 3, 7, 8, 6}));
}

TEST(Moves, Shuffles) {
  EXPECT_EQ(
      compute(row + "%r = vector.shuffle %v, %v [3, 4, 0] : vector<4xi32>, vector<4xi32>", "3xi32"),
      (Values{4, 1, 1}));
  EXPECT_EQ(compute(abcdef + "%r = vector.shuffle %a, %a [1, 2] : vector<2x3xi32>, vector<2x3xi32>",
                    "2x3xi32"),
            (Values{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(compute(row + "%w = arith.constant dense<[5, 6, 7, 8]> : vector<4xi32>\n"
                          "%i = vector.interleave %v, %w : vector<4xi32> -> vector<8xi32>\n"
                          "%l, %r = vector.deinterleave %i : vector<8xi32> -> vector<4xi32>",
                    "4xi32"),
            (Values{5, 6, 7, 8}));
  EXPECT_EQ(compute(row + "%w = arith.constant dense<0> : vector<4xi32>\n"
                          "%r = vector.interleave %v, %w : vector<4xi32> -> vector<8xi32>",
                    "8xi32"),
            (Values{1, 0, 2, 0, 3, 0, 4, 0}));
  EXPECT_EQ(compute(row + "%e:4 = vector.to_elements %v : vector<4xi32>\n"
                          "%r = vector.from_elements %e#2, %e#0 : vector<2xi32>",
                    "2xi32"),
            (Values{3, 1}));
}

TEST(Moves, BitCast) {
  EXPECT_EQ(compute("%v = arith.constant dense<[258, 772]> : vector<2xi16>\n"
                    "%r = vector.bitcast %v : vector<2xi16> to vector<4xi8>",
                    "4xi8"),
            (Values{2, 1, 4, 3}));
  EXPECT_EQ(compute("%v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>\n"
                    "%r = vector.bitcast %v : vector<4xi8> to vector<1xi32>",
                    "1xi32"),
            Values{0x04030201});
}

TEST(Moves, ToLayoutIsTheIdentity) {
  EXPECT_EQ(
      compute(abcdef +
                  R"(%r = iree_vector_ext.to_layout %a to layout(#iree_vector_ext.nested_layout<
                subgroup_tile = [1, 1], batch_tile = [2, 3], outer_tile = [1, 1], thread_tile = [1, 1],
                element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [0, 0]>) : vector<2x3xi32>)",
              "2x3xi32"),
      (Values{1, 2, 3, 4, 5, 6}));
}

//===-- Vectors from nothing, and masks --------------------------------------------------===//

TEST(Masks, StepAndMasks) {
  EXPECT_EQ(compute("%r = vector.step : vector<3xindex>", "3xindex"), (Values{0, 1, 2}));
  EXPECT_EQ(compute("%r = vector.constant_mask [1, 2] : vector<2x3xi1>", "2x3xi1"),
            (Values{-1, -1, 0, 0, 0, 0}));
  EXPECT_EQ(compute("%n = arith.constant 7 : index %z = arith.constant -1 : index\n"
                    "%m = vector.create_mask %n, %z : vector<2x2xi1>\n"
                    "%k = vector.create_mask %n, %n : vector<2x2xi1>\n"
                    "%r = arith.subi %m, %k : vector<2x2xi1>",
                    "2x2xi1"),
            (Values{-1, -1, -1, -1}));
}

TEST(Masks, MaskedReductions) {
  EXPECT_EQ(
      compute(row + "%m = vector.constant_mask [3] : vector<4xi1>\n"
                    "%r = vector.mask %m { vector.reduction <add>, %v : vector<4xi32> into i32 } "
                    ": vector<4xi1> -> i32",
              "i32"),
      Values{6});
  EXPECT_EQ(compute(abcdef + "%m = vector.constant_mask [2, 1] : vector<2x3xi1>\n"
                             "%z = arith.constant dense<10> : vector<2xi32>\n"
                             "%r = vector.mask %m { vector.multi_reduction <add>, %a, %z [1] : "
                             "vector<2x3xi32> to vector<2xi32> } : vector<2x3xi1> -> vector<2xi32>",
                    "2xi32"),
            (Values{11, 14}));
}

//===-- Reductions and products ----------------------------------------------------------===//

TEST(Reductions, RuleIds) {
  const auto reduce = [](const char *kind) {
    return compute(row + "%r = vector.reduction <" + kind + ">, %v : vector<4xi32> into i32",
                   "i32")[0];
  };
  EXPECT_EQ(reduce("add"), 10);
  EXPECT_EQ(reduce("mul"), 24);
  EXPECT_EQ(reduce("minsi"), 1);
  EXPECT_EQ(reduce("maxui"), 4);
  EXPECT_EQ(reduce("and"), 0);
  EXPECT_EQ(reduce("or"), 7);
  EXPECT_EQ(reduce("xor"), 4);
}

TEST(Reductions, AlongDimensions) {
  EXPECT_EQ(
      compute(
          abcdef +
              "%z = arith.constant dense<10> : vector<3xi32>\n"
              "%r = vector.multi_reduction <add>, %a, %z [0] : vector<2x3xi32> to vector<3xi32>",
          "3xi32"),
      (Values{15, 17, 19}));
  EXPECT_EQ(
      compute(abcdef +
                  "%z = arith.constant 0 : i32\n"
                  "%r = vector.multi_reduction <maxsi>, %a, %z [0, 1] : vector<2x3xi32> to i32",
              "i32"),
      Values{6});
}

TEST(Reductions, Scans) {
  const std::string zero = "%z = arith.constant dense<10> : vector<2xi32>\n";
  EXPECT_EQ(compute(abcdef + zero +
                        "%r, %l = vector.scan <add>, %a, %z {inclusive = true, reduction_dim = 1} "
                        ": vector<2x3xi32>, vector<2xi32>",
                    "2x3xi32"),
            (Values{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(compute(abcdef + zero +
                        "%r, %l = vector.scan <add>, %a, %z {inclusive = false, reduction_dim = 1} "
                        ": vector<2x3xi32>, vector<2xi32>",
                    "2x3xi32"),
            (Values{10, 11, 13, 10, 14, 19}));
  EXPECT_EQ(compute(abcdef +
                        "%z = arith.constant dense<0> : vector<3xi32>\n"
                        "%d, %r = vector.scan <mul>, %a, %z {inclusive = true, reduction_dim = 0} "
                        ": vector<2x3xi32>, vector<3xi32>",
                    "3xi32"),
            (Values{4, 10, 18}));
}

TEST(Products, Contract) {
  // [1 2 3; 4 5 6] [1 0; 0 1; 1 1] + 100.
  const std::string text = R"(
    %a = arith.constant dense<[[1., 2., 3.], [4., 5., 6.]]> : vector<2x3xf16>
    %b = arith.constant dense<[[1., 0.], [0., 1.], [1., 1.]]> : vector<3x2xf16>
    %c = arith.constant dense<100.> : vector<2x2xf32>
    %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
        affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %a, %b, %c : vector<2x3xf16>, vector<3x2xf16> into vector<2x2xf32>)";
  EXPECT_EQ(compute(text, "2x2xf32"), (Values{104, 105, 110, 111}));
}

TEST(Products, OuterProductAndFma) {
  EXPECT_EQ(compute("%a = arith.constant dense<[1., 2.]> : vector<2xf32>\n"
                    "%b = arith.constant dense<[3., 5.]> : vector<2xf32>\n"
                    "%r = vector.outerproduct %a, %b : vector<2xf32>, vector<2xf32>",
                    "2x2xf32"),
            (Values{3, 5, 6, 10}));
  EXPECT_EQ(
      compute("%a = arith.constant dense<[1., 2.]> : vector<2xf32>\n"
              "%s = arith.constant 10.0 : f32\n"
              "%r = vector.outerproduct %a, %s, %a {kind = #vector.kind<add>} : vector<2xf32>, f32",
              "2xf32"),
      (Values{11, 22}));
  EXPECT_EQ(compute("%a = arith.constant dense<[1., 2.]> : vector<2xf32>\n"
                    "%r = vector.fma %a, %a, %a : vector<2xf32>",
                    "2xf32"),
            (Values{2, 6}));
}

//===-- Memory ---------------------------------------------------------------------------===//

/// Reads from 0, 1, 2, ... in a memory of 4 x 4.
static Ran read(const std::string &body, llvm::ArrayRef<int64_t> shape, const std::string &type) {
  std::string places;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    places += dim == 0 ? "%c0" : ", %c0";
  return runText("func.func @f(%m: memref<4x4xf32>, %out: memref<" + type + R"(>) {
                   %c0 = arith.constant 0 : index
                   %c1 = arith.constant 1 : index
                   %c3 = arith.constant 3 : index
                   %pad = arith.constant -1.0 : f32
                   )" +
                     body + "\nvector.transfer_write %r, %out[" + places + "] : vector<" + type +
                     ">, memref<" + type + ">\nreturn }",
                 {}, {iota({4, 4}), zeros(shape)});
}

TEST(Transfers, ReadsPermuteBroadcastAndPad) {
  EXPECT_EQ(read("%r = vector.transfer_read %m[%c1, %c3], %pad {permutation_map = affine_map<(i, "
                 "j) -> (j, i)>} "
                 ": memref<4x4xf32>, vector<2x2xf32>",
                 {2, 2}, "2x2xf32")
                .values(1),
            (Values{7, 11, -1, -1}));
  EXPECT_EQ(read("%r = vector.transfer_read %m[%c1, %c1], %pad {in_bounds = [true, true], "
                 "permutation_map = "
                 "affine_map<(i, j) -> (0, j)>} : memref<4x4xf32>, vector<2x2xf32>",
                 {2, 2}, "2x2xf32")
                .values(1),
            (Values{5, 6, 5, 6}));
  EXPECT_EQ(
      read("%r = vector.transfer_read %m[%c1, %c3], %pad : memref<4x4xf32>, vector<f32>", {}, "f32")
          .values(1),
      Values{7});
}

TEST(Transfers, MasksGoAlongTheMemory) {
  // The mask has the dimensions of the memory: rows 0 and 1, column 0 only.
  EXPECT_EQ(read("%k = vector.constant_mask [2, 1] : vector<2x2xi1>\n"
                 "%r = vector.transfer_read %m[%c0, %c0], %pad, %k {in_bounds = [true, true], "
                 "permutation_map = "
                 "affine_map<(i, j) -> (j, i)>} : memref<4x4xf32>, vector<2x2xf32>",
                 {2, 2}, "2x2xf32")
                .values(1),
            (Values{0, 4, -1, -1}));
  EXPECT_EQ(read("%k = vector.constant_mask [1] : vector<2xi1>\n"
                 "%p = arith.constant dense<9.> : vector<2xf32>\n"
                 "%r = vector.mask %k, %p { vector.transfer_read %m[%c0, %c1], %pad : "
                 "memref<4x4xf32>, vector<2xf32> } "
                 ": vector<2xi1> -> vector<2xf32>",
                 {2}, "2xf32")
                .values(1),
            (Values{1, 9}));
}

TEST(Transfers, OutsideIsFound) {
  EXPECT_EQ(read("%r = vector.transfer_read %m[%c3, %c3], %pad {in_bounds = [true]} : "
                 "memref<4x4xf32>, vector<2xf32>",
                 {2}, "2xf32")
                .ruleIds(),
            RuleIds{"out-of-bounds"});
  EXPECT_EQ(read("%n = arith.constant -1 : index\n"
                 "%r = vector.load %m[%n, %c0] : memref<4x4xf32>, vector<2xf32>",
                 {2}, "2xf32")
                .ruleIds(),
            RuleIds{"out-of-bounds"});
}

TEST(Transfers, ContiguousAccesses) {
  EXPECT_EQ(read("%r = vector.load %m[%c1, %c1] : memref<4x4xf32>, vector<3xf32>", {3}, "3xf32")
                .values(1),
            (Values{5, 6, 7}));
  EXPECT_EQ(read("%k = vector.constant_mask [1] : vector<2xi1>\n"
                 "%p = arith.constant dense<9.> : vector<2xf32>\n"
                 "%r = vector.maskedload %m[%c3, %c3], %k, %p : memref<4x4xf32>, vector<2xi1>, "
                 "vector<2xf32> into vector<2xf32>",
                 {2}, "2xf32")
                .values(1),
            (Values{15, 9}));
  EXPECT_EQ(
      read(
          "%v = arith.constant dense<[50., 60.]> : vector<2xf32>\n"
          "vector.store %v, %m[%c1, %c0] : memref<4x4xf32>, vector<2xf32>\n"
          "%k = vector.constant_mask [1] : vector<2xi1>\n"
          "vector.maskedstore %m[%c1, %c3], %k, %v : memref<4x4xf32>, vector<2xi1>, vector<2xf32>\n"
          "%r = vector.load %m[%c1, %c0] : memref<4x4xf32>, vector<4xf32>",
          {4}, "4xf32")
          .values(1),
      (Values{50, 60, 6, 50}));
}

TEST(Transfers, GatherAndScatter) {
  EXPECT_EQ(read("%i = arith.constant dense<[2, 0, 99]> : vector<3xi32>\n"
                 "%k = vector.constant_mask [2] : vector<3xi1>\n"
                 "%p = arith.constant dense<9.> : vector<3xf32>\n"
                 "%r = vector.gather %m[%c1, %c1] [%i], %k, %p : memref<4x4xf32>, vector<3xi32>, "
                 "vector<3xi1>, "
                 "vector<3xf32> into vector<3xf32>",
                 {3}, "3xf32")
                .values(1),
            (Values{7, 5, 9}));
  EXPECT_EQ(read("%i = arith.constant dense<[2, 0]> : vector<2xindex>\n"
                 "%k = vector.constant_mask [2] : vector<2xi1>\n"
                 "%p = arith.constant dense<[8., 9.]> : vector<2xf32>\n"
                 "vector.scatter %m[%c1, %c0] [%i], %k, %p : memref<4x4xf32>, vector<2xindex>, "
                 "vector<2xi1>, vector<2xf32>\n"
                 "%r = vector.load %m[%c1, %c0] : memref<4x4xf32>, vector<4xf32>",
                 {4}, "4xf32")
                .values(1),
            (Values{9, 5, 8, 7}));
}

/// The second example of layouts, 2.5.4, smaller: v[x, y] = source[rows[x], y + 1].
TEST(Transfers, TransferGather) {
  EXPECT_EQ(
      read("%i = arith.constant dense<[3, 0, 9]> : vector<3xindex>\n"
           "%r = iree_vector_ext.transfer_gather %m[%c0, %c1][%i : vector<3xindex>, None], %pad "
           "{indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [false, true]} "
           ": memref<4x4xf32>, vector<3x2xf32>",
           {3, 2}, "3x2xf32")
          .values(1),
      (Values{13, 14, 1, 2, -1, -1}));
  // Both dimensions are gathered, the second by a matrix of indices that is used transposed; the
  // result is transposed, too: v[y, x] = source[rows[x], columns[y, x]].
  EXPECT_EQ(
      read("%i = arith.constant dense<[1, 2]> : vector<2xindex>\n"
           "%j = arith.constant dense<[[0, 1], [2, 3]]> : vector<2x2xindex>\n"
           "%r = iree_vector_ext.transfer_gather %m[%c0, %c0][%i : vector<2xindex>, %j : "
           "vector<2x2xindex>], %pad "
           "{indexed_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j, i)>], in_bounds = "
           "[true, true], "
           "permutation_map = affine_map<(i, j) -> (j, i)>} : memref<4x4xf32>, vector<2x2xf32>",
           {2, 2}, "2x2xf32")
          .values(1),
      (Values{4, 9, 6, 11}));
}
