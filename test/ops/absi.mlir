// RUN: %check %s
// The magnitude of -128 is 128 when read unsigned (arithmetic, 10).
// CASE @absi(i8[0, -1, -128, 127]) -> i8[0, 1, 0x80, 127]

!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>

cuda_tile.module @case {
  entry @absi(%a_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %r = absi %a : tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
