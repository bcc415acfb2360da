// RUN: %check %s
// Elements keep their row-major order: seen in the transposed result (operations, 4.4).
// CASE @reshape(i32[1, 2, 3, 4, 5, 6, 7, 8]) -> i32[1, 5, 2, 6, 3, 7, 4, 8]
//
// Rank 0 and all-ones shapes.
// CASE @scalar(i32[7]) -> i32[7]

!i32_8 = !cuda_tile.tensor_view<8xi32, strides=[1]>
!i32_8_tiles = !cuda_tile.partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
!i32_4x2 = !cuda_tile.tensor_view<4x2xi32, strides=[2, 1]>
!i32_4x2_tiles = !cuda_tile.partition_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>>
!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
!i32_1x1 = !cuda_tile.tensor_view<1x1xi32, strides=[1, 1]>
!i32_1x1_tiles = !cuda_tile.partition_view<tile=(1x1), tensor_view<1x1xi32, strides=[1, 1]>>

cuda_tile.module @case {
  entry @reshape(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !i32_8
    %a_tiles = make_partition_view %a_view : !i32_8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_8_tiles, tile<i32> -> tile<8xi32>, token
    %m = reshape %a : tile<8xi32> -> tile<2x4xi32>
    %r = permute %m [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4, 2], strides = [2, 1] : !i32_4x2
    %r_tiles = make_partition_view %r_view : !i32_4x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<4x2xi32>, !i32_4x2_tiles, tile<i32> -> token
  }

  entry @scalar(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1], strides = [1] : !i32_1
    %a_tiles = make_partition_view %a_view : !i32_1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_1_tiles, tile<i32> -> tile<1xi32>, token
    %s = reshape %a : tile<1xi32> -> tile<i32>
    %r = reshape %s : tile<i32> -> tile<1x1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1, 1], strides = [1, 1] : !i32_1x1
    %r_tiles = make_partition_view %r_view : !i32_1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<1x1xi32>, !i32_1x1_tiles, tile<i32> -> token
  }
}
