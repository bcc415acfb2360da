// RUN: %check %s
// The tensor is 3x5 with rows of 6 words. Of tile (1, 1) only element (2, 4) is in the tensor; what
// is outside is not written, nor is the word between rows (operations, 8.6).
// CASE @partition(i32[1, 2, 3, 4, 5, 6, 7, 8], 1, 1) ->
//     i32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
// CASE @partition(i32[1, 2, 3, 4, 5, 6, 7, 8], 0, 1) ->
//     i32[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]
//
// Tile dimension 0 along columns.
// CASE @dim_map(i32[1, 2, 3, 4, 5, 6, 7, 8], 1, 0) ->
//     i32[0, 0, 1, 5, 0, 0, 0, 0, 2, 6, 0, 0, 0, 0, 3, 7, 0, 0]
//
// From row 2 and column 3 on.
// CASE @strided(i32[1, 2, 3, 4, 5, 6, 7, 8], 2, 1) ->
//     i32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0]
//
// Rows as listed; those outside are skipped.
// CASE @scatter(i32[1, 2, 3, 4, 5, 6, 7, 8], i32[2, 3, 0, -1], 3) ->
//     i32[0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0]

!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>
!i32_4x2 = !cuda_tile.tensor_view<4x2xi32, strides=[2, 1]>
!i32_4x2_tiles = !cuda_tile.partition_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @case {
  entry @partition(%v_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %v_tiles = make_partition_view %v_view : !i32_2x4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero, %zero] : !i32_2x4_tiles, tile<i32> -> tile<2x4xi32>, token
    %tensor = make_tensor_view %r_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(2x4), tensor_view<3x5xi32, strides=[6, 1]>>
    %t = store_view_tko weak %v, %view[%i, %j] : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<3x5xi32, strides=[6, 1]>>, tile<i32> -> token
  }

  entry @dim_map(%v_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %v_tiles = make_partition_view %v_view : !i32_2x4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero, %zero] : !i32_2x4_tiles, tile<i32> -> tile<2x4xi32>, token
    %tensor = make_tensor_view %r_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(2x4), tensor_view<3x5xi32, strides=[6, 1]>, dim_map=[1, 0]>
    %t = store_view_tko weak %v, %view[%i, %j] : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<3x5xi32, strides=[6, 1]>, dim_map=[1, 0]>, tile<i32> -> token
  }

  entry @strided(%v_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %v_tiles = make_partition_view %v_view : !i32_2x4_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero, %zero] : !i32_2x4_tiles, tile<i32> -> tile<2x4xi32>, token
    %tensor = make_tensor_view %r_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_strided_view %tensor : strided_view<tile=(2x4), traversal_strides=[1,3], tensor_view<3x5xi32, strides=[6, 1]>>
    %t = store_view_tko weak %v, %view[%i, %j] : tile<2x4xi32>, strided_view<tile=(2x4), traversal_strides=[1,3], tensor_view<3x5xi32, strides=[6, 1]>>, tile<i32> -> token
  }

  entry @scatter(%v_ptr: tile<ptr<i32>>, %rows_ptr: tile<ptr<i32>>, %j: tile<i32>,
                 %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v_view = make_tensor_view %v_ptr, shape = [4, 2], strides = [2, 1] : !i32_4x2
    %v_tiles = make_partition_view %v_view : !i32_4x2_tiles
    %v, %v_token = load_view_tko weak %v_tiles[%zero, %zero] : !i32_4x2_tiles, tile<i32> -> tile<4x2xi32>, token
    %rows_view = make_tensor_view %rows_ptr, shape = [4], strides = [1] : !i32_4
    %rows_tiles = make_partition_view %rows_view : !i32_4_tiles
    %rows, %rows_token = load_view_tko weak %rows_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %tensor = make_tensor_view %r_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_gather_scatter_view %tensor : gather_scatter_view<tile=(4x2), tensor_view<3x5xi32, strides=[6, 1]>, sparse_dim=0>
    %t = store_view_tko weak %v, %view[%rows, %j] : tile<4x2xi32>, gather_scatter_view<tile=(4x2), tensor_view<3x5xi32, strides=[6, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  }
}
