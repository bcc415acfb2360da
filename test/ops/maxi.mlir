// RUN: %check %s
// 0xFF is -1 or 255 (arithmetic, 4.6).
// CASE @with_sign(i8[-1, 0, 127, 7], i8[1, 0, -128, 7]) -> i8[1, 0, 127, 7]
//
// ... and 0x80 is -128 or 128.
// CASE @without_sign(i8[-1, 0, 127, 7], i8[1, 0, -128, 7]) -> i8[-1, 0, -128, 7]

!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>

cuda_tile.module @case {
  entry @with_sign(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = maxi %a, %b signed : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @without_sign(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = maxi %a, %b unsigned : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
