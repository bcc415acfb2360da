// RUN: %check %s
// -32 is divisible by 16, 24 is not (types, 8.1).
// CASE @div_by(i32[0, 16, -32, 48]) -> i32[0, 16, -32, 48]
// CASE @div_by(i32[0, 16, 24, 48], i32[0, 0, 0, 0]) ->
//     error "assume: the assumption is false: element [2] = 24 is not divisible by 16"
//
// Runs of two: the first of each is divisible by 8, the second one more.
// CASE @runs(i32[8, 9, 32, 33]) -> i32[8, 9, 32, 33]
// CASE @runs(i32[8, 9, 32, 34], i32[0, 0, 0, 0]) ->
//     error "element [3] = 34 does not continue the run of element [2] = 32"
// CASE @runs(i32[8, 9, 12, 13], i32[0, 0, 0, 0]) -> error "element [2] = 12 is not divisible by 8"
//
// Blocks of two equal elements (types, 8.2).
// CASE @same_elements(i32[3, 3, 5, 5]) -> i32[3, 3, 5, 5]
// CASE @same_elements(i32[3, 3, 5, 6], i32[0, 0, 0, 0]) ->
//     error "element [3] = 6 is not equal to element [2] = 5"
//
// Both bounds are inclusive, and elements are signed (types, 8.3).
// CASE @bounded(i8[-2, 0, 5, 5]) -> i8[-2, 0, 5, 5]
// CASE @bounded(i8[-2, 0, 5, 6], i8[0, 0, 0, 0]) -> error "element [3] = 6 is greater than 5"
// CASE @bounded(i8[0, 0, 0x80, 5], i8[0, 0, 0, 0]) -> error "element [2] = -128 is less than -2"
//
// Arrays are aligned to 16 bytes; the next byte is not.
// CASE @pointer(i8[1], 0) -> i8[1]
// CASE @pointer(i8[1], 1, i8[0]) -> error "is not divisible by 16"

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i8_4 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i8_1 = !cuda_tile.tensor_view<1xi8, strides=[1]>
!i8_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>

cuda_tile.module @case {
  entry @div_by(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = assume div_by<16>, %a : tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @runs(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = assume div_by<8, every 2 along 0>, %a : tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @same_elements(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = assume same_elements<[2]>, %a : tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @bounded(%a_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8_4
    %a_tiles = make_partition_view %a_view : !i8_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_4_tiles, tile<i32> -> tile<4xi8>, token
    %r = assume bounded<-2, 5>, %a : tile<4xi8>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i8_4
    %r_tiles = make_partition_view %r_view : !i8_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi8>, !i8_4_tiles, tile<i32> -> token
  }

  entry @pointer(%a: tile<ptr<i8>>, %by: tile<i32>, %r_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %next = offset %a, %by : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %aligned = assume div_by<16>, %next : tile<ptr<i8>>
    %v, %t = load_ptr_tko weak %aligned : tile<ptr<i8>> -> tile<i8>, token
    %r = reshape %v : tile<i8> -> tile<1xi8>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i8_1
    %r_tiles = make_partition_view %r_view : !i8_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi8>, !i8_1_tiles, tile<i32> -> token
  }
}
