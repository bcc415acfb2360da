// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what is known about the rows of tiles: whether they lie inside the tensor, and whether they
// are contiguous.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// A load of 4x16 elements of a tensor; `%n` is unknown.
struct Tensor {
  const char *extents, *strides, *operands; ///< Of make_tensor_view.
  const char *type;
  bool fits[2];
  std::optional<int64_t> rowStride;
  Rows rows;
  Lanes outside;
};

const Tensor tensors[] = {
    {"64, 64",
     "64, 1",
     "",
     "64x64xf32, strides=[64, 1]",
     {true, true},
     1,
     Rows::Contiguous,
     Lanes::ContiguousMasked},
    // 62 rows are no multiple of 4, and 60 columns none of 16.
    {"62, 64",
     "64, 1",
     "",
     "62x64xf32, strides=[64, 1]",
     {false, true},
     1,
     Rows::Tested,
     Lanes::ContiguousMasked},
    {"64, 60",
     "64, 1",
     "",
     "64x60xf32, strides=[64, 1]",
     {true, false},
     1,
     Rows::Tested,
     Lanes::ContiguousMasked},
    {"%n, 64",
     "64, 1",
     "tile<i32> -> ",
     "?x64xf32, strides=[64, 1]",
     {false, true},
     1,
     Rows::Tested,
     Lanes::ContiguousMasked},
    {"64, 64",
     "64, %n",
     "tile<i32> -> ",
     "64x64xf32, strides=[64, ?]",
     {true, true},
     {},
     Rows::Tested,
     Lanes::Gathered},
    // Elements of a row are 64 apart, whatever the stride of rows.
    {"64, 64",
     "%n, 64",
     "tile<i32> -> ",
     "64x64xf32, strides=[?, 64]",
     {true, true},
     64,
     Rows::Apart,
     Lanes::Gathered},
};

TEST(ViewRows, FollowExtentsAndStrides) {
  for (const Tensor &tensor : tensors) {
    const std::string type = "tensor_view<" + std::string(tensor.type) + ">",
                      tiles = "partition_view<tile=(4x16), " + type + ">";
    ParsedKernel kernel(views +
                        "%n, %y, %z = get_tile_block_id : tile<i32>\n"
                        "%t = make_tensor_view %f, shape = [" +
                        tensor.extents + "], strides = [" + tensor.strides + "] : " +
                        tensor.operands + type + "\n%p = make_partition_view %t : " + tiles +
                        "\n%a, %a_t = load_view_tko weak %p[%0, %0] : " + tiles +
                        ", tile<i32> -> tile<4x16xf32>, token\n");
    auto load = kernel.first<tile::LoadViewOp>();
    auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
    const KnownAxes axes = knownAxesOf(access);
    ASSERT_EQ(axes.size(), 2u);
    for (unsigned dim : {0, 1}) {
      EXPECT_EQ(axes[dim].fits, tensor.fits[dim]) << type << " dimension " << dim;
      EXPECT_FALSE(axes[dim].isSparse);
    }
    EXPECT_EQ(axes[1].stride, tensor.rowStride) << type;
    EXPECT_EQ(areKnownInside(axes), tensor.fits[0] && tensor.fits[1]) << type;
    EXPECT_EQ(int(rowsOf(load.getOperation())), int(tensor.rows)) << type;
    EXPECT_EQ(int(lanesOutside(access)), int(tensor.outside)) << type;
  }
}

} // namespace
