// RUN: %check %s
// The tensor is 3x5 with rows of 6 words: element (r, c) is 10 r + c, and the last word, 99, is
// no part of it. Tile (1, 1) starts at row 2 and column 4; one element of it is in the
// tensor (types, 5.2).
// CASE @partition(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 0, 0) ->
//     i32[0, 1, 2, 3, 10, 11, 12, 13]
// CASE @partition(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 1, 1) ->
//     i32[24, 0, 0, 0, 0, 0, 0, 0]
//
// There are 2x2 tiles. A negative index is a large one (operations, 8.1).
// CASE @partition_index(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 2, 0, i32[0, 0, 0, 0, 0, 0, 0, 0]) ->
//     error "load_view_tko: index 0 is 2, but the view has only 2 along this dimension"
// CASE @partition_index(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 0, -1, i32[0, 0, 0, 0, 0, 0, 0, 0]) ->
//     error "index 1 is 4294967295"
//
// Tiles start one row and three columns apart: (1, 1) starts at row 1 and column 3.
// CASE @strided(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], 1, 1) ->
//     i32[13, 14, 0, 0, 23, 24, 0, 0]
//
// Rows as listed, columns from 4 on. A row may be listed twice or be outside, even negative.
// CASE @gather(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], i32[2, 2, 3, 0], 4) ->
//     i32[24, 0, 24, 0, 0, 0, 4, 0]
// CASE @gather(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], i32[-1, 1, 0, 0], 0) ->
//     i32[0, 0, 10, 11, 0, 1, 0, 1]
// CASE @gather(i32[0, 1, 2, 3, 4, 99, 10, 11, 12, 13, 14, 99, 20, 21, 22, 23, 24, 99], i32[0, 0, 0, 0], 5, i32[0, 0, 0, 0, 0, 0, 0, 0]) ->
//     error "index 1 is 5, but the view has only 5 along this dimension"
//
// Without padding, elements outside have no value. Storing them past the end of an equal view
// is no store; storing them as a row is.
// CASE @unpadded(i32[1, 2, 3], 3) -> i32[1, 2, 3]
// CASE @unpadded(i32[1, 2, 3], 4, i32[0, 0, 0, 0]) ->
//     warning "store_view_tko: element [3]: an unspecified value is stored to parameter 3 (4xi32)"
//
// The other padding values (types, 6).
// CASE @neg_zero(f32[1.0]) -> f32[1.0, -0.0]
//
// ... nan.
// CASE @nan(f32[1.0]) -> f32[1.0, nan]
//
// ... pos_inf.
// CASE @pos_inf(f32[1.0]) -> f32[1.0, inf]
//
// ... neg_inf.
// CASE @neg_inf(f32[1.0]) -> f32[1.0, -inf]
//
// A view that claims more than there is: the fourth word is not in the array.
// CASE @beyond(i32[1, 2, 3], i32[0, 0, 0, 0]) -> error "load_view_tko: element [3]: address"
//
// Two 4-bit floats per byte, the even one in the low half: 0x31 is [0.5, 1.5], and elements 2 and
// 3 are the second byte (types, 2.3).
// CASE @nibbles(f4E2M1FN[0.5, 1.5, -6.0, 4.0], 0) -> f32[0.5, 1.5]
// CASE @nibbles(f4E2M1FN[0.5, 1.5, -6.0, 4.0], 1) -> f32[-6.0, 4.0]

!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i32_4x2 = !cuda_tile.tensor_view<4x2xi32, strides=[2, 1]>
!i32_4x2_tiles = !cuda_tile.partition_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>>
!f32_2 = !cuda_tile.tensor_view<2xf32, strides=[1]>
!f32_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xf32, strides=[1]>>

