// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a + b, f32, 16384 elements per tile block: what elementwise operations and their memory
// cost, with the cost of a block spread over many elements. examples/vector_add.mlir is the same
// with 1024.

!vector = !cuda_tile.tensor_view<?xf32, strides=[?]>
!tiles = !cuda_tile.partition_view<tile=(16384), tensor_view<?xf32, strides=[?]>>

cuda_tile.module @bench {
  entry @addition(%a: tile<ptr<f32>>, %a_extent: tile<i32>, %a_stride: tile<i32>,
                  %b: tile<ptr<f32>>, %b_extent: tile<i32>, %b_stride: tile<i32>,
                  %c: tile<ptr<f32>>, %c_extent: tile<i32>, %c_stride: tile<i32>) {
    %a_vector = make_tensor_view %a, shape = [%a_extent], strides = [%a_stride] : tile<i32> -> !vector
    %b_vector = make_tensor_view %b, shape = [%b_extent], strides = [%b_stride] : tile<i32> -> !vector
    %c_vector = make_tensor_view %c, shape = [%c_extent], strides = [%c_stride] : tile<i32> -> !vector
    %a_tiles = make_partition_view %a_vector : !tiles
    %b_tiles = make_partition_view %b_vector : !tiles
    %c_tiles = make_partition_view %c_vector : !tiles
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a_tile, %a_token = load_view_tko weak %a_tiles[%x] : !tiles, tile<i32> -> tile<16384xf32>, token
    %b_tile, %b_token = load_view_tko weak %b_tiles[%x] : !tiles, tile<i32> -> tile<16384xf32>, token
    %sum = addf %a_tile, %b_tile : tile<16384xf32>
    %c_token = store_view_tko weak %sum, %c_tiles[%x] : tile<16384xf32>, !tiles, tile<i32> -> token
  }
}
