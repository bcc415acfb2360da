// RUN: %check %s
// The tensor is 3x5 with rows of 6 words: element (r, c) is 10 r + c, and the last word, 99, is
// no part of it. Columns as listed, rows from i on: the index of the other dimension
// counts elements, not tiles (types, 5.2).
// CASE @columns(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], i32[0, 4, 5, 1], 1) ->
//     i32[10, 14, 0, 11, 20, 24, 0, 21]
// CASE @columns(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], i32[0, 4, 5, 1], 2) ->
//     i32[20, 24, 0, 21, 0, 0, 0, 0]
// Rows of a 4x2 tensor are stored to the places that a list of i64 names; what is outside of the
// tensor is skipped (types, 5.3). Read unsigned, -1 and -2 are 2^64 - 1 and 2^64 - 2.
// CASE @scatter(i64[-1, 2, -2, 0]) -> i32[7, 8, 0, 0, 3, 4, 0, 0]
// CASE @scatter(i64[-2, -2, -1, 4]) -> i32[0, 0, 0, 0, 0, 0, 0, 0]
// CASE @scatter(i64[0x7FFFFFFFFFFFFFFF, -0x8000000000000000, 1, -1]) -> i32[0, 0, 5, 6, 0, 0, 0, 0]

!i64_4 = !cuda_tile.tensor_view<4xi64, strides=[1]>
!i64_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>

cuda_tile.module @case {
  entry @columns(%a_ptr: tile<ptr<i32>>, %columns_ptr: tile<ptr<i32>>, %i: tile<i32>,
                 %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %columns_view = make_tensor_view %columns_ptr, shape = [4], strides = [1] : !i32_4
    %columns_tiles = make_partition_view %columns_view : !i32_4_tiles
    %columns, %columns_token = load_view_tko weak %columns_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %tensor = make_tensor_view %a_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_gather_scatter_view %tensor : gather_scatter_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>, sparse_dim=1>
    %r, %t = load_view_tko weak %view[%i, %columns] : gather_scatter_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>, sparse_dim=1>, tile<i32>, tile<4xi32> -> tile<2x4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }

  entry @scatter(%rows_ptr: tile<ptr<i64>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %zero64 = constant <i64: 0> : tile<i64>
    %rows_view = make_tensor_view %rows_ptr, shape = [4], strides = [1] : !i64_4
    %rows_tiles = make_partition_view %rows_view : !i64_4_tiles
    %rows, %rows_token = load_view_tko weak %rows_tiles[%zero] : !i64_4_tiles, tile<i32> -> tile<4xi64>, token
    %v = constant <i32: [[1, 2], [3, 4], [5, 6], [7, 8]]> : tile<4x2xi32>
    %tensor = make_tensor_view %r_ptr, shape = [4, 2], strides = [2, 1] : tensor_view<4x2xi32, strides=[2, 1]>
    %view = make_gather_scatter_view %tensor : gather_scatter_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>, sparse_dim=0>
    %t = store_view_tko weak %v, %view[%rows, %zero64] : tile<4x2xi32>, gather_scatter_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>, sparse_dim=0>, tile<4xi64>, tile<i64> -> token
  }
}
