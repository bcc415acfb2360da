// RUN: %check %s
// The inverse of pack; 0x5A is 0xA, then 0x5 (arithmetic, 4.29).
// CASE @unpack(i8[1, 2, 3, 4], i8[0x5A]) -> i16[0x0201, 0x0403], i8[-6, 5]

!i8_4 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i8_1 = !cuda_tile.tensor_view<1xi8, strides=[1]>
!i8_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>
!i16_2 = !cuda_tile.tensor_view<2xi16, strides=[1]>
!i16_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi16, strides=[1]>>
!i8_2 = !cuda_tile.tensor_view<2xi8, strides=[1]>
!i8_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>

cuda_tile.module @case {
  entry @unpack(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %h_ptr: tile<ptr<i16>>,
                %n_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8_4
    %a_tiles = make_partition_view %a_view : !i8_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_4_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [1], strides = [1] : !i8_1
    %b_tiles = make_partition_view %b_view : !i8_1_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_1_tiles, tile<i32> -> tile<1xi8>, token
    %h = unpack %a : tile<4xi8> -> tile<2xi16>
    %nibbles = unpack %b : tile<1xi8> -> tile<2xi4>
    %n = exti %nibbles signed : tile<2xi4> -> tile<2xi8>
    %h_view = make_tensor_view %h_ptr, shape = [2], strides = [1] : !i16_2
    %h_tiles = make_partition_view %h_view : !i16_2_tiles
    %h_token = store_view_tko weak %h, %h_tiles[%zero] : tile<2xi16>, !i16_2_tiles, tile<i32> -> token
    %n_view = make_tensor_view %n_ptr, shape = [2], strides = [1] : !i8_2
    %n_tiles = make_partition_view %n_view : !i8_2_tiles
    %n_token = store_view_tko weak %n, %n_tiles[%zero] : tile<2xi8>, !i8_2_tiles, tile<i32> -> token
  }
}
