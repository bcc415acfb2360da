// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a * b for one 128x128 tile each, f32: what an mmaf costs, and little beside it.

!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?, ?]>
!tiles = !cuda_tile.partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?, ?]>>
cuda_tile.module @bench {
  entry @product(%a: tile<ptr<f32>>, %a_m: tile<i32>, %a_k: tile<i32>, %a_sm: tile<i32>, %a_sk: tile<i32>,
                 %b: tile<ptr<f32>>, %b_k: tile<i32>, %b_n: tile<i32>, %b_sk: tile<i32>, %b_sn: tile<i32>,
                 %c: tile<ptr<f32>>, %c_m: tile<i32>, %c_n: tile<i32>, %c_sm: tile<i32>, %c_sn: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%a_m, %a_k], strides = [%a_sm, %a_sk] : tile<i32> -> !matrix
    %b_view = make_tensor_view %b, shape = [%b_k, %b_n], strides = [%b_sk, %b_sn] : tile<i32> -> !matrix
    %c_view = make_tensor_view %c, shape = [%c_m, %c_n], strides = [%c_sm, %c_sn] : tile<i32> -> !matrix
    %a_tiles = make_partition_view %a_view : !tiles
    %b_tiles = make_partition_view %b_view : !tiles
    %c_tiles = make_partition_view %c_view : !tiles
    %first = constant <i32: 0> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<128x128xf32>
    %a_tile, %t0 = load_view_tko weak %a_tiles[%first, %first] : !tiles, tile<i32> -> tile<128x128xf32>, token
    %b_tile, %t1 = load_view_tko weak %b_tiles[%first, %first] : !tiles, tile<i32> -> tile<128x128xf32>, token
    %sum = mmaf %a_tile, %b_tile, %zeros : tile<128x128xf32>, tile<128x128xf32>, tile<128x128xf32>
    %t2 = store_view_tko weak %sum, %c_tiles[%first, %first] : tile<128x128xf32>, !tiles, tile<i32> -> token
    return
  }
}
