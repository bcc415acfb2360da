// RUN: %check %s
// -7 / 2 = -3.5, rounded toward zero (arithmetic, 10). The first divisor decides the signs.
// CASE @toward_zero(i8[-7, 7, -8, 0], i8[2, -2, 2, 5]) -> i8[-3, -3, -4, 0]
//
// ... down.
// CASE @down(i8[-7, 7, -8, 7], i8[2, -2, 2, 2]) -> i8[-4, -4, -4, 3]
//
// ... and up; 7 / 2 read unsigned is 4, too.
// CASE @up(i8[-7, 7, -8, -7], i8[2, -2, 2, -2]) -> i8[-3, -3, -4, 4]
//
// 0xFF is 255.
// CASE @without_sign(i8[0xFF, 7, 200, 1], i8[2, 2, 200, 0xFF]) -> i8[127, 3, 1, 0]
//
// Division by zero is undefined, and so is -128 / -1, which would be 128 (arithmetic, 4.4).
// CASE @undefined(i8[1, 2, 3, 4], i8[1, 1, 0, 1], i8[0, 0, 0, 0]) ->
//     error "element [2]: an undefined value is stored"
// CASE @undefined(i8[1, -128, 3, 4], i8[1, -1, 1, 1], i8[0, 0, 0, 0]) ->
//     error "element [1]: an undefined value is stored"

!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>

cuda_tile.module @case {
  entry @toward_zero(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = divi %a, %b signed : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @down(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = divi %a, %b signed rounding<negative_inf> : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @up(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = divi %a, %b signed rounding<positive_inf> : tile<4xi8>
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
    %r = divi %a, %b unsigned : tile<4xi8>
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
    %r = divi %a, %b signed : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
