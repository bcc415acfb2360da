// RUN: %check %s
// Indices number slices: (1, 0) is rows 2 and 3, columns 0 and 1 (operations, 4.7). There is no
// slice 2 along a dimension of 4 cut into 2, and -1 is a large unsigned number.
// CASE @extract(i32[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33], 1, 0) ->
//     i32[20, 21, 30, 31]
// CASE @extract(i32[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33], 0, 1) ->
//     i32[2, 3, 12, 13]
// CASE @extract(i32[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33], 2, 0, i32[0, 0, 0, 0]) ->
//     error "there is no slice 2 along dimension 0, which has 2"
// CASE @extract(i32[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33], 0, -1, i32[0, 0, 0, 0]) ->
//     error "there is no slice 4294967295 along dimension 1"

!i32_4x4 = !cuda_tile.tensor_view<4x4xi32, strides=[4, 1]>
!i32_4x4_tiles = !cuda_tile.partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4, 1]>>
!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>

cuda_tile.module @case {
  entry @extract(%a_ptr: tile<ptr<i32>>, %row: tile<i32>, %column: tile<i32>,
                 %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4, 4], strides = [4, 1] : !i32_4x4
    %a_tiles = make_partition_view %a_view : !i32_4x4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_4x4_tiles, tile<i32> -> tile<4x4xi32>, token
    %r = extract %a[%row, %column] : tile<4x4xi32> -> tile<2x2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %r_tiles = make_partition_view %r_view : !i32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xi32>, !i32_2x2_tiles, tile<i32> -> token
  }
}
