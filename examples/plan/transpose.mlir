// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes a tile: docs/plan.md shows how a layout conversion goes through shared memory.

!in = !cuda_tile.tensor_view<16x64xf32, strides=[64, 1]>
!in_tiles = !cuda_tile.partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64, 1]>>
!out = !cuda_tile.tensor_view<64x16xf32, strides=[16, 1]>
!out_tiles = !cuda_tile.partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16, 1]>>
cuda_tile.module @plan {
  entry @transpose(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %from_matrix = make_tensor_view %from, shape = [16, 64], strides = [64, 1] : !in
    %from_tiles = make_partition_view %from_matrix : !in_tiles
    %to_matrix = make_tensor_view %to, shape = [64, 16], strides = [16, 1] : !out
    %to_tiles = make_partition_view %to_matrix : !out_tiles
    %x, %t0 = load_view_tko weak %from_tiles[%0, %0] : !in_tiles, tile<i32> -> tile<16x64xf32>, token
    %y = permute %x [1, 0] : tile<16x64xf32> -> tile<64x16xf32>
    %t1 = store_view_tko weak %y, %to_tiles[%0, %0] : tile<64x16xf32>, !out_tiles, tile<i32> -> token
  }
}
