// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a + b, on vectors of any length.
//
// A kernel is a program for one *tile block*. Many blocks run it at once; each asks
// for its number in the *grid* and works on its own part of the data. Here block x
// adds elements 1024*x .. 1024*x+1023. The last block of a vector whose length is no
// multiple of 1024 reaches past the end: the views take care of that.
//
//   tilewright run examples/vector_add.mlir --entry vector_add --grid 3 \
//       --arg 'array:iota(2500xf32)' --arg 'array:iota(2500xf32)' --arg 'array:zeros(2500xf32),print'

// A vector in memory: its extent and its stride (in elements) are known only at run time.
!vector = !cuda_tile.tensor_view<?xf32, strides=[?]>
// The same vector, cut into tiles of 1024 elements.
!tiles = !cuda_tile.partition_view<tile=(1024), tensor_view<?xf32, strides=[?]>>

cuda_tile.module @examples {
  // An array arrives as three parameters: address, extent, stride.
  entry @vector_add(%a: tile<ptr<f32>>, %a_extent: tile<i32>, %a_stride: tile<i32>,
                    %b: tile<ptr<f32>>, %b_extent: tile<i32>, %b_stride: tile<i32>,
                    %c: tile<ptr<f32>>, %c_extent: tile<i32>, %c_stride: tile<i32>) {
    %a_vector = make_tensor_view %a, shape = [%a_extent], strides = [%a_stride] : tile<i32> -> !vector
    %b_vector = make_tensor_view %b, shape = [%b_extent], strides = [%b_stride] : tile<i32> -> !vector
    %c_vector = make_tensor_view %c, shape = [%c_extent], strides = [%c_stride] : tile<i32> -> !vector
    %a_tiles = make_partition_view %a_vector : !tiles
    %b_tiles = make_partition_view %b_vector : !tiles
    %c_tiles = make_partition_view %c_vector : !tiles

    // Which block am I? y and z are 0 in a grid of one dimension.
    %x, %y, %z = get_tile_block_id : tile<i32>

    // Elements past the end are not read; what the tile holds there is unspecified.
    // Every access gives a token, by which later ones could be ordered after it. Here
    // nothing needs to be: the blocks touch different elements, the arrays differ.
    %a_tile, %a_token = load_view_tko weak %a_tiles[%x] : !tiles, tile<i32> -> tile<1024xf32>, token
    %b_tile, %b_token = load_view_tko weak %b_tiles[%x] : !tiles, tile<i32> -> tile<1024xf32>, token
    %sum = addf %a_tile, %b_tile : tile<1024xf32>
    // Nor are elements past the end written.
    %c_token = store_view_tko weak %sum, %c_tiles[%x] : tile<1024xf32>, !tiles, tile<i32> -> token
    return
  }
}
