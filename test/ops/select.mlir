// RUN: %check %s
// Each element chooses for itself; the values keep their bits.
// CASE @select(i1[1, 0, 0, 1], f32[1.0, 2.0, 3.0, 0x7FC00001], f32[-1.0, -2.0, nan, -4.0]) ->
//     f32[1.0, -2.0, nan, 0x7FC00001]
//
// An undefined value that is not chosen does no harm: 1 / 0 where the divisor is 0.
// CASE @discard(i8[8, 9, 10, 11], i8[2, 0, 5, 0]) -> i8[4, 0, 2, 0]

!i1 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>
!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!i8 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>

cuda_tile.module @case {
  entry @select(%a_ptr: tile<ptr<i1>>, %b_ptr: tile<ptr<f32>>, %c_ptr: tile<ptr<f32>>,
                %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i1
    %a_tiles = make_partition_view %a_view : !i1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i1_tiles, tile<i32> -> tile<4xi1>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !f32
    %b_tiles = make_partition_view %b_view : !f32_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %c_view = make_tensor_view %c_ptr, shape = [4], strides = [1] : !f32
    %c_tiles = make_partition_view %c_view : !f32_tiles
    %c, %c_token = load_view_tko weak %c_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = select %a, %b, %c : tile<4xi1>, tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }

  entry @discard(%a_ptr: tile<ptr<i8>>, %b_ptr: tile<ptr<i8>>, %out_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i8
    %a_tiles = make_partition_view %a_view : !i8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %b_view = make_tensor_view %b_ptr, shape = [4], strides = [1] : !i8
    %b_tiles = make_partition_view %b_view : !i8_tiles
    %b, %b_token = load_view_tko weak %b_tiles[%zero] : !i8_tiles, tile<i32> -> tile<4xi8>, token
    %zeros = constant <i8: 0> : tile<4xi8>
    %divisible = cmpi not_equal %b, %zeros, signed : tile<4xi8> -> tile<4xi1>
    %quotient = divi %a, %b signed : tile<4xi8>
    %r = select %divisible, %quotient, %zeros : tile<4xi1>, tile<4xi8>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !i8
    %out_tiles = make_partition_view %out_view : !i8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xi8>, !i8_tiles, tile<i32> -> token
  }
}
