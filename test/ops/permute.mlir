// RUN: %check %s
// Result dimension k is source dimension permutation[k], so the result has shape 4x1x2 and
// r[i, 0, j] = a[0, j, i] (operations, 4.5). A permutation of order three tells it from its inverse.
// CASE @permute(i32[1, 2, 3, 4, 5, 6, 7, 8]) -> i32[1, 5, 2, 6, 3, 7, 4, 8]

!i32_1x2x4 = !cuda_tile.tensor_view<1x2x4xi32, strides=[8, 4, 1]>
!i32_1x2x4_tiles = !cuda_tile.partition_view<tile=(1x2x4), tensor_view<1x2x4xi32, strides=[8, 4, 1]>>
!i32_4x1x2 = !cuda_tile.tensor_view<4x1x2xi32, strides=[2, 2, 1]>
!i32_4x1x2_tiles = !cuda_tile.partition_view<tile=(4x1x2), tensor_view<4x1x2xi32, strides=[2, 2, 1]>>

cuda_tile.module @case {
  entry @permute(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 2, 4], strides = [8, 4, 1] : !i32_1x2x4
    %a_tiles = make_partition_view %a_view : !i32_1x2x4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero, %zero] : !i32_1x2x4_tiles, tile<i32> -> tile<1x2x4xi32>, token
    %r = permute %a [2, 0, 1] : tile<1x2x4xi32> -> tile<4x1x2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4, 1, 2], strides = [2, 2, 1] : !i32_4x1x2
    %r_tiles = make_partition_view %r_view : !i32_4x1x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero, %zero] : tile<4x1x2xi32>, !i32_4x1x2_tiles, tile<i32> -> token
  }
}
