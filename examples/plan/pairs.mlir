// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts each pair of neighbours, the first step of a sorting network: docs/plan.md shows its
// lane-shuffle program.

!row = !cuda_tile.tensor_view<1x32xf32, strides=[32, 1]>
!whole = !cuda_tile.partition_view<tile=(1x32), tensor_view<1x32xf32, strides=[32, 1]>>
cuda_tile.module @plan {
  entry @order_pairs(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %from_row = make_tensor_view %from, shape = [1, 32], strides = [32, 1] : !row
    %from_tiles = make_partition_view %from_row : !whole
    %to_row = make_tensor_view %to, shape = [1, 32], strides = [32, 1] : !row
    %to_tiles = make_partition_view %to_row : !whole
    %x, %t0 = load_view_tko weak %from_tiles[%0, %0] : !whole, tile<i32> -> tile<1x32xf32>, token
    %pairs = reshape %x : tile<1x32xf32> -> tile<1x16x2xf32>
    %a = extract %pairs[%0, %0, %0] : tile<1x16x2xf32> -> tile<1x16x1xf32>
    %b = extract %pairs[%0, %0, %1] : tile<1x16x2xf32> -> tile<1x16x1xf32>
    %low = minf %a, %b : tile<1x16x1xf32>
    %high = maxf %a, %b : tile<1x16x1xf32>
    %both = cat %low, %high dim = 2 : tile<1x16x1xf32>, tile<1x16x1xf32> -> tile<1x16x2xf32>
    %y = reshape %both : tile<1x16x2xf32> -> tile<1x32xf32>
    %t1 = store_view_tko weak %y, %to_tiles[%0, %0] : tile<1x32xf32>, !whole, tile<i32> -> token
  }
}
