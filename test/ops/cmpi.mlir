// RUN: %check %s
// -1 < 0 as signed numbers, but 255 > 0 (arithmetic, 4.9).
// CASE @signed_less(i8[-1, 0, 0, -128], i8[0, -1, 0, 127]) -> i1[1, 0, 0, 1]
//
// The same read unsigned.
// CASE @unsigned_less(i8[-1, 0, 0, -128], i8[0, -1, 0, 127]) -> i1[0, 1, 0, 0]
//
// On i1, true is -1 (arithmetic, 10).
// CASE @one_bit(i1[1, 0, 0, 1], i1[0, 1, 0, 1]) -> i1[1, 0, 0, 0]
//
// The other predicates.
// CASE @at_least(i8[-1, 0, 0, -128], i8[0, -1, 0, 127]) -> i1[0, 1, 1, 0]
//
// Bits decide.
// CASE @different(i8[-1, 0, 0, -128], i8[0xFF, -1, 0, 127]) -> i1[0, 1, 0, 1]

!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @signed_less(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = cmpi less_than %a, %b, signed : tile<4xi8> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @unsigned_less(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = cmpi less_than %a, %b, unsigned : tile<4xi8> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @one_bit(%a_ptr: tile<ptr<i1>>, %b_ptr: tile<ptr<i1>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i1
    %a_tiles = make_partition_view %a_view : !i1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i1_tiles, tile<i32> -> tile<4xi1>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i1
    %b_tiles = make_partition_view %b_view : !i1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i1_tiles, tile<i32> -> tile<4xi1>, token
    %r = cmpi less_than %a, %b, signed : tile<4xi1> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @at_least(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = cmpi greater_than_or_equal %a, %b, signed : tile<4xi8> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }

  entry @different(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = cmpi not_equal %a, %b, signed : tile<4xi8> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }
}
