// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a b for 16 x 32 and 32 x 16 matrices. Two blocks compute the product of one half of K each, and add it to c
// atomically. The caller must set c to zero first.

!a = !cuda_tile.tensor_view<16x32xf32, strides=[32, 1]>
!b = !cuda_tile.tensor_view<32x16xf32, strides=[16, 1]>
!a_tiles = !cuda_tile.partition_view<tile=(16x16), tensor_view<16x32xf32, strides=[32, 1]>>
!b_tiles = !cuda_tile.partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16, 1]>>

cuda_tile.module @explore {
  entry @split_k(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %a_view = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : !a
    %b_view = make_tensor_view %b, shape = [32, 16], strides = [16, 1] : !b
    %a_tiles = make_partition_view %a_view : !a_tiles
    %b_tiles = make_partition_view %b_view : !b_tiles
    %k, %y, %z = get_tile_block_id : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<16x16xf32>
    %a_tile, %t0 = load_view_tko weak %a_tiles[%first, %k] : !a_tiles, tile<i32> -> tile<16x16xf32>, token
    %b_tile, %t1 = load_view_tko weak %b_tiles[%k, %first] : !b_tiles, tile<i32> -> tile<16x16xf32>, token
    %part = mmaf %a_tile, %b_tile, %zeros : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
    %flat = reshape %part : tile<16x16xf32> -> tile<256xf32>
    %lane = iota : tile<256xi32>
    %c1 = reshape %c : tile<ptr<f32>> -> tile<1xptr<f32>>
    %cs = broadcast %c1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %at = offset %cs, %lane : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %old, %t2 = atomic_rmw_tko relaxed device %at, addf, %flat : tile<256xptr<f32>>, tile<256xf32> -> tile<256xf32>, token
  }
}
