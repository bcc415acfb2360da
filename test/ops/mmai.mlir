// RUN: %check %s
// 0xFF * 0xFF, lhs signed, rhs unsigned (arithmetic, 10).
// CASE @signed_unsigned(i8[0xFF], i8[0xFF]) -> i32[-255]
//
// 0xFF * 0xFF, lhs signed, rhs signed (arithmetic, 10).
// CASE @signed_signed(i8[0xFF], i8[0xFF]) -> i32[1]
//
// 0xFF * 0xFF, lhs unsigned, rhs unsigned (arithmetic, 10).
// CASE @unsigned_unsigned(i8[0xFF], i8[0xFF]) -> i32[65025]
//
// 2^31 - 1 + 1 wraps around (arithmetic, 4.31).
// CASE @wrapping(i8[1, 2], i8[-1, 1]) -> i32[-2147483648]

!i8_1x1 = !cuda_tile.tensor_view<1x1xi8, strides=[1, 1]>
!i8_1x1_tiles = !cuda_tile.partition_view<tile=(1x1), tensor_view<1x1xi8, strides=[1, 1]>>
!i32_1x1 = !cuda_tile.tensor_view<1x1xi32, strides=[1, 1]>
!i32_1x1_tiles = !cuda_tile.partition_view<tile=(1x1), tensor_view<1x1xi32, strides=[1, 1]>>
!i8_1x2 = !cuda_tile.tensor_view<1x2xi8, strides=[2, 1]>
!i8_1x2_tiles = !cuda_tile.partition_view<tile=(1x2), tensor_view<1x2xi8, strides=[2, 1]>>
!i8_2x1 = !cuda_tile.tensor_view<2x1xi8, strides=[1, 1]>
!i8_2x1_tiles = !cuda_tile.partition_view<tile=(2x1), tensor_view<2x1xi8, strides=[1, 1]>>

cuda_tile.module @case {
  entry @signed_unsigned(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 1], strides = [1, 1] : !i8_1x1
    %a_tiles = make_partition_view %a_view : !i8_1x1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i8_1x1_tiles, tile<i32> -> tile<1x1xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [1, 1], strides = [1, 1] : !i8_1x1
    %b_tiles = make_partition_view %b_view : !i8_1x1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !i8_1x1_tiles, tile<i32> -> tile<1x1xi8>, token
    %acc = constant <i32: 0> : tile<1x1xi32>
    %r = mmai %a, %b, %acc signed unsigned : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1, 1], strides = [1, 1] : !i32_1x1
    %r_tiles = make_partition_view %r_view : !i32_1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<1x1xi32>, !i32_1x1_tiles, tile<i32> -> token
  }

  entry @signed_signed(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 1], strides = [1, 1] : !i8_1x1
    %a_tiles = make_partition_view %a_view : !i8_1x1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i8_1x1_tiles, tile<i32> -> tile<1x1xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [1, 1], strides = [1, 1] : !i8_1x1
    %b_tiles = make_partition_view %b_view : !i8_1x1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !i8_1x1_tiles, tile<i32> -> tile<1x1xi8>, token
    %acc = constant <i32: 0> : tile<1x1xi32>
    %r = mmai %a, %b, %acc signed signed : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1, 1], strides = [1, 1] : !i32_1x1
    %r_tiles = make_partition_view %r_view : !i32_1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<1x1xi32>, !i32_1x1_tiles, tile<i32> -> token
  }

  entry @unsigned_unsigned(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 1], strides = [1, 1] : !i8_1x1
    %a_tiles = make_partition_view %a_view : !i8_1x1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i8_1x1_tiles, tile<i32> -> tile<1x1xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [1, 1], strides = [1, 1] : !i8_1x1
    %b_tiles = make_partition_view %b_view : !i8_1x1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !i8_1x1_tiles, tile<i32> -> tile<1x1xi8>, token
    %acc = constant <i32: 0> : tile<1x1xi32>
    %r = mmai %a, %b, %acc unsigned unsigned : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1, 1], strides = [1, 1] : !i32_1x1
    %r_tiles = make_partition_view %r_view : !i32_1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<1x1xi32>, !i32_1x1_tiles, tile<i32> -> token
  }

  entry @wrapping(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1, 2], strides = [2, 1] : !i8_1x2
    %a_tiles = make_partition_view %a_view : !i8_1x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i8_1x2_tiles, tile<i32> -> tile<1x2xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [2, 1], strides = [1, 1] : !i8_2x1
    %b_tiles = make_partition_view %b_view : !i8_2x1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero, %zero] : !i8_2x1_tiles, tile<i32> -> tile<2x1xi8>, token
    %acc = constant <i32: 0x7FFFFFFF> : tile<1x1xi32>
    %r = mmai %a, %b, %acc signed signed : tile<1x2xi8>, tile<2x1xi8>, tile<1x1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1, 1], strides = [1, 1] : !i32_1x1
    %r_tiles = make_partition_view %r_view : !i32_1x1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<1x1xi32>, !i32_1x1_tiles, tile<i32> -> token
  }
}
