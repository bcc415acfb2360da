// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of each column: docs/plan.md shows a reduction whose lanes lie along another dimension.

!matrix = !cuda_tile.tensor_view<8x64xf32, strides=[64, 1]>
!whole = !cuda_tile.partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
!vector = !cuda_tile.tensor_view<64xf32, strides=[1]>
!row = !cuda_tile.partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
cuda_tile.module @plan {
  entry @column_sums(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %from_matrix = make_tensor_view %from, shape = [8, 64], strides = [64, 1] : !matrix
    %from_tiles = make_partition_view %from_matrix : !whole
    %to_vector = make_tensor_view %to, shape = [64], strides = [1] : !vector
    %to_tiles = make_partition_view %to_vector : !row
    %x, %t0 = load_view_tko weak %from_tiles[%0, %0] : !whole, tile<i32> -> tile<8x64xf32>, token
    %y = reduce %x dim=0 identities=[0.0 : f32] : tile<8x64xf32> -> tile<64xf32>
    (%element: tile<f32>, %acc: tile<f32>) {
      %total = addf %element, %acc : tile<f32>
      yield %total : tile<f32>
    }
    %t1 = store_view_tko weak %y, %to_tiles[%0] : tile<64xf32>, !row, tile<i32> -> token
  }
}
