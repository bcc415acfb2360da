// RUN: %check %s
// The lowest byte first; of two 4-bit floats, the first in the low half: 0.5 is 0x1 and 1.5 is 0x3
// (arithmetic, 10).
// CASE @pack(i32[0x04030201]) -> i8[1, 2, 3, 4], i8[0x31]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
!i8_4 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i8_1 = !cuda_tile.tensor_view<1xi8, strides=[1]>
!i8_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>

cuda_tile.module @case {
  entry @pack(%a_ptr: tile<ptr<i32>>, %i_ptr: tile<ptr<i8>>, %f_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [1], strides = [1] : !i32_1
    %a_tiles = make_partition_view %a_view : !i32_1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_1_tiles, tile<i32> -> tile<1xi32>, token
    %i = pack %a : tile<1xi32> -> tile<4xi8>
    %nibbles = constant <f4E2M1FN: [0.5, 1.5]> : tile<2xf4E2M1FN>
    %f = pack %nibbles : tile<2xf4E2M1FN> -> tile<1xi8>
    %i_view = make_tensor_view %i_ptr, shape = [4], strides = [1] : !i8_4
    %i_tiles = make_partition_view %i_view : !i8_4_tiles
    %i_token = store_view_tko weak %i, %i_tiles[%zero] : tile<4xi8>, !i8_4_tiles, tile<i32> -> token
    %f_view = make_tensor_view %f_ptr, shape = [1], strides = [1] : !i8_1
    %f_tiles = make_partition_view %f_view : !i8_1_tiles
    %f_token = store_view_tko weak %f, %f_tiles[%zero] : tile<1xi8>, !i8_1_tiles, tile<i32> -> token
  }
}
