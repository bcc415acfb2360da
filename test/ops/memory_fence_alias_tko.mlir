// RUN: %check %s
// Memory has one address here: the fence orders what its token orders (13.4, section 5).
// CASE @copy(i32[1, -2, 3, 4]) -> i32[1, -2, 3, 4]
//
// Both rows are stored through one view before any is loaded through another one, which has them in
// the other order: without the fence between the two tokens, row 1 is loaded before it is stored by who
// goes from row to row, and the machine that checks reports a race.
// CASE @exchange(i32[1, -2, 3, 4, 5, -6, 7, 8]) ->
//     i32[1, -2, 3, 4, 5, -6, 7, 8], i32[5, -6, 7, 8, 1, -2, 3, 4]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>
!i32_2x4_rows = !cuda_tile.gather_scatter_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>, sparse_dim=0>

cuda_tile.module @case {
  entry @copy(%s_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [4], strides = [1] : !i32_4
    %s_tiles = make_partition_view %s_view : !i32_4_tiles
    %s, %s_token = load_view_tko weak %s_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %t = memory_fence_alias_tko %s_token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %s, %r_tiles[%zero] token = %t : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @exchange(%s_ptr: tile<ptr<i32>>, %m_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %s_view = make_tensor_view %s_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %s_tiles = make_partition_view %s_view : !i32_2x4_tiles
    %m_view = make_tensor_view %m_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %m_tiles = make_partition_view %m_view : !i32_2x4_tiles
    %m_rows = make_gather_scatter_view %m_view : !i32_2x4_rows
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %rows = constant <i32: [1, 0]> : tile<2xi32>
    %s, %s_token = load_view_tko weak %s_tiles[%zero, %zero] : !i32_2x4_tiles, tile<i32> -> tile<2x4xi32>, token
    %stored = store_view_tko weak %s, %m_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
    %t = memory_fence_alias_tko %stored
    %m, %m_token = load_view_tko weak %m_rows[%rows, %zero] token = %t : !i32_2x4_rows, tile<2xi32>, tile<i32> -> tile<2x4xi32>, token
    %r_token = store_view_tko weak %m, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }
}
