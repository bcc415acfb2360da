// RUN: %check %s
// The longest iota of i1 counts 0, 1; unsigned, so that true is the second (operations, 4.2).
// CASE @iota() -> i32[0, 1, 2, 3], i1[0, 1]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i1_2 = !cuda_tile.tensor_view<2xi1, strides=[1]>
!i1_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi1, strides=[1]>>

cuda_tile.module @case {
  entry @iota(%i_ptr: tile<ptr<i32>>, %b_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %i = iota : tile<4xi32>
    %b = iota : tile<2xi1>
    %i_view = make_tensor_view %i_ptr, shape = [4], strides = [1] : !i32_4
    %i_tiles = make_partition_view %i_view : !i32_4_tiles
    %i_token = store_view_tko weak %i, %i_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %b_view = make_tensor_view %b_ptr, shape = [2], strides = [1] : !i1_2
    %b_tiles = make_partition_view %b_view : !i1_2_tiles
    %b_token = store_view_tko weak %b, %b_tiles[%zero] : tile<2xi1>, !i1_2_tiles, tile<i32> -> token
  }
}