cuda_tile.module @case {
  entry @partition(%a_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>>
    %r, %t = load_view_tko weak %view[%i, %j] : partition_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>>, tile<i32> -> tile<2x4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }

  entry @partition_index(%a_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>,
                         %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>>
    %r, %t = load_view_tko weak %view[%i, %j] : partition_view<tile=(2x4), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>>, tile<i32> -> tile<2x4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }

  entry @strided(%a_ptr: tile<ptr<i32>>, %i: tile<i32>, %j: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_strided_view %tensor : strided_view<tile=(2x4), traversal_strides=[1,3], padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>>
    %r, %t = load_view_tko weak %view[%i, %j] : strided_view<tile=(2x4), traversal_strides=[1,3], padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>>, tile<i32> -> tile<2x4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %r_tiles = make_partition_view %r_view : !i32_2x4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x4xi32>, !i32_2x4_tiles, tile<i32> -> token
  }

  entry @gather(%a_ptr: tile<ptr<i32>>, %rows_ptr: tile<ptr<i32>>, %j: tile<i32>,
                %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %rows_view = make_tensor_view %rows_ptr, shape = [4], strides = [1] : !i32_4
    %rows_tiles = make_partition_view %rows_view : !i32_4_tiles
    %rows, %rows_token = load_view_tko weak %rows_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %tensor = make_tensor_view %a_ptr, shape = [3, 5], strides = [6, 1] : tensor_view<3x5xi32, strides=[6, 1]>
    %view = make_gather_scatter_view %tensor : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>, sparse_dim=0>
    %r, %t = load_view_tko weak %view[%rows, %j] : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<3x5xi32, strides=[6, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x2xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4, 2], strides = [2, 1] : !i32_4x2
    %r_tiles = make_partition_view %r_view : !i32_4x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<4x2xi32>, !i32_4x2_tiles, tile<i32> -> token
  }

  entry @unpadded(%a_ptr: tile<ptr<i32>>, %out_count: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %count = constant <i32: 3> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%count], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>
    %v, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %out_tensor = make_tensor_view %r_ptr, shape = [%out_count], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %out_tiles = make_partition_view %out_tensor : partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>
    %t2 = store_view_tko weak %v, %out_tiles[%first] : tile<4xi32>, partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
  }

  entry @neg_zero(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2), padding_value = neg_zero, tensor_view<1xf32, strides=[1]>>
    %r, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(2), padding_value = neg_zero, tensor_view<1xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !f32_2
    %r_tiles = make_partition_view %r_view : !f32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xf32>, !f32_2_tiles, tile<i32> -> token
  }

  entry @nan(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2), padding_value = nan, tensor_view<1xf32, strides=[1]>>
    %r, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(2), padding_value = nan, tensor_view<1xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !f32_2
    %r_tiles = make_partition_view %r_view : !f32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xf32>, !f32_2_tiles, tile<i32> -> token
  }

  entry @pos_inf(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2), padding_value = pos_inf, tensor_view<1xf32, strides=[1]>>
    %r, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(2), padding_value = pos_inf, tensor_view<1xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !f32_2
    %r_tiles = make_partition_view %r_view : !f32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xf32>, !f32_2_tiles, tile<i32> -> token
  }

  entry @neg_inf(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2), padding_value = neg_inf, tensor_view<1xf32, strides=[1]>>
    %r, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(2), padding_value = neg_inf, tensor_view<1xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !f32_2
    %r_tiles = make_partition_view %r_view : !f32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xf32>, !f32_2_tiles, tile<i32> -> token
  }

  entry @beyond(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %r, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @nibbles(%a_ptr: tile<ptr<f4E2M1FN>>, %i: tile<i32>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>
    %v, %t = load_view_tko weak %tiles[%i] : partition_view<tile=(2), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<2xf4E2M1FN>, token
    %r = ftof %v : tile<2xf4E2M1FN> -> tile<2xf32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !f32_2
    %r_tiles = make_partition_view %r_view : !f32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xf32>, !f32_2_tiles, tile<i32> -> token
  }
}
