// RUN: %check %s
// The tensor is 3x5 with rows of 6 words: element (r, c) is 10 r + c, and the last word, 99, is
// no part of it. With dim_map = [1, 0] tile dimension 0 runs along columns: tile (1, 0)
// has columns 2 and 3 of all rows (types, 4.4 and 5.2).
// CASE @dim_map(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 1, 0) ->
//     i32[2, 12, 22, 0, 3, 13, 23, 0]
// CASE @dim_map(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 2, 0) ->
//     i32[4, 14, 24, 0, 0, 0, 0, 0]

!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>

cuda_tile.module @case {
  entry @dim_map(%a_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>, dim_map=[1, 0]>
    %r, %t = load_view_tko weak %view[%i, %j] : partition_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>, dim_map=[1, 0]>, tile<i32> -> tile<2x4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }
}
