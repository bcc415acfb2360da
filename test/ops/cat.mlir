// RUN: %check %s
// One below the other (operations, 4.6).
// CASE @rows(i32[1, 2, 3, 4], i32[5, 6, 7, 8]) -> i32[1, 2, 3, 4, 5, 6, 7, 8]
//
// Side by side.
// CASE @columns(i32[1, 2, 3, 4], i32[5, 6, 7, 8]) -> i32[1, 2, 5, 6, 3, 4, 7, 8]

!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>
!i32_4x2 = !cuda_tile.tensor_view<4x2xi32, strides=[2, 1]>
!i32_4x2_tiles = !cuda_tile.partition_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>>
!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>

cuda_tile.module @case {
  entry @rows(%a_ptr: tile<ptr<i32>>, %b_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %a_tiles = make_partition_view %a_view : !i32_2x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x2_tiles, tile<i32> -> tile<2x2xi32>, token
    %b_view = make_tensor_view %b_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %b_tiles = make_partition_view %b_view : !i32_2x2_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !i32_2x2_tiles, tile<i32> -> tile<2x2xi32>, token
    %r = cat %a, %b dim = 0 : tile<2x2xi32>, tile<2x2xi32> -> tile<4x2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4, 2], strides = [2, 1] : !i32_4x2
    %r_tiles = make_partition_view %r_view : !i32_4x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<4x2xi32>, !i32_4x2_tiles, tile<i32> -> token
  }

  entry @columns(%a_ptr: tile<ptr<i32>>, %b_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %a_tiles = make_partition_view %a_view : !i32_2x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x2_tiles, tile<i32> -> tile<2x2xi32>, token
    %b_view = make_tensor_view %b_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %b_tiles = make_partition_view %b_view : !i32_2x2_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !i32_2x2_tiles, tile<i32> -> tile<2x2xi32>, token
    %r = cat %a, %b dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }
}
