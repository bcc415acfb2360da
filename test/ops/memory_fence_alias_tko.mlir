// RUN: %check %s
// Memory has one address here: the fence orders what its token orders (13.4, section 5).
// CASE @copy(i32[1, -2, 3, 4]) -> i32[1, -2, 3, 4]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @copy(%s_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %t = memory_fence_alias_tko token = %s_token -> token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %s, %r_tiles[%zero] token = %t : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }
}
