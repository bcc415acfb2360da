// RUN: %check %s
// Sign extension.
// CASE @with_sign(i8[-1, 127, -128, 0]) -> i16[-1, 127, -128, 0]
//
// Zero extension.
// CASE @without_sign(i8[-1, 127, -128, 0]) -> i16[255, 127, 128, 0]
//
// True is -1 when signed.
// CASE @one_bit(i1[0, 1, 0, 1]) -> i8[0, -1, 0, -1]

!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i16 = !cuda_tile.tensor_view<4xi16, strides=[1]>
!i16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>
!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @with_sign(%a_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = exti %a signed : tile<4xi8> -> tile<4xi16>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i16
    %out_tiles = make_partition_view %out_view : !i16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi16>, !i16_tiles, tile<i32> -> token
  }

  entry @without_sign(%a_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = exti %a unsigned : tile<4xi8> -> tile<4xi16>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i16
    %out_tiles = make_partition_view %out_view : !i16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi16>, !i16_tiles, tile<i32> -> token
  }

  entry @one_bit(%a_ptr: tile<ptr<i1>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i1
    %a_tiles = make_partition_view %a_view : !i1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i1_tiles, tile<i32> -> tile<4xi1>, token
    %r = exti %a signed : tile<4xi1> -> tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
