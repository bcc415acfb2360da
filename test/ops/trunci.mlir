// RUN: %check %s
// The low bits.
// CASE @trunci(i16[0x1234, -1, 256, 128]) -> i8[0x34, -1, 0, -128]
//
// 2 is even, 3 is odd (arithmetic, 10).
// CASE @one_bit(i8[2, 3, 0, -1]) -> i1[0, 1, 0, 1]

!i16 = !cuda_tile.tensor_view<4xi16, strides=[1]>
!i16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>
!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @trunci(%a_ptr: tile<ptr<i16>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i16
    %a_tiles = make_partition_view %a_view : !i16_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i16_tiles, tile<i32> -> tile<4xi16>, token
    %r = trunci %a : tile<4xi16> -> tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }

  entry @one_bit(%a_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i1>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = trunci %a : tile<4xi8> -> tile<4xi1>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i1
    %out_tiles = make_partition_view %out_view : !i1_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi1>, !i1_tiles, tile<i32> -> token
  }
}
