// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefix sums of a row: docs/plan.md shows how a scan works on vectors.

!row = !cuda_tile.tensor_view<64xf32, strides=[1]>
!whole = !cuda_tile.partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
cuda_tile.module @plan {
  entry @prefix_sums(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %from_row = make_tensor_view %from, shape = [64], strides = [1] : !row
    %from_tiles = make_partition_view %from_row : !whole
    %to_row = make_tensor_view %to, shape = [64], strides = [1] : !row
    %to_tiles = make_partition_view %to_row : !whole
    %x, %t0 = load_view_tko weak %from_tiles[%0] : !whole, tile<i32> -> tile<64xf32>, token
    %y = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<64xf32> -> tile<64xf32>
    (%element: tile<f32>, %acc: tile<f32>) {
      %total = addf %element, %acc : tile<f32>
      yield %total : tile<f32>
    }
    %t1 = store_view_tko weak %y, %to_tiles[%0] : tile<64xf32>, !whole, tile<i32> -> token
  }
}
