// RUN: %check %s
// Extents and strides from operands, which are unsigned: 0xFF words between rows would be 255
// (operations, 8.2). Row 0 and row 1, three words apart.
// CASE @dynamic(i32[1, 2, 9, 3, 4], 2, 3) -> i32[1, 2, 3, 4]
// CASE @dynamic(i32[1, 2, 9, 3, 4], 1, 3) -> i32[1, 2, 0, 0]
// CASE @dynamic(i32[1, 2, 9, 3, 4], 2, 0) -> i32[1, 2, 1, 2]
// CASE @dynamic(i32[1, 2, 9, 3, 4], 2, 0xFF, i32[0, 0, 0, 0]) ->
//     error "element [1, 0]: address 0x1000000003FC lies in no allocation: 1000 bytes past the end of parameter 1 (5xi32)"
//
// (2^63 - 1) * 4 bytes from the base: beyond every address, and not wrapped around (types, 5.2).
// CASE @far(i32[1], i32[0, 0]) -> error "element [1]: the offset from the base is too large"

!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>
!i32_2 = !cuda_tile.tensor_view<2xi32, strides=[1]>
!i32_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>

cuda_tile.module @case {
  entry @dynamic(%a_ptr: tile<ptr<i32>>, %rows: tile<i8>, %stride: tile<i8>,
                 %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, 2], strides = [%stride, 1] : tile<i8> -> tensor_view<?x2xi32, strides=[?, 1]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2x2), padding_value = zero, tensor_view<?x2xi32, strides=[?, 1]>>
    %r, %t = load_view_tko weak %tiles[%first, %first] : partition_view<tile=(2x2), padding_value = zero, tensor_view<?x2xi32, strides=[?, 1]>>, tile<i32> -> tile<2x2xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %r_tiles = make_partition_view %r_view : !i32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xi32>, !i32_2x2_tiles, tile<i32> -> token
  }

  entry @far(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %extent = constant <i64: 0x7FFFFFFFFFFFFFFF> : tile<i64>
    %tensor = make_tensor_view %a_ptr, shape = [%extent], strides = [%extent] : tile<i64> -> tensor_view<?xi32, strides=[?]>
    %tiles = make_partition_view %tensor : partition_view<tile=(2), tensor_view<?xi32, strides=[?]>>
    %r, %t = load_view_tko weak %tiles[%first] : partition_view<tile=(2), tensor_view<?xi32, strides=[?]>>, tile<i32> -> tile<2xi32>, token
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }
}
