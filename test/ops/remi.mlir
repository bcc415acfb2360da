// RUN: %check %s
// The sign is that of the dividend (arithmetic, 4.5).
// CASE @with_sign(i8[-7, 7, -8, 5], i8[2, -2, 2, 7]) -> i8[-1, 1, 0, 5]
//
// 255 = 31 * 8 + 7.
// CASE @without_sign(i8[0xFF, 7, 200, 1], i8[8, 2, 200, 0xFF]) -> i8[7, 1, 0, 1]
//
// A zero divisor is undefined.
// CASE @undefined(i8[1, 2, 3, 4], i8[0, 1, 1, 1], i8[0, 0, 0, 0]) ->
//     error "element [0]: an undefined value is stored"

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
    %r = remi %a, %b signed : tile<4xi8>
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
    %r = remi %a, %b unsigned : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @undefined(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = remi %a, %b unsigned : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
