// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds one row to all rows of a matrix: docs/plan.md shows how a shared row is read.

!matrix = !cuda_tile.tensor_view<16x64xf32, strides=[64, 1]>
!whole = !cuda_tile.partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64, 1]>>
!vector = !cuda_tile.tensor_view<64xf32, strides=[1]>
!row = !cuda_tile.partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
cuda_tile.module @plan {
  entry @add_bias(%from: tile<ptr<f32>>, %bias: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %from_matrix = make_tensor_view %from, shape = [16, 64], strides = [64, 1] : !matrix
    %from_tiles = make_partition_view %from_matrix : !whole
    %bias_vector = make_tensor_view %bias, shape = [64], strides = [1] : !vector
    %bias_tiles = make_partition_view %bias_vector : !row
    %to_matrix = make_tensor_view %to, shape = [16, 64], strides = [64, 1] : !matrix
    %to_tiles = make_partition_view %to_matrix : !whole
    %x, %t0 = load_view_tko weak %from_tiles[%0, %0] : !whole, tile<i32> -> tile<16x64xf32>, token
    %b, %t1 = load_view_tko weak %bias_tiles[%0] : !row, tile<i32> -> tile<64xf32>, token
    %b_row = reshape %b : tile<64xf32> -> tile<1x64xf32>
    %b_rows = broadcast %b_row : tile<1x64xf32> -> tile<16x64xf32>
    %y = addf %x, %b_rows : tile<16x64xf32>
    %t2 = store_view_tko weak %y, %to_tiles[%0, %0] : tile<16x64xf32>, !whole, tile<i32> -> token
  }
}
