// RUN: %check %s
// Along the first dimension (operations, 4.3).
// CASE @row(i32[1, 2]) -> i32[1, 2, 1, 2]
//
// Along the last.
// CASE @column(i32[1, 2]) -> i32[1, 1, 2, 2]

!i32_1x2 = !cuda_tile.tensor_view<1x2xi32, strides=[2, 1]>
!i32_1x2_tiles = !cuda_tile.partition_view<tile=(1x2), tensor_view<1x2xi32, strides=[2, 1]>>
!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>
!i32_2x1 = !cuda_tile.tensor_view<2x1xi32, strides=[1, 1]>
!i32_2x1_tiles = !cuda_tile.partition_view<tile=(2x1), tensor_view<2x1xi32, strides=[1, 1]>>

cuda_tile.module @case {
  entry @row(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 2], strides = [2, 1] : !i32_1x2
    %a_tiles = make_partition_view %a_view : !i32_1x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_1x2_tiles, tile<i32> -> tile<1x2xi32>, token
    %r = broadcast %a : tile<1x2xi32> -> tile<2x2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %r_tiles = make_partition_view %r_view : !i32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xi32>, !i32_2x2_tiles, tile<i32> -> token
  }

  entry @column(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 1], strides = [1, 1] : !i32_2x1
    %a_tiles = make_partition_view %a_view : !i32_2x1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x1_tiles, tile<i32> -> tile<2x1xi32>, token
    %r = broadcast %a : tile<2x1xi32> -> tile<2x2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %r_tiles = make_partition_view %r_view : !i32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xi32>, !i32_2x2_tiles, tile<i32> -> token
  }
}
